import Foundation
import GRDB
import HubKit
import Localization
import NIOCore
import Outbound
import Storage
import Synchronization

/// The webhooks of a household: addresses of other programs to which chosen events of the companions are sent, such as that somebody
/// has brushed.
///
/// The events are those that companions declare for Home Assistant (`EntityTrigger`). What is about a person is sent where an
/// adult has chosen the person, and has in it what the event has.
public final class Webhooks: Sendable {
    let hub: HubContext
    let channels: Channels
    private let companions: [any Companion]
    private let state = Mutex(State())
    /// The companions' messages, to be looked at.
    let messages: AsyncStream<Message>
    private let messenger: AsyncStream<Message>.Continuation

    /// The number of webhooks of a household, at most.
    public static let most = 10
    /// The number of events that wait for one webhook, at most. Beyond it the oldest are dropped.
    static let mostWaiting = 1_000
    /// The time for which an event is sent to a receiver that does not take it: three days, in seconds.
    static let ttlSeconds = 3 * 86_400
    /// The size of an event that is sent, at most, in bytes.
    private static let longestEvent = 16_384
    /// The time for which the events that companions declare are remembered, in milliseconds.
    private static let remembered: Int64 = 60_000

    /// A message of a companion's.
    struct Message: Sendable {
        var topic: String
        var payload: [UInt8]
    }

    /// The event that a message is.
    struct Event: Sendable, Equatable {
        var companion, event, owner: String
        /// The id of the person it is about; nil for a thing.
        var person: String?
        var title: LocalizedText
    }

    private struct State {
        /// Whether there is any webhook: without one nothing is looked at.
        var isWanted = false
        var events: [String: Event] = [:]
        /// The time at which the events were asked for, in UTC milliseconds; nil if they are to be asked for again.
        var askedAt: Int64?
    }

    /// Creates the webhooks.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - companions: the companions, whose events are sent.
    ///   - push: sends them.
    public init(hub: HubContext, companions: [any Companion], push: Push) {
        self.hub = hub
        self.companions = companions
        channels = push.channels
        // What comes faster is dropped: nobody brushes so often.
        (messages, messenger) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingOldest(256))
    }

    /// Adds the routes.
    public func addRoutes(to routes: Routes) { WebhookRoutes(webhooks: self).add(to: routes) }

    /// Listens to the companions' messages from now on.
    func listen() async throws {
        try await look()
        hub.messages.observe { [weak self] topic, payload in
            guard let self, self.state.withLock({ $0.isWanted }), payload.readableBytes <= Self.longestEvent else {
                return
            }
            self.messenger.yield(Message(topic: topic, payload: Array(payload.readableBytesView)))
        }
    }

    /// Looks whether there is any webhook.
    func look() async throws {
        let isWanted = try await hub.database.pool.read { db in
            try Bool.fetchOne(db, cached: "SELECT EXISTS(SELECT 1 FROM channel WHERE kind = 'webhook')") ?? false
        }
        state.withLock { $0.isWanted = isWanted }
    }

    /// Forgets the events that companions have declared: something has changed.
    func forget() { state.withLock { $0.askedAt = nil } }

    /// The events that companions declare now, by the topics of their messages.
    func events(household: String) async throws -> [String: Event] {
        let now = hub.clock.now()
        let known = state.withLock { state in
            state.askedAt.map { now - $0 < Self.remembered && $0 <= now } ?? false ? state.events : nil
        }
        if let known { return known }
        // Before they are asked: what changes meanwhile is asked for again.
        state.withLock { $0.askedAt = now }
        var events: [String: Event] = [:]
        for companion in companions {
            for entity in try await companion.entities(household: household) {
                guard case .trigger(let trigger) = entity.kind else { continue }
                events[trigger.topic] = Event(
                    companion: type(of: companion).slug, event: trigger.event, owner: entity.owner.id,
                    person: entity.owner.person, title: entity.title)
            }
        }
        state.withLock { $0.events = events }
        return events
    }

    /// Queues a message for the webhooks that it is sent to. It is durable when this returns.
    func take(_ message: Message) async throws {
        guard let household = try await hub.household(),
            let event = try await events(household: household.id)[message.topic]
        else { return }
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            let webhooks = try ChannelRecord.fetchAll(
                db,
                cached: """
                    SELECT channel.* FROM channel JOIN channel_event ON channel_event.channel = channel.id
                    WHERE household = ? AND kind = 'webhook' AND companion = ? AND event = ?
                    """, arguments: [household.id, event.companion, event.event])
            for channel in webhooks {
                if let person = event.person {
                    let isChosen = try Bool.fetchOne(
                        db,
                        cached: "SELECT EXISTS(SELECT 1 FROM channel_subject WHERE channel = ? AND person = ?)",
                        arguments: [channel.id, person])
                    guard isChosen ?? false else { continue }
                }
                let identity = Secret.identifier(length: 20)
                let content = try Self.content(
                    identity: identity, event: event.event, companion: event.companion, owner: event.owner, at: now,
                    data: message.payload)
                try self.channels.enqueue(
                    content, to: channel, about: event.person, topic: nil, ttlSeconds: Self.ttlSeconds,
                    identity: identity, most: Self.mostWaiting, db)
            }
        }
    }

    /// The body of a message: which event of whose, when, and what the companion says of it.
    static func content(
        identity: String, event: String, companion: String?, owner: String?, at: Int64, data: [UInt8]
    ) throws -> Data {
        var body: [String: Any] = ["id": identity, "event": event, "at": at]
        body["companion"] = companion
        body["owner"] = owner
        if !data.isEmpty {
            body["data"] =
                (try? JSONSerialization.jsonObject(with: Data(data), options: .fragmentsAllowed))
                ?? String(decoding: data, as: UTF8.self).withoutUnseenCharacters
        }
        return try JSONSerialization.data(withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes])
    }
}
