import HubKit
import @NAME@Engine
import Storage

/// @TITLE@ in the hub: what its devices send, and what the page shows of it.
public final class @NAME@: Companion {
    public static let slug = "@SLUG@"
    public static let title = "@TITLE@"
    static let kind = "@SLUG@"
    public static let deviceKinds = [
        DeviceKind(name: kind, title: "\(title)", topics: [.fromDevice(LevelReader.topic)])
    ]
    /// Tables of its own, where readings are not enough: `Migration("@SLUG@-001") { db in … }`, and only ever one more.
    public static let migrations: [Migration] = []

    let hub: Hub

    public init(hub: Hub) async throws { self.hub = hub }

    public func addRoutes(to routes: Routes) {
        routes.get("/api/@SLUG@", .member, "Every device with its latest level, and what the rules say of it.") { request in
            let household = try request.member.household
            let devices = try await request.hub.devices.all(household: household).filter { $0.kind == Self.kind }
            let response = try await request.hub.database.pool.read { db in
                OverviewResponse(devices: try devices.map { try OverviewResponse.Device($0, db) })
            }
            return try .json(response)
        }
    }

    public func reader(for device: DeviceRecord) -> any DeviceReader { LevelReader() }
}
