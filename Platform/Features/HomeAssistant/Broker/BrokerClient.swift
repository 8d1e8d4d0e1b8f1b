import Devices
import Foundation
import HubKit
import Logging
import MQTT
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TLS

/// The hub as a client of the broker of the house, such as the Mosquitto beside Home Assistant: it signs in, comes back after
/// growing pauses, hears what it was granted and says what it announces.
public final class BrokerClient: Sendable {
    /// How it stands with the broker, for the page.
    enum Status: Sendable, Equatable {
        case off
        case connecting
        /// Since when, UTC milliseconds.
        case connected(since: Int64)
        /// Not connected, with the reason in words, and since when.
        case failed(BrokerFault, since: Int64)
    }

    private struct State {
        var status = Status.off
        var connection: NIOLoopBound<BrokerConnection>?
        var wanted: Set<String> = []
        var attempts = 0
        var clientID = ""
        var isItself = false
        var isLeaving = false
        var wasConnected = false
    }

    /// Where messages are taken into the hub's batches.
    private struct Way: Sendable {
        var loop: any EventLoop
        var delegate: NIOLoopBound<HubBrokerDelegate>
    }

    private let hub: HubContext
    private let way = Mutex<Way?>(nil)
    private let state = Mutex(State())
    /// Called after the hub was let in.
    private let onConnected: Mutex<@Sendable () -> Void> = Mutex({})

    private static let connectTime = TimeAmount.seconds(10)
    private static let longestPause = 60

    init(hub: HubContext) { self.hub = hub }

    /// Sets where messages are taken into the hub's batches: on the event loop of its listener.
    public func attach(loop: any EventLoop, delegate: NIOLoopBound<HubBrokerDelegate>) {
        way.withLock { $0 = Way(loop: loop, delegate: delegate) }
    }

    private func onLoop(_ body: @escaping @Sendable (HubBrokerDelegate) -> Void) {
        guard let way = way.withLock({ $0 }) else { return }
        way.loop.execute { body(way.delegate.value) }
    }

    /// How it stands.
    var status: Status { state.withLock { $0.status } }

    /// Whether the broker has let the hub in.
    var isConnected: Bool {
        if case .connected = status { true } else { false }
    }

    /// Sets what is called each time the hub was let in.
    func whenConnected(_ body: @escaping @Sendable () -> Void) { onConnected.withLock { $0 = body } }

    /// Publishes a retained message; dropped while there is no connection, after which everything is said anew.
    func publish(topic: String, payload: [UInt8], retain: Bool = true) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        onLoop { _ in connection.value.publish(topic: topic, payload: payload, retain: retain) }
    }

    /// Takes what a device of the household measured, as if it came now.
    func take(_ values: [ForeignMeaning.Value], topic: String, household: String) {
        onLoop { delegate in for value in values { delegate.take(value, topic: topic, household: household) } }
    }

    /// Says what the hub wants to hear besides.
    func subscribe(adding topics: Set<String>) {
        let connection = state.withLock { state in
            state.wanted.formUnion(topics)
            return state.connection
        }
        guard let connection else { return }
        onLoop { _ in connection.value.subscribe(adding: topics) }
    }

    /// Says what the hub wants to hear.
    func subscribe(to topics: Set<String>) {
        let connection = state.withLock { state in
            state.wanted = topics
            return state.connection
        }
        guard let connection else { return }
        onLoop { _ in connection.value.subscribe(to: topics) }
    }

    /// Whether a client's id is that with which the hub itself connects now: then it has found itself.
    func isItself(_ clientID: String) -> Bool {
        state.withLock { state in
            if case .connected = state.status { return false }
            guard !clientID.isEmpty, state.clientID == clientID else { return false }
            state.isItself = true
            return true
        }
    }

    /// Stays connected to a broker until it is cancelled.
    ///
    /// - Parameter isNew: whether it was chosen in this run of the hub: a session of before is ended then.
    func run(_ settings: BrokerSettings, household: String, will: Will, isNew: Bool) async {
        set(.connecting)
        state.withLock { $0.attempts = 0 }
        var isClean = isNew
        while !Task.isCancelled {
            let fault = await connect(settings, household: household, will: will, isClean: isClean)
            if Task.isCancelled { break }
            let (attempts, wasConnected) = state.withLock { state in
                defer { state.wasConnected = false }
                state.attempts += 1
                return (state.attempts, state.wasConnected)
            }
            if wasConnected { isClean = false }
            set(.failed(fault, since: hub.clock.now()))
            if attempts == 1 || attempts == 10 {
                hub.log.warning(
                    "no connection to the broker of the house; trying again", metadata: ["reason": "\(fault.log)"])
            }
            // Twice as long each time, and never all hubs at once.
            let pause = min(1 << min(attempts - 1, 6), Self.longestPause)
            try? await Task.sleep(for: .milliseconds(pause * Int.random(in: 750...1_250)))
        }
        set(.off)
    }

    /// Takes back all that was announced, before the broker is left for good.
    func leave(_ topics: Set<String>) {
        state.withLock { $0.isLeaving = true }
        for topic in topics.sorted() { publish(topic: topic, payload: []) }
    }

    private func set(_ status: Status) {
        state.withLock { state in
            // Since when it fails, not how often.
            if case .failed(let old, _) = state.status, case .failed(let new, _) = status, old == new { return }
            state.status = status
        }
    }

    /// Connects, and returns with the reason once that is over.
    private func connect(_ settings: BrokerSettings, household: String, will: Will, isClean: Bool) async -> BrokerFault
    {
        let (events, teller) = AsyncStream.makeStream(of: BrokerConnection.Event.self)
        guard let way = way.withLock({ $0 }) else { return .unreachable }
        state.withLock { state in
            state.clientID = "tandem-\(household)"
            state.isItself = false
        }
        defer { state.withLock { $0.clientID = "" } }
        let opened = way.loop.makePromise(of: NIOLoopBound<BrokerConnection>.self)
        let isGivenUp = NIOLockedValueBox(false)
        let connections = NIOLockedValueBox<[ObjectIdentifier: NIOLoopBound<BrokerConnection>]>([:])
        do {
            let tls = try settings.trust()
            ClientBootstrap(group: way.loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connectTimeout(Self.connectTime)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let connection = BrokerConnection(
                            settings, delegate: way.delegate.value, household: household, will: will, isClean: isClean
                        ) { teller.yield($0) }
                        if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
                        try channel.pipeline.syncOperations.addHandler(connection)
                        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
                        connections.withLockedValue { $0[ObjectIdentifier(channel)] = bound }
                    }
                }
                .connect(host: settings.host, port: settings.port)
                .flatMapThrowing { channel in
                    // Of two addresses of a name the handler is that of the one that was reached first; it may be over already.
                    guard let connection = connections.withLockedValue({ $0[ObjectIdentifier(channel)] }) else {
                        throw BrokerFault.unreachable
                    }
                    return connection
                }.whenComplete { result in
                    // Not waited for any more: it says good-bye at once.
                    if isGivenUp.withLockedValue({ $0 }), case .success(let connection) = result {
                        connection.value.close(isLeaving: false)
                    }
                    opened.completeWith(result)
                }
        } catch {
            opened.fail(error)
        }
        return await withTaskCancellationHandler {
            let connection: NIOLoopBound<BrokerConnection>
            do {
                connection = try await opened.futureResult.get()
            } catch {
                return BrokerFault(error, settings)
            }
            state.withLock { $0.connection = connection }
            defer { state.withLock { $0.connection = nil } }
            return await follow(events, settings)
        } onCancel: {
            isGivenUp.withLockedValue { $0 = true }
            opened.fail(CancellationError())
            close()
            teller.finish()
        }
    }

    private func close() {
        let (connection, isLeaving) = state.withLock { state in
            defer { state.isLeaving = false }
            return (state.connection, state.isLeaving)
        }
        if let connection { onLoop { _ in connection.value.close(isLeaving: isLeaving) } }
    }

    /// Follows what becomes of a connection, and returns with the reason of its end.
    private func follow(_ events: AsyncStream<BrokerConnection.Event>, _ settings: BrokerSettings) async -> BrokerFault
    {
        for await event in events {
            switch event {
            case .connected:
                let (connection, wanted) = state.withLock { state in
                    state.status = .connected(since: hub.clock.now())
                    state.attempts = 0
                    state.wasConnected = true
                    return (state.connection, state.wanted)
                }
                hub.log.info("connected to the broker of the house", metadata: ["broker": "\(settings.url)"])
                if let connection { onLoop { _ in connection.value.subscribe(to: wanted) } }
                onConnected.withLock { $0 }()
            case .denied:
                hub.log.notice("the broker of the house denies a subscription; what is said there is not heard")
            case .refused(let reason): return state.withLock { $0.isItself } ? .itself : .refused(reason)
            case .untrusted: return .untrusted
            case .ended(let reason): return .ended(reason)
            }
        }
        return .ended("stopped")
    }
}

/// The reason why there is no connection to the broker.
enum BrokerFault: Error, Sendable, Equatable {
    case unreachable
    case refused(ReasonCode)
    case untrusted
    case ended(String)
    /// The address is the hub's own.
    case itself

    init(_ error: any Error, _ settings: BrokerSettings) {
        switch error {
        case is ServerTrust.Fault, is NIOSSLError, is BoringSSLError: self = .untrusted
        default: self = .unreachable
        }
    }

    /// The words for the log.
    var log: String {
        switch self {
        case .unreachable: "it cannot be reached"
        case .refused(let reason): "it refuses the hub: \(reason)"
        case .untrusted: "its certificate is not trusted"
        case .ended(let reason): reason
        case .itself: "it is this hub itself"
        }
    }
}
