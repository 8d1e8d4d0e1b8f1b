import Logging
import MQTT
import MQTTServer
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestInstruments

/// A listener on a port of its own, and the host behind it.
struct RunningListener: Sendable {
    let port: Int
    let loop: any EventLoop
    let log: RecordedLog
    let listener: MQTTListener<RecordingHost>
    let trigger: GracefulShutdownTrigger
    private let host: NIOLoopBound<RecordingHost>

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
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let log = RecordedLog()
        let host = try await loop.submit {
            let host = RecordingHost(loop)
            host.stored = stored
            return NIOLoopBound(host, eventLoop: loop)
        }.get()
        var configuration = ListenerConfiguration(
            endpoints: [.init(port: 0, allowsAnonymous: allowsAnonymous)], limits: limits)
        configuration.isShared = { _ in isShared }
        let listener = MQTTListener(configuration: configuration, loop: loop, host: host, logger: log.logger)
        try await listener.start()
        let group = ServiceGroup(services: [listener], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let running = RunningListener(
                port: listener.port ?? 0, loop: loop, log: log, listener: listener,
                trigger: GracefulShutdownTrigger { await group.triggerGracefulShutdown() }, host: host)
            do {
                let result = try await body(running)
                try await running.onLoop { host in
                    host.holdsCommits = false
                    host.finishCommits()
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

    /// Looks at the host, or changes it, where it lives.
    @discardableResult
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (RecordingHost) throws -> Result) async throws -> Result {
        try await loop.submit { try body(host.value) }.get()
    }

    /// Waits until the host is as wanted. Ends with the test's time limit.
    ///
    /// It looks again after a millisecond and not at once, since tests that all wait would leave the loop nothing else to do.
    func until(_ condition: @escaping @Sendable (RecordingHost) -> Bool) async throws {
        while try await !loop.scheduleTask(in: .milliseconds(1), { condition(host.value) }).futureResult.get() {}
    }

    func publish(_ topic: String, _ payload: String, _ quality: QualityOfService = .atMostOnce, retain: Bool = false)
        async throws
    {
        try await onLoop { host in
            host.outlet?.publish(
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
