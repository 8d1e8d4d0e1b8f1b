import DrumsEngine
import GRDB
import HubKit
import Storage

/// How the hub hears of a session while it is played, and how another device goes on with it.
struct RunningRoutes: Sendable {
    let drums: Drums

    private struct All: Codable {
        var running: [RunningReply]
        var parked: [ParkedSession]
    }

    func add(to routes: Routes) {
        let active = ActiveSessionRoutes(drums.sessions)
        active.add(to: routes)
        active.addRunning(to: routes, events: DrumSession.Limits.events) { $0.session.events.count }
        routes.get(
            "/api/drums/running", .member,
            "What is being played in the household, and what could not be stored of it, which adults see."
        ) { visit in
            let member = try visit.member
            let hub = visit.hub
            return try await hub.database.pool.read { db in
                try .json(
                    All(
                        running: try RunningReply.all(for: member, hub: hub, db),
                        parked: try ParkedSession.all(of: Drums.slug, for: member, hub, db)))
            }
        }
    }
}
