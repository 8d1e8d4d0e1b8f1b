import Foundation
import GRDB
import HubKit
import Storage

/// The delivery of messages to phones: they are encrypted and sent, and the outcome is handled.
extension Push {
    /// The outcome of an attempt.
    enum Outcome: Sendable, Equatable {
        /// The push service has accepted the message.
        case taken
        /// The subscription has ended (RFC 8030, 7.3).
        case gone
        /// The attempt failed and can be repeated; the push service may have said when, in milliseconds.
        case later(retryAfter: Int64?, String)
        /// The attempt failed and repeating it is of no use.
        case refused(String)
    }

    private struct Due: Sendable {
        var message: PushMessageRecord
        var subscription: PushSubscriptionRecord
    }

    func deliver(_ message: PushMessageRecord) async throws {
        let subscription = try await database.pool.read { db in
            try PushSubscriptionRecord.fetchOne(db, key: message.subscription)
        }
        // With a subscription that has ended its messages are gone.
        guard let subscription else { return }
        let due = Due(message: message, subscription: subscription)
        try await settle(due, try await attempt(due))
    }

    /// Attempts to send a message.
    ///
    /// - Throws: `CancellationError` when the hub stops: the message then waits for the next start.
    private func attempt(_ due: Due) async throws -> Outcome {
        let (message, subscription) = (due.message, due.subscription)
        do {
            let keys = try PushKeys(point: subscription.p256dh, secret: subscription.auth)
            let body = try PushEncryption.encrypt(Array(message.content), for: keys)
            let origin = try outbound.origin(of: subscription.endpoint, for: OutboundUse.push.purpose)
            var headers = [
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
                ("TTL", String(max(0, (message.expiresAt - clock.now()) / 1000))), ("Urgency", message.urgency),
                ("Authorization", try await authorization(audience: origin)),
            ]
            if let topic = message.topic { headers.append(("Topic", PushMessage.header(topic: topic))) }
            let answer = try await outbound.send(
                OutboundCall(
                    household: subscription.household, url: subscription.endpoint, purpose: OutboundUse.push.purpose,
                    headers: headers,
                    body: body))
            return Self.outcome(answer, host: host(of: subscription), now: clock.now())
        } catch let error as OutboundError {
            switch error {
            case .refused(let reason): return .refused("The message was not sent: \(reason.english).")
            case .tooMany(let seconds):
                return .later(retryAfter: Int64(seconds) * 1000, "The hub waits before it calls again.")
            case .unreachable(let reason): return .later(retryAfter: nil, "\(reason).")
            }
        } catch let error as Problem {
            return .refused(error.detail.english)
        }
    }

    private func host(of subscription: PushSubscriptionRecord) -> String {
        URL(string: subscription.endpoint)?.host ?? "the push service"
    }

    /// The outcome of a response (RFC 8030, 5 and 7; RFC 8292, 4.2).
    static func outcome(_ answer: OutboundAnswer, host: String, now: Int64) -> Outcome {
        let difference = answer.date.flatMap(httpDate).map { abs($0 - now) } ?? 0
        return switch answer.status {
        case 200...299: .taken
        case 404, 410: .gone
        case 408, 425, 429, 500...599:
            .later(
                retryAfter: answer.retryAfter.flatMap { milliseconds(retryAfter: $0, now: now) },
                "\(host) answered \(answer.status); the hub tries again.")
        case 401 where difference > clockTolerance, 403 where difference > clockTolerance:
            // The token's times are by the hub's clock (RFC 8292, 2): neither the phone nor its subscription is at fault.
            .later(
                retryAfter: nil,
                "\(host) answered \(answer.status), because this hub’s clock is wrong: it differs from theirs by \(words(ofDifference: difference)). Set the hub’s clock; the hub tries again."
            )
        case 401, 403:
            .refused(
                "\(host) answered \(answer.status): it takes no messages of this hub for this device. Turn notifications off and on again."
            )
        case 413: .refused("\(host) answered 413: the message was too long for it.")
        case 300...399: .refused("\(host) answered \(answer.status) and pointed elsewhere, where the hub does not go.")
        default: .refused("\(host) answered \(answer.status) and did not take the message.")
        }
    }

    /// The time of the header `Retry-After` (RFC 9110, 10.2.3), which has seconds or a date.
    static func milliseconds(retryAfter text: String, now: Int64) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let wait: Int64
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            wait = (Int64(text) ?? .max / 2_000) * 1000
        } else {
            guard let date = httpDate(text) else { return nil }
            wait = date - now
        }
        return min(max(wait, 0), AttemptPause.longestDemanded)
    }

    /// The difference between the hub's clock and a push service's from which on the hub's is to blame, in milliseconds.
    static let clockTolerance: Int64 = 600_000

    /// The time of an HTTP date in its preferred form (RFC 9110, 5.6.7), in UTC milliseconds; nil for another text.
    static func httpDate(_ text: String) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970 * 1000) }
    }

    private static func words(ofDifference milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return minutes < 120
            ? "\(minutes) minutes" : minutes < 2 * 1_440 ? "\(minutes / 60) hours" : "\(minutes / 1_440) days"
    }

    private func settle(_ due: Due, _ outcome: Outcome) async throws {
        let subscription = due.subscription
        let now = clock.now()
        let host = host(of: subscription)
        try await database.pool.write { db in
            if try self.store(outcome, of: due, now, db) { self.publish(subscription, after: db) }
        }
        switch outcome {
        case .taken: log.debug("a notification was taken", metadata: ["host": "\(host)"])
        case .gone: log.info("a device ended its notifications", metadata: ["host": "\(host)"])
        case .later(_, let words): log.info("a notification waits", metadata: ["reason": "\(words)"])
        case .refused(let words): log.warning("a notification was refused", metadata: ["reason": "\(words)"])
        }
    }

    /// Stores the outcome of an attempt.
    ///
    /// - Returns: whether pages show something else of the subscription now.
    private func store(_ outcome: Outcome, of due: Due, _ now: Int64, _ db: Database) throws -> Bool {
        let subscription = due.subscription
        switch outcome {
        case .taken:
            try due.message.remove(db)
            return try Self.note(nil, of: subscription, now, db)
        case .gone:
            // The phone may have subscribed anew while this was in the air; then only the message goes.
            try db.execute(
                cached: "DELETE FROM push_subscription WHERE id = ? AND endpoint = ?",
                arguments: [subscription.id, subscription.endpoint])
            try due.message.remove(db)
            return true
        case .later(let retryAfter, let words):
            let waits = try due.message.putOff(retryAfter: retryAfter, now: now, db)
            return try Self.note(
                waits ? words : "\(words) The message grew too old.", of: subscription, now, db)
        case .refused(let words):
            try due.message.remove(db)
            return try Self.note(words, of: subscription, now, db)
        }
    }

    /// Stores the outcome of the last attempt.
    ///
    /// - Returns: whether it differs from the stored one.
    private static func note(
        _ words: String?, of subscription: PushSubscriptionRecord, _ now: Int64, _ db: Database
    ) throws -> Bool {
        try db.execute(
            cached: "UPDATE push_subscription SET last_error = ?, last_at = ? WHERE id = ?",
            arguments: [words, now, subscription.id])
        return words != subscription.lastError
    }
}
