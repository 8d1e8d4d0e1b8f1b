import Foundation
import Synchronization

/// Held while a process is launched.
private let launching = Mutex(())

extension Process {
    /// Launches it, with no other being launched: Foundation on Linux has crashed in `run` where two threads were in it.
    public func launchAlone() throws { try launching.withLock { _ in try run() } }
}
