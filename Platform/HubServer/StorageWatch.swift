import GRDB
import HubKit
import ServiceLifecycle
import Storage

/// Tells open pages when the hub can store nothing, and when it can again, and tries until it can: nobody has to start
/// anything anew when the disk has room.
public struct StorageWatch: Service {
    /// Between two tries, while nothing can be stored.
    static let pause = Duration.seconds(5)

    private let hub: Hub

    public init(hub: Hub) { self.hub = hub }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in hub.storage.changes {
                let fault = hub.storage.fault
                if fault == .damaged {
                    hub.log.error("a part of the database is damaged")
                } else if let fault {
                    hub.log.error("nothing can be stored", metadata: ["fault": "\(fault.rawValue)"])
                } else {
                    hub.log.notice("the hub stores again")
                }
                if let household = try? await hub.household() {
                    hub.live.tell(.changed(companion: "hub", what: "storage", id: ""), household: household.id)
                }
                while hub.storage.isPassing, (try? await Task.sleep(for: Self.pause)) != nil { await look() }
            }
        }
    }

    /// Whether something can be stored now: a row that is written and gone again, all in one transaction.
    func look() async {
        do {
            try await hub.database.pool.write { db in
                try db.execute(
                    sql: "INSERT OR REPLACE INTO setting VALUES ('storage-try', hex(randomblob(16384)))")
                try db.execute(sql: "DELETE FROM setting WHERE name = 'storage-try'")
            }
            hub.storage.worked()
        } catch {
            hub.storage.failed(error)
        }
    }
}
