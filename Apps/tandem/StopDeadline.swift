import Foundation
import Logging
import ServiceLifecycle

/// Ends the process when a stop takes too long, whatever holds it up: everything acknowledged is stored by then, and
/// what is not will be sent again. On a thread of its own, which nothing else can keep busy.
struct StopDeadline: Service {
    /// From the signal; longer than all parts of the hub may take together.
    private static let seconds = 6.0

    let log: Logger

    func run() async throws {
        try? await gracefulShutdown()
        let log = log
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Self.seconds)
            log.error("the hub did not stop in time and was ended; nothing that was acknowledged is lost")
            _exit(1)
        }
    }
}
