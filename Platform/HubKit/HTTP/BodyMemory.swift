import Synchronization

/// How many bytes of request bodies are in memory, over all connections and streams.
package final class BodyMemory: Sendable {
    private let limitBytes: Int
    private let held = Mutex(0)

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// In bytes.
    var heldBytes: Int { held.withLock { $0 } }

    /// Whether there is room for so many more, which are held from now on until `giveBack`.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limitBytes else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }
}
