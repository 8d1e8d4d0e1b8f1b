import HubKit

/// The first screen, in one answer.
struct DeskRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get("/api/brushing", .member, "Everybody’s routine, progress and week, and what to say of them.") {
            visit in
            let member = try visit.member
            let hub = visit.hub
            let desk = try await hub.database.pool.read { db in
                try DeskReply(household: member.household, for: member, hub: hub, db)
            }
            return try .json(desk)
        }
    }
}
