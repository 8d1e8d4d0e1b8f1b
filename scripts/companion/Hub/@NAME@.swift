import HubKit
import @NAME@Engine
import Storage

/// The companion @TITLE@ in the hub: the messages of its devices, and the response that the page shows.
public final class @NAME@: Companion {
    public static let slug = "@SLUG@"
    public static let title = "@TITLE@"
    static let kind = "@SLUG@"
    public static let deviceKinds = [
        DeviceKind(name: kind, title: "\(title)", topics: [.fromDevice(LevelReader.topic)])
    ]
    /// The migrations of its own tables, where readings are not enough: `Migration("@SLUG@-001") { db in … }`. New ones
    /// are added at the end.
    public static let migrations: [Migration] = []

    let hub: HubContext

    public init(hub: HubContext) async throws { self.hub = hub }

    public func addRoutes(to routes: Routes) {
        routes.get("/api/@SLUG@", .member, "Every device with its latest level, and what the rules say of it.") { request in
            let household = try request.member.household
            let response = try await request.hub.database.pool.read { db in
                let devices = try db.devices(household: household).filter { $0.kind == Self.kind }
                return OverviewResponse(devices: try devices.map { try OverviewResponse.Device($0, db) })
            }
            return try .json(response)
        }
    }

    public func reader(for device: DeviceRecord) -> any DeviceReader { LevelReader() }
}
