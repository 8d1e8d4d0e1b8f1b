import HubKit
import MotionLabEngine
import Storage

/// The routes to what pages draw of recordings, several on one chart, and the clock by which they are laid over each
/// other.
struct ChartRoutes: Sendable {
    let hub: Hub

    func add(to routes: Routes) {
        let hub = hub
        routes.get(
            "/api/lab/recordings/{id}/chart", .member,
            "One `sensor` of a recording in at most so many `points`, each a stretch of time with its lowest, mean and highest value of each axis and of their length; an acceleration with its gravity or without; pauses are gaps.",
            query: [.sensor, .gravity, .points]
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            guard let kind = request.query(.sensor).flatMap({ SensorKind(sensor: $0) }) else {
                let known = SensorKind.allCases.map { "\($0.name)" }.joined(separator: ", ")
                throw Problem.field("sensor", "Say which sensor. There are: \(known).")
            }
            let points = request.query(.points).map { Int($0) ?? 0 } ?? 600
            guard (1...ChartResponse.mostPoints).contains(points) else {
                throw Problem.field("points", "A chart has 1 to \(ChartResponse.mostPoints) points.")
            }
            let isWithoutGravity = try request.isWithoutGravity
            return try await request.calculated { db in
                try StoredChart(
                    try RecordingRoutes.recording(id, for: member, hub, db), of: kind,
                    withoutGravity: isWithoutGravity, points: points, db)
            } _: { chart in
                try .json(try chart.response())
            }
        }
        routes.get(
            "/api/lab/clock", .member, "The hub’s clock, for a phone that finds out how its own stands to it."
        ) { request in
            let received = request.hub.clock.now() * 1_000
            return try .json(
                ClockResponse(
                    receivedMicroseconds: received, answeredMicroseconds: request.hub.clock.now() * 1_000))
        }
    }
}

extension APIRequest {
    /// Whether a chart of an acceleration is to be without gravity.
    ///
    /// - Throws: a 422 problem for another word.
    var isWithoutGravity: Bool {
        get throws {
            switch query(.gravity) ?? "with" {
            case "with": return false
            case "without": return true
            default: throw Problem.field("gravity", "Say “with” or “without”.")
            }
        }
    }
}

extension QueryParameter {
    static let gravity = QueryParameter(
        "gravity", "Whether an acceleration is drawn with its gravity or without; with it where it is left out.",
        values: ["with", "without"])
    fileprivate static let sensor = QueryParameter(
        "sensor", "Which one.", values: SensorKind.allCases.map { "\($0.name)" }, isRequired: true)
    fileprivate static let points = QueryParameter("points", "At most so many; 600 where it is left out.")
}
