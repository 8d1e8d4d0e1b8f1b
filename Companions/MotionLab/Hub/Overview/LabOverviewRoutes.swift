import GRDB
import HubKit
import Storage

/// The route to the lab's card on Today.
struct LabOverviewRoutes: Sendable {
    let lab: MotionLab

    private struct LabOverviewResponse: Codable {
        struct OpenClass: Codable {
            var id, name: String
            /// The number of guests whose phones are there now.
            var guests: Int
            var isMeasuring: Bool
        }

        var headline: HeadlineResponse
        /// The newest recording of whoever the asker may look at.
        var latest: RecordingResponse?
        /// The class that is open, the newest of several; for adults only.
        var openClass: OpenClass?
    }

    func add(to routes: Routes) {
        let hub = lab.hub
        routes.get("/api/lab", .member, "What was recorded last, and for adults the class that is open.") { request in
            let member = try request.member
            let (now, localized) = (hub.clock.now(), request.localized)
            return try .json(
                try await hub.database.pool.read { db in
                    let (found, _) = try RecordingRoutes.list(
                        for: member, hub, device: nil, person: nil, inClass: nil, before: .max, most: 1, db)
                    let isAdult = hub.policy.allows(.person(member), .adult, now: now)
                    let open = try isAdult ? Self.openClass(of: member.household, lab.classes, now, db) : nil
                    let text = LabOverviewText(
                        openClass: open.map { ($0.name, $0.guests, $0.isMeasuring) }, hasRecorded: !found.isEmpty)
                    return LabOverviewResponse(
                        headline: HeadlineResponse(text, in: localized),
                        latest: try found.first.map { try RecordingResponse($0, db) },
                        openClass: open)
                })
        }
    }

    private static func openClass(of household: String, _ classes: Classes, _ now: Int64, _ db: Database) throws
        -> LabOverviewResponse.OpenClass?
    {
        guard
            let found = try ClassRecord.fetchOne(
                db,
                cached: "SELECT * FROM lab_class WHERE household = ? AND ends_at > ? ORDER BY opened_at DESC LIMIT 1",
                arguments: [household, now])
        else { return nil }
        let response = try ClassResponse(found, classes, db)
        return .init(
            id: found.id, name: found.name, guests: response.guests.count(where: \.isHere),
            isMeasuring: found.isMeasuring(now))
    }
}
