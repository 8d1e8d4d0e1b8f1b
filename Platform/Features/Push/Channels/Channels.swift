import Foundation
import GRDB
import HubKit
import Localization
import Logging
import Outbound
import Storage

/// The messages by channels that adults have chosen, such as ntfy, e-mail and webhooks: a queue in the database, as that of
/// messages to phones.
///
/// A message is stored when the call returns, and sent by `PushService` as soon as possible. It has the same id at each attempt,
/// and may arrive twice where the hub was stopped between the receiver's yes and its own note of it.
public final class Channels: Sendable {
    let database: HubDatabase
    let clock: HubClock
    let outbound: Outbound
    let live: LiveEvents
    let log: Logger
    /// A signal that the queue has grown.
    let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation

    /// The number of channels of a person, at most.
    public static let mostOfPerson = 5
    /// The number of messages that wait for one channel of a person, at most. Beyond it the oldest are dropped.
    static let mostWaiting = 50

    /// Creates the sender.
    init(database: HubDatabase, clock: HubClock, outbound: Outbound, live: LiveEvents, log: Logger) {
        self.database = database
        self.clock = clock
        self.outbound = outbound
        self.live = live
        self.log = log
        (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Makes the service check the queue now.
    func wake() { waking.yield() }

    /// Queues a message for every channel of a person, in the caller's transaction: in the language of the channel, or else of
    /// the household.
    ///
    /// - Parameters:
    ///   - topic: a later message of the same topic replaces one that still waits.
    ///   - ttlSeconds: the time after which it is of no use.
    ///   - notice: makes the words.
    public func enqueue(
        about person: String, topic: String?, ttlSeconds: Int, _ db: Database,
        notice: (Language) throws -> ChannelNotice
    ) throws {
        let channels = try ChannelRecord.fetchAll(
            db, cached: "SELECT * FROM channel WHERE person = ? AND is_confirmed", arguments: [person])
        for channel in channels {
            let content = try JSONEncoder().encode(notice(try Self.language(of: channel, db)))
            try enqueue(content, to: channel, about: person, topic: topic, ttlSeconds: ttlSeconds, db)
        }
    }

    /// Queues a message for one channel, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - identity: the message's id, by which its receiver knows it again; nil for a new one.
    ///   - most: the number of messages that wait for the channel, at most.
    func enqueue(
        _ content: Data, to channel: ChannelRecord, about person: String?, topic: String?, ttlSeconds: Int,
        identity: String = Secret.identifier(length: 20), most: Int = mostWaiting, _ db: Database
    ) throws {
        let now = clock.now()
        db.afterCommit { self.wake() }
        if let topic {
            try db.execute(
                cached: "DELETE FROM channel_message WHERE channel = ? AND topic = ?", arguments: [channel.id, topic])
        }
        try ChannelMessageRecord(
            channel: channel.id, identity: identity, person: person, topic: topic, content: content, createdAt: now,
            expiresAt: now + Int64(ttlSeconds) * 1_000
        ).insert(db)
        try db.execute(
            cached: """
                DELETE FROM channel_message WHERE channel = ? AND id NOT IN
                    (SELECT id FROM channel_message WHERE channel = ? ORDER BY id DESC LIMIT ?)
                """, arguments: [channel.id, channel.id, most])
    }

    /// The language of a channel's words.
    static func language(of channel: ChannelRecord, _ db: Database) throws -> Language {
        let tag =
            try channel.language
            ?? String.fetchOne(
                db, cached: "SELECT language FROM household WHERE id = ?", arguments: [channel.household])
        return tag.map { Language($0) } ?? .english
    }

    /// Has pages load a channel again, once its change is durable.
    func publish(_ channel: ChannelRecord, after db: Database) {
        let changed = LiveEvent.changed(companion: "hub", what: channel.kind.what, id: channel.id)
        live.publish(changed, household: channel.household, after: db)
    }
}

extension ChannelRecord.Kind {
    /// The name of what has changed, for pages.
    var what: String { self == .webhook ? "webhook" : "channel" }
}
