import HubKit

/// The first screen, in one answer.
struct OverviewRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get(
            "/api/drums", .member,
            "Everybody’s settings, plan and week, the songs, what is being played, and what to say of it."
        ) { request in
            let member = try request.member
            let (hub, language) = (request.hub, request.language)
            let overview = try await hub.database.pool.read { db in
                try OverviewResponse(
                    for: member, in: language, hub: hub, db)
            }
            return try .json(overview)
        }
    }
}
