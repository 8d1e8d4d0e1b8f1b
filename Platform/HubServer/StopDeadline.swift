import Foundation
import HubKit
import Logging
import ServiceLifecycle

/// A service that ends the process when stopping takes too long: everything acknowledged is stored by then, and the
/// rest will be sent again. It uses a thread of its own, which nothing else can block.
public struct StopDeadline: Service {
    private let seconds: Double
    private let log: Logger
    private let end: @Sendable () -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - seconds: the time from the signal; longer than all parts of the hub may take together.
    ///   - log: the log.
    ///   - end: ends the process; tests replace it.
    public init(seconds: Double = 6, log: Logger, end: @escaping @Sendable () -> Void = { _exit(1) }) {
        self.seconds = seconds
        self.log = log
        self.end = end
    }

    /// Waits for graceful shutdown, and then starts the deadline.
    public func run() async throws {
        try? await gracefulShutdown()
        let (seconds, log, end) = (seconds, log, end)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: seconds)
            log.error("the hub did not stop in time and was ended; nothing that was acknowledged is lost")
            end()
        }
    }
}
