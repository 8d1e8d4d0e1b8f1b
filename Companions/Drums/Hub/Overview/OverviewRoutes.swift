import HubKit
import Localization

/// The first screen, in one answer.
struct OverviewRoutes: Sendable {
    let drums: Drums

    func add(to routes: Routes) {
        let sessions = drums.sessions
        routes.get(
            "/api/drums", .member,
            "Everybody’s settings, plan and week, what is being played, and what to say of it."
        ) { request in
            let member = try request.member
            let hub = request.hub
            let (stored, active) = try await hub.database.pool.read { db in
                (try StoredOverview(for: member, hub: hub, db), try sessions.unread(for: member, db))
            }
            var overview = OverviewResponse(stored, for: member, request)
            let localized = Localizer(request.language, from: .drums)
            overview.active = active.compactMap { ActiveSongResponse($0, for: member, sessions) }.map { active in
                var active = active
                active.song = active.song.localized(localized)
                return active
            }
            return try .json(overview)
        }
    }
}
