import HubKit
import MQTT
import NIOCore
import Readings
import Storage

/// The hub behind the MQTT listener, on the listener's event loop: whom it lets in and what they may say and hear.
public final class HubBrokerDelegate: BrokerDelegate {
    /// The handler of one connection.
    public typealias Handler = HubMessageHandler

    private static let refreshInterval = TimeAmount.seconds(5)
    private static let subscriptionTime = TimeAmount.seconds(1)

    let context: DeviceContext
    let loop: any EventLoop
    let directory: DeviceDirectory
    let ingest: MessageIngest
    private let foreign: any ForeignMessages
    let boards: any BoardMessages
    private let slugs: Set<Substring>
    private let authenticator: ClientAuthenticator

    var hub: HubContext { context.hub }
    /// The batch writer that collects and commits everything received.
    public var batchWriter: BatchWriter { ingest.batchWriter }

    /// Creates the delegate.
    ///
    /// - Parameters:
    ///   - context: the hub with its companions.
    ///   - loop: the listener's event loop, on which every call to this object is made.
    ///   - foreign: what understands messages on topics that are not below a device's own.
    ///   - boards: what devices speak with about their firmware.
    public init(
        context: DeviceContext, loop: any EventLoop, foreign: (any ForeignMessages)? = nil,
        boards: (any BoardMessages)? = nil
    ) throws {
        self.context = context
        self.foreign = foreign ?? NoForeignMessages()
        self.boards = boards ?? NoBoardMessages()
        slugs = Set(context.companions.map { Substring(type(of: $0).slug) } + ["hub"])
        self.loop = loop
        ingest = try MessageIngest(context: context, loop: loop, foreign: self.foreign)
        directory = try DeviceDirectory(context: context, loop: loop)
        authenticator = ClientAuthenticator(context: context, directory: directory, loop: loop)
    }

    /// Authenticates a client.
    public func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication> {
        guard !foreign.isOwnClient(attempt.clientID) else {
            return loop.makeSucceededFuture(.refused(.notAuthorized))
        }
        return authenticator.authenticate(attempt)
    }

    /// Makes the handler for an authenticated connection.
    public func handler(for principal: Principal, clientID: String) -> HubMessageHandler {
        if case .device(let id) = principal {
            context.devices.opened(id)
            opened(id)
        }
        return handlerOfAbsent(principal, clientID: clientID)
    }

    /// Makes the handler for the will of an absent client.
    public func handlerOfAbsent(_ principal: Principal, clientID: String) -> HubMessageHandler {
        switch principal {
        case .device(let id): return HubMessageHandler(self, .device(directory.device(id), id: id))
        case .integration(let id): return HubMessageHandler(self, .integration(directory.integration(id)))
        case .legacy(let connection):
            let handlers = context.legacy.compactMap { companion, legacy in
                companion.legacyHandler(connection: connection, transactions: batchWriter).map {
                    (
                        topics: legacy.topics.filter { $0.direction == .request }.map { ByteBuffer(string: $0.name) },
                        handler: $0
                    )
                }
            }
            return HubMessageHandler(self, .legacy(handlers))
        case .open, .hub: return HubMessageHandler(self, .open)
        }
    }

    /// Whether a principal has access to a topic.
    public func allows(_ principal: Principal, _ access: TopicAccess, topic: String) -> Bool {
        switch principal {
        case .device(let id): directory.device(id) != nil && hub.policy.allowsDevice(id, topic: topic)
        case .integration(let id):
            directory.integration(id).map { hub.policy.allowsIntegration(grants: $0.grants, topic: topic) } ?? false
        case .legacy: hub.policy.allowsLegacy(access, topic: topic, of: context.legacy.map(\.protocol))
        // The one topic by which Eclipse Paho's conformance suites test that a subscription is refused.
        case .open: access != .subscribe || topic != "test/nosubscribe"
        case .hub: true
        }
    }

    /// Marks a device as receiving its page's messages once it has subscribed to them.
    func subscribed(_ device: KnownDevice, to filter: TopicFilter) {
        guard let command = device.command, filter.covers(command) else { return }
        context.channels.set(device.record.id, isListening: true)
    }

    /// Marks a device that has connected as not receiving its page's messages until it subscribes; after a while it
    /// counts as subscribed, since a stored subscription is not repeated.
    private func opened(_ id: String) {
        guard directory.device(id)?.command != nil else { return }
        context.channels.set(id, isListening: false)
        let (devices, channels) = (context.devices, context.channels)
        loop.scheduleTask(in: Self.subscriptionTime) {
            if devices.isConnected(id) { channels.set(id, isListening: true) }
        }
    }

    /// Says on a device's page that two share its token, where connections with it drive each other out.
    public func gaveWay(_ principal: Principal) {
        guard case .device(let id) = principal, let device = directory.device(id) else { return }
        ingest.gaveWay(device)
    }

    // MARK: Foreign messages

    /// Whether a level below `tandem/` is a companion's, or the hub's own, rather than a device's.
    func isOfCompanion(_ level: Substring) -> Bool { slugs.contains(level) }

    /// Understands a message on a topic that is not below a device's own, and takes what it measures into the batch.
    ///
    /// - Returns: whether it is understood, and whether anything of it is to be stored.
    @discardableResult
    public func takeForeign(_ message: ForeignMessage) -> (isUnderstood: Bool, stores: Bool) {
        let meaning = foreign.understand(message)
        for value in meaning.values { take(value, topic: message.topic, household: message.household) }
        return (meaning.isUnderstood, !meaning.values.isEmpty)
    }

    /// Takes what a device of the household measured into the batch, as if it had sent it itself.
    public func take(_ value: ForeignMeaning.Value, topic: String, household: String) {
        guard let device = directory.device(value.device, ofHousehold: household) else { return }
        let (now, readings) = (hub.clock.now(), ReadingCollector())
        do throws(BadMessage) {
            try device.decoder.decode(
                tail: ByteBuffer(string: value.quantity), payload: value.payload, into: readings)
        } catch {
            ingest.report(error, topic: ByteBuffer(string: topic), of: device, now: now)
        }
        if let work = value.work { readings.perform(work) }
        ingest.store(readings, of: device, now: now)
    }

    // MARK: The batch

    /// Commits everything so far, then calls `waiter`.
    public func commit(for waiter: any Acknowledger) { batchWriter.commit(for: waiter) }
    /// Whether there is room to read on.
    public func hasRoom(resume: @escaping () -> Void) -> Bool { batchWriter.hasRoom(resume: resume) }

    /// The current time, in UTC milliseconds.
    public func now() -> Int64 { hub.clock.now() }

    /// Adds a change to the batch.
    public func record(_ change: StoredChange) { batchWriter.record(change) }

    /// The changes that were stored before the hub last stopped.
    public func restore() throws -> [StoredChange] {
        let changes = try hub.database.pool.write { db in
            try MQTTSessionTables.forgetRemoved(db)
            return try MQTTSessionTables.all(db)
        }
        // What was announced before, and is kept for whoever asks, is known again.
        for case .retained(let message, _) in changes {
            guard case .integration(let id) = message.publisher, let known = directory.integration(id) else { continue }
            _ = foreign.understand(
                ForeignMessage(
                    topic: message.topic, payload: ByteBuffer(bytes: message.payload), isRetained: true,
                    sender: .integration(id), household: known.household))
        }
        return changes
    }

    /// Connects the hub's sender of messages with the listener.
    public func attach(_ outlet: any MessageOutlet) {
        let directory = NIOLoopBound(directory, eventLoop: loop)
        hub.messages.attach(
            outlet, loop: loop, forget: { device in directory.value.forget(device) },
            revoke: { device in directory.value.revoke(device) })
        let bound = NIOLoopBound(outlet, eventLoop: loop)
        loop.scheduleRepeatedTask(initialDelay: Self.refreshInterval, delay: Self.refreshInterval) { _ in
            directory.value.refresh(bound.value)
        }
    }
}
