import GRDB
import HubInstruments
import NIOCore
import Storage

@testable import HubKit
@testable import HubServer

extension HTTPTestClient {
    /// A browser at a hub with ``Ferns`` and ``Beats``.
    convenience init(_ test: TestHub) async throws {
        try await self.init(test, app: try await HubApplication(services: test.services, companions: [Ferns.self, Beats.self]))
    }
}

/// A companion that has nothing but a name.
struct Ferns: Companion {
    static let slug = "ferns"
    static let title = "Ferns"
    static let migrations: [Migration] = []

    init(hub: HubContext) async throws {}
    func addRoutes(to routes: Routes) {}
}

/// A companion with one route that does something once: it adds a beat, and, once it is stored, tells pages.
struct Beats: Companion {
    static let slug = "beats"
    static let title = "Beats"
    static let migrations: [Migration] = []

    private struct Body: Decodable { var fails: Bool? }
    private struct Added: Codable { var beats: Int }

    init(hub: HubContext) async throws {}

    func addRoutes(to routes: Routes) {
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

    static func count(_ kind: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name LIKE ?", arguments: [kind + " %"]) ?? 0
    }
}
