import Logging
import MQTT
import MQTTServer
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestInstruments

/// A listener on a port of its own, and the delegate behind it.
struct RunningListener: Sendable {
    let port: Int
    let loop: any EventLoop
    let log: RecordedLog
    let listener: MQTTListener<RecordingDelegate>
    let trigger: GracefulShutdownTrigger
    private let delegate: NIOLoopBound<RecordingDelegate>

    /// The listener's own, with time for a client of a test that shares its processor with a thousand others.
    static var unhurried: Limits {
        var limits = Limits()
        limits.connectTime = .seconds(120)
        return limits
    }

    /// Runs `body` with a listener, then shuts it down.
    static func with<Result>(
        limits: Limits = unhurried, stored: [StoredChange] = [], allowsAnonymous: Bool = false, isShared: Bool = false,
        _ body: (RunningListener) async throws -> Result
    ) async throws -> Result {
        // One of its own, as in the hub: on a shared one the turns of two listeners leave no moment to look at the network.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let result = try await with(
                limits: limits, stored: stored, allowsAnonymous: allowsAnonymous, isShared: isShared,
                on: group.next(), body)
            try await group.shutdownGracefully()
            return result
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }

    private static func with<Result>(
        limits: Limits, stored: [StoredChange], allowsAnonymous: Bool, isShared: Bool, on loop: any EventLoop,
        _ body: (RunningListener) async throws -> Result
    ) async throws -> Result {
        let log = RecordedLog()
        let delegate = try await loop.submit {
            let delegate = RecordingDelegate(loop)
            delegate.stored = stored
            return NIOLoopBound(delegate, eventLoop: loop)
        }.get()
        var configuration = ListenerConfiguration(
            endpoints: [.init(port: 0, allowsAnonymous: allowsAnonymous)], limits: limits)
        configuration.isShared = { _ in isShared }
        let listener = MQTTListener(configuration: configuration, loop: loop, delegate: delegate, logger: log.logger)
        try await listener.start()
        let group = ServiceGroup(services: [listener], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let running = RunningListener(
                port: listener.port ?? 0, loop: loop, log: log, listener: listener,
                trigger: GracefulShutdownTrigger { await group.triggerGracefulShutdown() }, delegate: delegate)
            do {
                let result = try await body(running)
                try await running.onLoop { delegate in
                    delegate.holdsCommits = false
                    delegate.finishCommits()
                }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return result
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    /// Looks at the delegate, or changes it, where it lives.
    @discardableResult
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (RecordingDelegate) throws -> Result) async throws -> Result {
        try await loop.submit { try body(delegate.value) }.get()
    }

    /// Waits until the delegate is as wanted. Ends with the test's time limit.
    ///
    /// It looks again after a millisecond and not at once, since tests that all wait would leave the loop nothing else to do.
    func until(_ condition: @escaping @Sendable (RecordingDelegate) -> Bool) async throws {
        while try await !loop.scheduleTask(in: .milliseconds(1), { condition(delegate.value) }).futureResult.get() {}
    }

    func publish(_ topic: String, _ payload: String, _ quality: QualityOfService = .atMostOnce, retain: Bool = false)
        async throws
    {
        try await onLoop { delegate in
            delegate.outlet?.publish(
                topic: topic, payload: ByteBuffer(string: payload), qualityOfService: quality, retain: retain)
        }
    }

    var statistics: ListenerStatistics {
        get async throws { try await onLoop { $0.outlet?.statistics ?? ListenerStatistics() } }
    }
}

/// Starts the graceful shutdown of the listener under test.
struct GracefulShutdownTrigger: Sendable {
    private let body: @Sendable () async -> Void
    init(_ body: @escaping @Sendable () async -> Void) { self.body = body }
    func callAsFunction() async { await body() }
}
