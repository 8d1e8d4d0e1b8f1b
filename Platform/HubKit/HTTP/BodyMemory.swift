import Synchronization

/// The memory that is used by the bodies of requests, over all connections, with its limit.
package final class BodyMemory: Sendable {
    private let limitBytes: Int
    private let held = Mutex(0)

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// The memory in use, in bytes.
    var heldBytes: Int { held.withLock { $0 } }

    /// Reserves memory, until `giveBack` is called.
    ///
    /// - Returns: false if there is not as much left.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limitBytes else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }
}
