import Foundation
import HubKit
import Logging
import ServiceLifecycle

/// Ends the process when a stop takes too long, whatever holds it up: everything acknowledged is stored by then, and
/// what is not will be sent again. On a thread of its own, which nothing else can keep busy.
public struct StopDeadline: Service {
    private let seconds: Double
    private let log: Logger
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - seconds: from the signal; longer than all parts of the hub may take together.
    ///   - end: ends the process; another in tests only.
    public init(seconds: Double = 6, log: Logger, end: @escaping @Sendable () -> Void = { _exit(1) }) {
        self.seconds = seconds
        self.log = log
        self.end = end
    }

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
