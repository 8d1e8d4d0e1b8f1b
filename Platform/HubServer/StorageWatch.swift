import HubKit
import ServiceLifecycle

/// A service that tells open pages when the hub cannot store anything, and when it can again. It tries until it can, so
/// nobody has to restart anything when the disk has room.
public struct StorageWatch: Service {
    /// The pause between two attempts while nothing can be stored.
    static let pause = Duration.seconds(5)

    private let hub: HubContext

    /// Creates the service.
    public init(hub: HubContext) { self.hub = hub }

    /// Watches until graceful shutdown.
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
                    hub.live.publish(.changed(companion: "hub", what: "storage", id: ""), household: household.id)
                }
                while hub.storage.isPassing, (try? await Task.sleep(for: Self.pause)) != nil { await look() }
            }
        }
    }

    /// Checks whether data can be stored now: writes and deletes a row in one transaction.
    func look() async {
        if let error = await StorageProbe.error(of: hub, bytes: 16_384) {
            hub.storage.failed(error)
        } else {
            hub.storage.worked()
        }
    }
}
