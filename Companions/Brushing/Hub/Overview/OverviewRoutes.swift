import HubKit

/// The first screen, in one answer.
struct OverviewRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get("/api/brushing", .member, "Everybody’s routine, progress and week, and what to say of them.") {
            request in
            let member = try request.member
            let (hub, language) = (request.hub, request.language)
            let now = hub.clock.now()
            let situations = try await hub.database.pool.read { db in
                try PersonSituation.all(household: member.household, now: now, db)
            }
            return try .json(OverviewResponse(situations, for: member, in: language, hub: hub, now: now))
        }
    }
}
