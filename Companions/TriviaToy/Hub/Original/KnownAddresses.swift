import Synchronization

/// The addresses from which a number was named that is somebody's, a bounded number of them.
final class KnownAddresses: Sendable {
    private let most: Int
    private let addresses = Mutex<Set<String>>([])

    init(most: Int) { self.most = most }

    func contains(_ address: String) -> Bool { addresses.withLock { $0.contains(address) } }

    /// Adds an address. Beyond the most it takes the place of another, which is asked for a right number again.
    func add(_ address: String) {
        addresses.withLock {
            if $0.count >= most { _ = $0.popFirst() }
            $0.insert(address)
        }
    }
}
