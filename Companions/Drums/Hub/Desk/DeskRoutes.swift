import HubKit

/// The first screen, in one answer.
struct DeskRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get(
            "/api/drums", .member,
            "Everybody’s settings, plan and week, the songs, what is being played, and what to say of it."
        ) { visit in
            let member = try visit.member
            let hub = visit.hub
            let desk = try await hub.database.pool.read { db in try DeskReply(for: member, hub: hub, db) }
            return try .json(desk)
        }
    }
}
