import GRDB
import HubKit
import HubServer
import NIOCore
import Storage

extension HTTPTestClient {
    /// A browser at a hub with ``Ferns`` and ``Beats``.
    public convenience init(_ test: TestHub) async throws {
        try await self.init(
            test, app: try await HubApplication(services: test.services, companions: [Ferns.self, Beats.self]))
    }
}

/// A companion that has nothing but a name.
public struct Ferns: Companion {
    /// The slug.
    public static let slug = "ferns"
    /// The title.
    public static let title = "Ferns"
    /// No tables of its own.
    public static let migrations: [Migration] = []

    /// Creates the companion.
    public init(hub: HubContext) async throws {}
    /// Adds no routes.
    public func addRoutes(to routes: Routes) {}
}

/// A companion with one route that does something once: it adds a beat, and, once it is stored, tells pages.
public struct Beats: Companion {
    /// The slug.
    public static let slug = "beats"
    /// The title.
    public static let title = "Beats"
    /// No tables of its own.
    public static let migrations: [Migration] = []

    private struct Body: Decodable { var fails: Bool? }
    private struct Added: Codable { var beats: Int }

    /// Creates the companion.
    public init(hub: HubContext) async throws {}

    /// Adds the route of beats.
    public func addRoutes(to routes: Routes) {
        routes.post("/api/beats", .member, "Adds a beat.", takes: Body.self) { request, body in
            let fails = body.fails ?? false
            let (hub, household) = (request.hub, try request.member.household)
            return try await request.idempotently { db in
                let count = try Beats.count("beat", db)
                try Beats.add("beat \(count)", db)
                if fails { throw Problem(.conflict, "Out of time", "This beat came too late.") }
                hub.live.publish(.changed(companion: Self.slug, what: "beat", id: ""), household: household, after: db)
                return try .created(Added(beats: count + 1))
            }
        }
    }

    private static func add(_ name: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO setting VALUES (?, '')", arguments: [name])
    }

    /// The number of things of a kind that were stored.
    public static func count(_ kind: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name LIKE ?", arguments: [kind + " %"]) ?? 0
    }
}
