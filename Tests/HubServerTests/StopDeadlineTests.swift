import HubKit
import HubServer
import Logging
import ServiceLifecycle
import Testing

@Suite("A stop that does not end")
struct StopDeadlineTests {
    /// A part of the hub that goes on until somebody else lets it go, whatever it is asked.
    private struct Stuck: Service {
        let released: AsyncStream<Void>
        let started: @Sendable () -> Void

        func run() async throws {
            started()
            // Not cancelled, as what waits for a lock or a disk is not.
            await Task.detached { for await _ in released { return } }.value
        }
    }

    @Test("The process is ended when a part of the hub does not stop in time")
    func ended() async throws {
        let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (released, release) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let group = ServiceGroup(
            services: [
                Stuck(released: released) { begin.yield() },
                StopDeadline(seconds: 0.05, log: log) { end.yield() },
            ], logger: log)
        let running = Task { try await group.run() }
        for await _ in begun { break }
        await group.triggerGracefulShutdown()
        for await _ in ended { break }
        release.yield()
        try await running.value
    }
}
