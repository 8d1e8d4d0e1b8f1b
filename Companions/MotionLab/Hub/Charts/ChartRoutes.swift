import HubKit
import MotionLabEngine
import Storage

/// The routes to what pages draw of recordings, several on one chart, and the clock by which they are laid over each
/// other.
struct ChartRoutes: Sendable {
    let hub: HubContext

    func add(to routes: Routes) {
        routes.get(
            "/api/lab/recordings/{id}/chart", .member,
            "One `sensor` of a recording in at most so many `points`, each a stretch of time with its lowest, mean and highest value of each axis and of their length; an acceleration with its gravity or without; pauses are gaps. `from` and `to` look at a part of it closer.",
            query: [.sensor, .gravity, .points, .fromSeconds, .toSeconds]
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
            let part = try request.partOfRecording
            return try await request.calculated { db in
                try StoredChart(
                    try RecordingRoutes.recording(id, for: member, hub, db), of: kind,
                    withoutGravity: isWithoutGravity, points: points, part: part, db)
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

extension APIRequest {
    /// The part of a recording that a chart is to show, microseconds from its start; nil for all of it.
    ///
    /// - Throws: a 422 problem for what is none.
    fileprivate var partOfRecording: ClosedRange<Int64>? {
        get throws {
            func microseconds(_ parameter: QueryParameter, _ field: String) throws -> Int64? {
                try query(parameter).map { text in
                    // Longer than any recording.
                    guard let seconds = Double(text), (-1e9...1e9).contains(seconds) else {
                        throw Problem.field(field, "Say how many seconds after the start of the recording.")
                    }
                    return Int64((seconds * 1_000_000).rounded())
                }
            }
            let (from, to) = (try microseconds(.fromSeconds, "from"), try microseconds(.toSeconds, "to"))
            guard from != nil || to != nil else { return nil }
            guard from ?? .min <= to ?? .max else {
                throw Problem.field("to", "A part of a recording ends after it has begun.")
            }
            return (from ?? .min)...(to ?? .max)
        }
    }
}

extension QueryParameter {
    fileprivate static let fromSeconds = QueryParameter(
        "from", "The seconds after its start from which on it is shown; all of it where it is left out.")
    fileprivate static let toSeconds = QueryParameter(
        "to", "The seconds after its start up to which it is shown; all of it where it is left out.")
    static let gravity = QueryParameter(
        "gravity", "Whether an acceleration is drawn with its gravity or without; with it where it is left out.",
        values: ["with", "without"])
    fileprivate static let sensor = QueryParameter(
        "sensor", "Which one.", values: SensorKind.allCases.map { "\($0.name)" }, isRequired: true)
    fileprivate static let points = QueryParameter("points", "At most so many; 600 where it is left out.")
}
