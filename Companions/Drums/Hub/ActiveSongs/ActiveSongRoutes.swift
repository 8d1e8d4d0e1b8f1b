import HubKit
import Storage

/// What is being played, and how a page of an earlier version tells of it.
struct ActiveSongRoutes: Sendable {
    let drums: Drums

    private struct All: Codable {
        var running: [ActiveSongResponse]
        var parked: [FailedSession]
    }

    func add(to routes: Routes) {
        ActiveSessionRoutes(drums.sessions).addRunning(to: routes) { $0.session.events.count }
        routes.get(
            "/api/drums/running", .member,
            "What is being played in the household, and what could not be stored of it, which adults see."
        ) { request in
            let member = try request.member
            let (hub, sessions) = (request.hub, drums.sessions)
            let (active, failed) = try await hub.database.pool.read { db in
                (try sessions.unread(for: member, db), try FailedSession.all(of: Drums.slug, for: member, hub, db))
            }
            return try .json(
                All(
                    running: active.compactMap { ActiveSongResponse($0, for: member, sessions) },
                    parked: request.localized(failed)))
        }
    }
}
