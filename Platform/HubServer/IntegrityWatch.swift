import GRDB
import HubKit
import NIOPosix
import ServiceLifecycle
import Storage

/// A service that reads the whole database once after a start, table by table, and says where it is damaged: else that is
/// found only when somebody asks for what is in that place, which may be months later, with all good backups rotated away.
public struct IntegrityWatch: Service {
    /// The time for which a start has the disk for itself.
    private static let pause = Duration.seconds(5)

    private let hub: HubContext

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// Looks once, and waits for graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            await look()
            // A service that ends would end the hub.
            try? await Task.sleep(for: .seconds(Int64(Int32.max)))
        }
    }

    /// Reads every table, on a thread that may wait for the disk.
    func look() async {
        let hub = hub
        let reading = DamageSearch(path: hub.database.path)
        let damaged = await withTaskCancellationHandler {
            try? await NIOThreadPool.singleton.runIfActive { try reading.damagedTables() }
        } onCancel: {
            reading.stop()
        }
        guard let damaged, !damaged.isEmpty else { return }
        hub.log.error(
            "a part of the database is damaged: make a copy of the hub’s folder, then put a backup back (tandem restore)",
            metadata: ["tables": "\(damaged.sorted().joined(separator: ", "))"])
        hub.storage.failed(DatabaseError(resultCode: .SQLITE_CORRUPT))
    }
}
