import HubKit
import ServiceLifecycle

/// A service that keeps the hub's mark in its data folder, and ends the hub where another one has come in all the same:
/// two that write into one database lose what both have confirmed.
public struct FolderOwner: Service {
    private let lock: DataFolder.Lock
    private let folder: String

    /// Creates the service.
    public init(lock: DataFolder.Lock, folder: String) { (self.lock, self.folder) = (lock, folder) }

    /// The error that ends the hub.
    public struct TakenOver: Error, CustomStringConvertible {
        let folder: String

        public var description: String {
            "Another hub has taken \(folder) over while this one was running, so this one ends. The locks of that disk keep nobody out: copy the folder to a disk of this machine, and start one hub with --data there."
        }
    }

    /// Looks until graceful shutdown.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: DataFolder.Lock.beatPause)) != nil {
                guard lock.isOurs else { throw TakenOver(folder: folder) }
                // On a disk of its own nobody else looks.
                if lock.isWatched { lock.beat() }
            }
        }
    }
}
