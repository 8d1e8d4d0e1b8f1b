import Foundation
import GRDB
import HubKit
import Localization
import Outbound
import Storage

/// The delivery of messages by channels: they are sent, and the outcome is handled.
extension Channels {
    /// The outcome of an attempt.
    enum Outcome: Sendable, Equatable {
        /// The receiver has the message.
        case taken
        /// The attempt failed and can be repeated; the receiver may have said when, in milliseconds.
        case later(retryAfter: Int64?, LocalizedText)
        /// The attempt failed and repeating it is of no use.
        case refused(LocalizedText)
    }

    private struct Due: Sendable {
        var message: ChannelMessageRecord
        var channel: ChannelRecord
        /// The account that e-mail goes by; nil if there is none.
        var account: MailAccountRecord?
        /// The language of the words that pages show.
        var language: Language
    }

    func deliver(_ message: ChannelMessageRecord) async throws {
        let due = try await database.pool.read { db -> Due? in
            guard let channel = try ChannelRecord.fetchOne(db, key: message.channel) else { return nil }
            return Due(
                message: message, channel: channel,
                account: try MailAccountRecord.fetchOne(db, key: channel.household),
                language: try Self.language(of: channel, db))
        }
        // With a channel that was removed its messages are gone.
        guard let due else { return }
        let outcome: Outcome
        switch due.channel.kind {
        case .ntfy: outcome = try await publish(due)
        case .email: outcome = try await mail(due)
        case .webhook: outcome = try await call(due)
        }
        try await settle(due, outcome)
    }

    // MARK: By each kind

    /// Publishes a message at an ntfy server.
    ///
    /// - Throws: `CancellationError` when the hub stops: the message then waits for the next start.
    private func publish(_ due: Due) async throws -> Outcome {
        guard let place = NtfyPlace(due.channel),
            let notice = try? JSONDecoder().decode(ChannelNotice.self, from: due.message.content)
        else { return .refused(LocalizedText("What is stored of it cannot be read. Add it again.")) }
        var headers = [("Content-Type", "application/json")]
        if let token = due.channel.secret { headers.append(("Authorization", "Bearer \(token)")) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let body = try encoder.encode(NtfyPublication(notice, topic: place.topic, due.channel))
        return try await send(
            OutboundCall(
                household: due.channel.household, url: place.host.origin + "/", purpose: OutboundUse.ntfy.purpose,
                headers: headers, body: Array(body))
        ) { answer in
            Self.outcomeOfNtfy(answer, host: place.host.host, now: clock.now())
        }
    }

    /// Posts an event to a webhook, signed.
    private func call(_ due: Due) async throws -> Outcome {
        let body = Array(due.message.content)
        let host = (try? ChosenHost(url: due.channel.address, houseAddress: due.channel.houseAddress))?.host ?? ""
        let headers = [
            ("Content-Type", "application/json"), ("Idempotency-Key", due.message.identity),
            (WebhookSignature.header, WebhookSignature.value(of: body, key: due.channel.secret ?? "")),
        ]
        return try await send(
            OutboundCall(
                household: due.channel.household, url: due.channel.address, purpose: OutboundUse.webhook.purpose,
                headers: headers, body: body)
        ) { answer in
            Self.outcomeOfWebhook(answer, host: host, now: clock.now())
        }
    }

    private func send(_ call: OutboundCall, outcome: (OutboundAnswer) -> Outcome) async throws -> Outcome {
        do {
            return outcome(try await outbound.sendToChosen(call))
        } catch let error as OutboundError {
            switch error {
            case .refused(let reason): return .refused(LocalizedText("The message was not sent: \(reason)."))
            case .tooMany(let seconds):
                return .later(
                    retryAfter: Int64(seconds) * 1000, LocalizedText("The hub waits before it calls again."))
            case .unreachable:
                let host = (try? ChosenHost(url: call.url, houseAddress: "127.0.0.1"))?.host ?? ""
                return .later(
                    retryAfter: nil, LocalizedText("\(host) could not be reached; the hub tries again."))
            }
        }
    }

    /// Hands an e-mail to the household's mail server.
    private func mail(_ due: Due) async throws -> Outcome {
        guard let account = due.account, let sender = MailAddress(account.sender) else {
            return .refused(LocalizedText("There is no email account here to send it by. Add one in Settings."))
        }
        guard let recipient = MailAddress(due.channel.address),
            let notice = try? JSONDecoder().decode(ChannelNotice.self, from: due.message.content)
        else { return .refused(LocalizedText("What is stored of it cannot be read. Add it again.")) }
        let message = MailMessage(
            from: sender, to: recipient, subject: notice.title, body: notice.text(due.channel, in: due.language),
            at: due.message.createdAt, identity: due.message.identity)
        do {
            try await outbound.send(message, by: account)
            return .taken
        } catch let fault as MailFault {
            if case .outbound(.tooMany(let seconds)) = fault {
                return .later(retryAfter: Int64(seconds) * 1000, fault.words)
            }
            return fault.mayPass ? .later(retryAfter: nil, fault.words) : .refused(fault.words)
        }
    }

    /// The outcome of ntfy's answer (docs.ntfy.sh, "Limitations" and "Authentication").
    static func outcomeOfNtfy(_ answer: OutboundAnswer, host: String, now: Int64) -> Outcome {
        switch answer.status {
        case 200...299: .taken
        case 401, 403:
            .refused(
                LocalizedText(
                    "\(host) answered \(String(answer.status)): it wants a token that may write to this topic. Add the channel again with one."
                ))
        case 404: .refused(LocalizedText("\(host) answered 404: no ntfy is there. Check the address."))
        case 300...399:
            .refused(
                LocalizedText(
                    "\(host) answered \(String(answer.status)) and pointed elsewhere, where the hub does not go."))
        case 408, 425, 429, 500...599: later(answer, host: host, now: now)
        default:
            .refused(LocalizedText("\(host) answered \(String(answer.status)) and did not take the message."))
        }
    }

    /// The outcome of a webhook's answer: it has the message, or wants no more of it, or is asked again.
    static func outcomeOfWebhook(_ answer: OutboundAnswer, host: String, now: Int64) -> Outcome {
        switch answer.status {
        case 200...299: .taken
        // RFC 9110, 15.5.11.
        case 410: .refused(LocalizedText("\(host) answered 410: nobody is there any more. Remove this webhook."))
        default: later(answer, host: host, now: now)
        }
    }

    private static func later(_ answer: OutboundAnswer, host: String, now: Int64) -> Outcome {
        .later(
            retryAfter: answer.retryAfter.flatMap { Push.milliseconds(retryAfter: $0, now: now) },
            LocalizedText("\(host) answered \(String(answer.status)); the hub tries again."))
    }

    // MARK: The outcome

    private func settle(_ due: Due, _ outcome: Outcome) async throws {
        let now = clock.now()
        try await database.pool.write { db in
            if try self.store(outcome, of: due, now, db) { self.publish(due.channel, after: db) }
        }
        // The kind alone: an address may be a secret.
        let kind = due.channel.kind.rawValue
        switch outcome {
        case .taken: log.debug("a message was taken", metadata: ["channel": "\(kind)"])
        case .later(_, let words):
            log.info("a message waits", metadata: ["channel": "\(kind)", "reason": "\(words.english)"])
        case .refused(let words):
            log.warning("a message was refused", metadata: ["channel": "\(kind)", "reason": "\(words.english)"])
        }
    }

    /// Stores the outcome of an attempt.
    ///
    /// - Returns: whether pages show something else of the channel now.
    private func store(_ outcome: Outcome, of due: Due, _ now: Int64, _ db: Database) throws -> Bool {
        func words(_ text: LocalizedText) -> String { text.string(in: due.language, from: .push) }
        var error: String?
        switch outcome {
        case .taken: try due.message.remove(db)
        case .refused(let text):
            error = words(text)
            try due.message.remove(db)
        case .later(let retryAfter, let text):
            let waits = try due.message.putOff(retryAfter: retryAfter, now: now, db)
            error = words(waits ? text : LocalizedText("\(text) The message grew too old."))
        }
        try db.execute(
            cached: "UPDATE channel SET last_error = ?, last_at = ? WHERE id = ?",
            arguments: [error, now, due.channel.id])
        return error != due.channel.lastError || due.channel.lastAt == nil
    }
}

/// The place where a channel of ntfy publishes: a server, and a topic there.
struct NtfyPlace: Sendable, Equatable {
    let host: ChosenHost
    let topic: String

    /// Reads an address, such as `https://ntfy.example/topic`.
    ///
    /// - Throws: `ChosenHost.Fault`.
    init(_ text: String, houseAddress: String?) throws(ChosenHost.Fault) {
        host = try ChosenHost(url: text, houseAddress: houseAddress)
        // The server's own rule: 1 to 64 letters, digits, underscores and hyphens.
        let path = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard path.count == 1, let topic = path.first, (1...64).contains(topic.utf8.count),
            Secret.isIdentifier(String(topic))
        else {
            throw .refused(
                LocalizedText("the topic stands behind the server, as in https://ntfy.example/our-topic"))
        }
        self.topic = String(topic)
    }

    init?(_ channel: ChannelRecord) {
        guard let place = try? NtfyPlace(channel.address, houseAddress: channel.houseAddress) else { return nil }
        self = place
    }
}
