import Foundation
import GRDB
import HubKit
import Storage

/// The delivery of the queue: due messages are encrypted and sent, and the outcome is handled.
extension Push {
    /// The pause after the first failure in milliseconds; it doubles each time.
    static let firstPauseMilliseconds: Int64 = 10_000
    /// The longest pause between two attempts by the hub's own rule, in milliseconds.
    static let longestPauseMilliseconds: Int64 = 1_800_000
    /// The longest pause that a push service may demand, in milliseconds.
    static let longestRetryAfterMilliseconds: Int64 = 6 * 3_600_000
    /// The number of messages that are sent at once.
    private static let batch = 8

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

    /// Sends all due messages, and drops expired ones.
    ///
    /// - Returns: the time of the next attempt, in UTC milliseconds; nil if nothing waits.
    func deliverDue() async throws -> Int64? {
        while true {
            let due = try await takeDue()
            if due.isEmpty { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for entry in due { group.addTask { try await self.deliver(entry) } }
                try await group.waitForAll()
            }
        }
        return try await database.pool.read { db in
            try Int64.fetchOne(db, cached: "SELECT min(next_at) FROM push_message")
        }
    }

    private func takeDue() async throws -> [Due] {
        let now = clock.now()
        let (due, late) = try await database.pool.write { db -> ([Due], Set<String>) in
            let late = try String.fetchSet(
                db, cached: "SELECT subscription FROM push_message WHERE expires_at <= ? AND attempts > 0",
                arguments: [now])
            try db.execute(cached: "DELETE FROM push_message WHERE expires_at <= ?", arguments: [now])
            // One that waits longer than anything may was put off by a clock that has been set back since.
            let messages = try PushMessageRecord.fetchAll(
                db, cached: "SELECT * FROM push_message WHERE next_at <= ? OR next_at > ? ORDER BY next_at, id LIMIT ?",
                arguments: [now, now + Self.longestRetryAfterMilliseconds, Self.batch])
            let due = try messages.compactMap { message -> Due? in
                var message = message
                message.attempts += 1
                message.nextAt = now + Self.pause(attempts: message.attempts)
                // Before it is sent: where nothing can be stored, nothing is sent over and over either.
                try message.update(db)
                return try PushSubscriptionRecord.fetchOne(db, key: message.subscription)
                    .map { Due(message: message, subscription: $0) }
            }
            return (due, late)
        }
        if !late.isEmpty {
            log.warning("notifications were not delivered in time", metadata: ["devices": "\(late.count)"])
        }
        return due
    }

    private func deliver(_ due: Due) async throws {
        let outcome = try await attempt(due)
        try await settle(due, outcome)
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
        return min(max(wait, 0), longestRetryAfterMilliseconds)
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

    /// The pause after some number of failed attempts, at least one, in milliseconds.
    static func pause(attempts: Int) -> Int64 {
        min(firstPauseMilliseconds << Int64(min(attempts - 1, 16)), longestPauseMilliseconds)
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
            try db.execute(cached: "DELETE FROM push_message WHERE id = ?", arguments: [due.message.id])
            return try Self.note(nil, of: subscription, now, db)
        case .gone:
            // The phone may have subscribed anew while this was in the air; then only the message goes.
            try db.execute(
                cached: "DELETE FROM push_subscription WHERE id = ? AND endpoint = ?",
                arguments: [subscription.id, subscription.endpoint])
            try db.execute(cached: "DELETE FROM push_message WHERE id = ?", arguments: [due.message.id])
            return true
        case .later(let retryAfter, let words):
            let next = now + max(Self.pause(attempts: due.message.attempts), retryAfter ?? 0)
            if next >= due.message.expiresAt {
                try db.execute(cached: "DELETE FROM push_message WHERE id = ?", arguments: [due.message.id])
                return try Self.note("\(words) The message grew too old.", of: subscription, now, db)
            }
            try db.execute(
                cached: "UPDATE push_message SET next_at = ? WHERE id = ?", arguments: [next, due.message.id])
            return try Self.note(words, of: subscription, now, db)
        case .refused(let words):
            try db.execute(cached: "DELETE FROM push_message WHERE id = ?", arguments: [due.message.id])
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
