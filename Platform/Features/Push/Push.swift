import Foundation
import GRDB
import HubKit
import Localization
import Logging
import Outbound
import Storage
import Synchronization

/// The messages to phones without an open page, by Web Push (RFC 8030): a queue in the database, and the rules for who
/// gets what.
///
/// A message is stored when the call returns, and sent by `PushService` as soon as possible.
public final class Push: Sendable {
    let database: HubDatabase
    let clock: HubClock
    let outbound: Outbound
    let live: LiveEvents
    let log: Logger
    /// The messages by channels that adults have chosen, beside phones.
    public let channels: Channels
    /// The contact for operators of push services.
    let subject: String
    /// A signal that the queue has grown.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let identity = Mutex<VAPID?>(nil)
    /// The tokens for each push service, so that not every message needs a signature.
    private let tokens = Mutex<[String: Token]>([:])
    /// The times of test messages of each account in the last hour, in UTC milliseconds.
    private let trials = Mutex<[String: [Int64]]>([:])

    /// The number of phones of a household, at most.
    public static let mostSubscriptions = 20
    /// The number of test messages that an account may send in an hour. All calls of a household share one limit,
    /// ``OutboundUse/callsAnHour``, most of which should be left for real messages.
    static let trialsAnHour = 20
    /// The number of messages that wait for one phone, at most. Beyond it the oldest are dropped.
    static let mostWaiting = 50
    /// The longest time that a message may wait: four weeks, as push services keep theirs.
    static let longestTTLSeconds = 28 * 86_400

    private struct Token {
        var text: String
        var expires: Int64
    }

    /// Creates the sender.
    ///
    /// - Parameters:
    ///   - database: holds keys, subscriptions and the queue.
    ///   - clock: the hub's clock.
    ///   - outbound: the client for push services.
    ///   - live: tells open pages of a subscription's change.
    ///   - origin: the hub's own address, for operators of push services; nil without one.
    ///   - log: the hub's log.
    public init(
        database: HubDatabase, clock: HubClock, outbound: Outbound, live: LiveEvents, origin: String?, log: Logger
    ) {
        self.database = database
        self.clock = clock
        self.outbound = outbound
        self.live = live
        subject = VAPID.subject(origin: origin)
        self.log = log
        channels = Channels(database: database, clock: clock, outbound: outbound, live: live, log: log)
        (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Sending

    /// Queues a message for every phone that is subscribed to a person.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - person: the id of the person it is about.
    public func send(_ message: PushMessage, to person: String) async {
        do {
            try await database.pool.write { db in try self.enqueue(message, about: person, db) }
        } catch {
            log.error("a notification could not be kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Queues a message in the caller's transaction. The service looks at the queue once that is durable.
    public func enqueue(_ message: PushMessage, about person: String, _ db: Database) throws {
        try enqueue(about: person, db) { _ in message }
    }

    /// Queues a message in the language of each phone, that of its page or else the household's, in the caller's
    /// transaction.
    public func enqueue(about person: String, _ db: Database, message: (Language) throws -> PushMessage) throws {
        let subscriptions = try Row.fetchAll(
            db,
            cached: """
                SELECT push_subscription.id, coalesce(push_subscription.language, household.language)
                FROM push_person JOIN push_subscription ON push_subscription.id = push_person.subscription
                    JOIN household ON household.id = push_subscription.household
                WHERE push_person.person = ?
                """, arguments: [person])
        for row in subscriptions {
            let language = (row[1] as String?).map { Language($0) } ?? .english
            try enqueue(try message(language), about: person, to: row[0], db)
        }
    }

    func enqueue(_ message: PushMessage, about person: String?, to subscription: String, _ db: Database) throws {
        guard message.content.count <= PushMessage.longest else { throw EncryptedContent.TooLong() }
        let now = clock.now()
        db.afterCommit { self.wake() }
        if let topic = message.topic {
            try db.execute(
                cached: "DELETE FROM push_message WHERE subscription = ? AND topic = ?",
                arguments: [subscription, topic])
        }
        let ttl = Int64(min(max(message.ttlSeconds, 0), Self.longestTTLSeconds))
        try PushMessageRecord(
            subscription: subscription, person: person, topic: message.topic, urgency: message.urgency.rawValue,
            content: Data(message.content), createdAt: now, expiresAt: now + ttl * 1000
        ).insert(db)
        try db.execute(
            cached: """
                DELETE FROM push_message WHERE subscription = ? AND id NOT IN
                    (SELECT id FROM push_message WHERE subscription = ? ORDER BY id DESC LIMIT ?)
                """, arguments: [subscription, subscription, Self.mostWaiting])
    }

    /// Counts a test message.
    ///
    /// - Throws: a 429 problem for more than ``trialsAnHour``.
    public func takeTrial(account: String) throws(Problem) {
        let hour: Int64 = 3_600_000
        let now = clock.now()
        let wait = trials.withLock { trials -> Int64? in
            trials = trials.mapValues { $0.filter { now - $0 < hour && $0 <= now } }.filter { !$0.value.isEmpty }
            let recent = trials[account, default: []]
            guard recent.count < Self.trialsAnHour else {
                return hour - (now - (recent.first ?? now))
            }
            trials[account] = recent + [now]
            return nil
        }
        guard let wait else { return }
        let minutes = Int((wait + 59_999) / 60_000)
        throw Problem(
            .tooManyRequests, "Tried often enough",
            "Notifications were tried \(Self.trialsAnHour) times within an hour. Wait \(LocalizedText("\(minutes) minutes")), then try again.",
            retryAfter: Int((wait + 999) / 1_000))
    }

    /// Makes the service check the queue now.
    public func wake() { waking.yield() }

    // MARK: Who the hub is

    /// The public key that a page passes to `PushManager.subscribe`.
    public func publicKey() async throws -> String { try await vapid().publicKey }

    private func vapid() async throws -> VAPID {
        if let known = identity.withLock({ $0 }) { return known }
        let made = try await SettingsStore(database: database).vapid()
        identity.withLock { $0 = made }
        return made
    }

    /// The header that identifies the hub to a push service.
    func authorization(audience: String) async throws -> String {
        let now = clock.now() / 1000
        // Half an hour stays for a phone's push service whose clock is late, half a day for one whose clock is early.
        let known = tokens.withLock { $0[audience] }
        if let known, known.expires - now > 6 * 3_600, known.expires - now <= 12 * 3_600 { return known.text }
        let token = Token(
            text: try await vapid().authorization(audience: audience, subject: subject, expires: now + 12 * 3_600),
            expires: now + 12 * 3_600)
        tokens.withLock { $0[audience] = token }
        return token.text
    }

    /// Has pages load the state of a subscription again, once its change is durable.
    func publish(_ subscription: PushSubscriptionRecord, after db: Database) {
        let changed = LiveEvent.changed(companion: "hub", what: "push", id: subscription.id)
        live.publish(changed, household: subscription.household, after: db)
    }
}
