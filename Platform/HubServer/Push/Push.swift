import Foundation
import GRDB
import HubKit
import Localization
import Logging
import Storage
import Synchronization

/// Messages to phones whose page is closed, by Web Push (RFC 8030): a queue in the database, and who is to get what.
///
/// What is given here is stored when the call returns, and sent by `PushService` as soon as it can be.
public final class Push: Sendable {
    let database: HubDatabase
    let clock: HubClock
    let outbound: Outbound
    let live: Live
    let log: Logger
    /// Where operators of push services may turn to.
    let subject: String
    /// Something may be due: yields whenever the queue has grown.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let identity = Mutex<VAPID?>(nil)
    /// A token for each push service, so that not every message needs a signature.
    private let tokens = Mutex<[String: Token]>([:])
    /// When each account tried in the last hour, UTC milliseconds.
    private let trials = Mutex<[String: [Int64]]>([:])

    /// The most phones of a household.
    public static let mostSubscriptions = 20
    /// How often an hour an account may try out whether notifications arrive. All of a household's calls have one limit,
    /// ``OutboundPolicy/callsAnHour``, of which most are to be left for what somebody has to be sent.
    static let trialsAnHour = 20
    /// The most messages that wait for one phone. Beyond it the oldest go.
    static let mostWaiting = 50
    /// The longest that a message may wait: four weeks, as push services keep theirs.
    static let longestTTLSeconds = 28 * 86_400

    private struct Token {
        var text: String
        var expires: Int64
    }

    init(
        database: HubDatabase, clock: HubClock, outbound: Outbound, live: Live, subject: String, log: Logger
    ) {
        self.database = database
        self.clock = clock
        self.outbound = outbound
        self.live = live
        self.subject = subject
        self.log = log
        (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Sending

    /// Gives a message to every phone that is subscribed to a person. Where nobody is, nothing happens.
    ///
    /// - Parameter person: whom it is about.
    public func send(_ message: PushMessage, to person: String) async {
        do {
            try await database.pool.write { db in try self.enqueue(message, about: person, db) }
            wake()
        } catch {
            log.error("a notification could not be kept", metadata: ["reason": "\(error)"])
        }
    }

    /// As `send`, in a transaction of the caller's; `wake()` is to follow it.
    public func enqueue(_ message: PushMessage, about person: String, _ db: Database) throws {
        try enqueue(about: person, db) { _ in message }
    }

    /// As `enqueue(_:about:_:)`, with a message in the language of each phone: as its page speaks, else the household's.
    public func enqueue(about person: String, _ db: Database, message: (Language) throws -> PushMessage) throws {
        let subscriptions = try Row.fetchAll(
            db,
            sql: """
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
        if let topic = message.topic {
            try db.execute(
                sql: "DELETE FROM push_message WHERE subscription = ? AND topic = ?", arguments: [subscription, topic])
        }
        let ttl = Int64(min(max(message.ttlSeconds, 0), Self.longestTTLSeconds))
        try PushMessageRecord(
            subscription: subscription, person: person, topic: message.topic, urgency: message.urgency.rawValue,
            content: Data(message.content), createdAt: now, expiresAt: now + ttl * 1000
        ).insert(db)
        try db.execute(
            sql: """
                DELETE FROM push_message WHERE subscription = ? AND id NOT IN
                    (SELECT id FROM push_message WHERE subscription = ? ORDER BY id DESC LIMIT ?)
                """, arguments: [subscription, subscription, Self.mostWaiting])
    }

    /// Counts a message that is only sent to see whether it arrives.
    ///
    /// - Throws: a 429 problem for more than ``trialsAnHour``.
    func takeTrial(account: String) throws(Problem) {
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

    /// Lets the service look at the queue now.
    public func wake() { waking.yield() }

    // MARK: Who the hub is

    /// What a page gives to `PushManager.subscribe`.
    public func publicKey() async throws -> String { try await vapid().publicKey }

    private func vapid() async throws -> VAPID {
        if let known = identity.withLock({ $0 }) { return known }
        let made = try await SettingsStore(database: database).vapid()
        identity.withLock { $0 = made }
        return made
    }

    /// The header that tells a push service who sends.
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

    func tell(_ subscription: PushSubscriptionRecord) {
        live.tell(.changed(companion: "hub", what: "push", id: subscription.id), household: subscription.household)
    }
}
