import GRDB
import HubKit
import MotionLabEngine
import Storage
import Wire

/// The routes to what the phones of a class measure, beside each other while they do.
struct ClassCurveRoutes: Sendable {
    let classes: Classes

    private struct ClassCurvesResponse: Codable {
        struct Curve: Codable {
            /// The guest's id.
            var guest: String
            /// The difference between the phone's clock and the hub's, as the phone found out last.
            var clock: RecordingResponse.Clock?
            /// The chart by the hub's clock, from the start of the run; nothing before the first sample.
            var chart: ChartResponse?
        }

        /// The last run of the class; nothing before the first.
        var run: ClassResponse.Run?
        var sensor: String
        /// The curves of those who have sent something of the run, in the order in which they joined.
        var curves: [Curve]
    }

    /// The bytes that came of one guest in the run.
    private struct Received: Sendable {
        var guest: String
        var bytes: [UInt8]
    }

    func add(to routes: Routes) {
        routes.get(
            "/api/lab/classes/{id}/curves", .adult,
            "What the phones of a class have measured of one `sensor` in its last run until now, by the hub’s clock, each in at most so many `points`, an acceleration with its gravity or without.",
            query: [.curveSensor, .gravity, .curvePoints]
        ) { request in
            let id = try request.path("id")
            let household = try request.member.household
            guard let kind = request.query(.curveSensor).flatMap({ SensorKind(sensor: $0) }) else {
                throw Problem.field("sensor", "Say which sensor of the class.")
            }
            let points = request.query(.curvePoints).map { Int($0) ?? 0 } ?? 150
            guard (1...ChartResponse.mostPoints).contains(points) else {
                throw Problem.field("points", "A chart has 1 to \(ChartResponse.mostPoints) points.")
            }
            let isWithoutGravity = try request.isWithoutGravity && kind == .accelerometer
            let now = classes.hub.clock.now()
            return try await request.calculated { db in
                let found = try ClassRecord.find(id, household: household, db)
                return (found, try Self.received(found, db))
            } _: { found, received in
                let most = classes.limits.samples(of: found)
                return try .json(
                    ClassCurvesResponse(
                        run: .init(found, now: now), sensor: "\(kind.name)",
                        curves: received.map { one in
                            try Self.curve(
                                one, of: kind, isWithoutGravity, since: found.runStartsAt * 1_000, points: points,
                                mostSamples: most)
                        }))
            }
        }
    }

    private static func received(_ found: ClassRecord, _ db: Database) throws -> [Received] {
        let guests = try GuestRecord.fetchAll(
            db, cached: "SELECT * FROM lab_guest WHERE in_class = ? ORDER BY number", arguments: [found.id])
        return try guests.compactMap { guest in
            let id = GuestRequest.recording(guest.id, run: found.run)
            let bytes: [UInt8]
            if let whole = try GuestRecordingRecord.find(id, household: found.household, db) {
                bytes = whole.intactContent ?? []
            } else {
                bytes = try GuestChunkRecord.bytes(guest.id, run: found.run, db)
            }
            return bytes.isEmpty ? nil : Received(guest: guest.id, bytes: bytes)
        }
    }

    /// The curve of what can be read by now.
    private static func curve(
        _ received: Received, of kind: SensorKind, _ isWithoutGravity: Bool, since start: Int64, points: Int,
        mostSamples: Int
    ) throws(CancellationError) -> ClassCurvesResponse.Curve {
        var curve = ClassCurvesResponse.Curve(guest: received.guest)
        guard var reader = try? RecordingReader(received.bytes, isComplete: false, mostSamples: mostSamples) else {
            return curve
        }
        let streams = reader.header.streams
        var series = ExportedRecording.Series(kind)
        var turning = ExportedRecording.Series(.gyroscope)
        var offset: Int64 = 0
        while let record = try? reader.next() {
            try Calculations.checkIsWanted()
            switch record {
            case .samples(let place, let block) where streams[place].kind == kind: series.append(block)
            case .samples(let place, let block) where isWithoutGravity && streams[place].kind == .gyroscope:
                turning.append(block)
            case .clock(_, let found):
                curve.clock = .init(offsetMicroseconds: found.microseconds, uncertaintyMicroseconds: found.uncertainty)
                offset = found.microseconds
            default: break
            }
        }
        series.sort()
        turning.sort()
        guard let first = series.times.first, let last = series.times.last else { return curve }
        let width = ChartResponse.width(of: last - first, points: points)
        // Seconds are counted by the hub's clock: the run begins at that time of the phone's.
        curve.chart = ChartResponse(
            series, turning: turning.times.isEmpty ? nil : turning,
            from: start.minusClamped(offset), width: width,
            isWithoutGravity: isWithoutGravity)
        return curve
    }
}

extension QueryParameter {
    fileprivate static let curveSensor = QueryParameter(
        "sensor", "Which one.", values: SensorKind.allCases.map { "\($0.name)" }, isRequired: true)
    fileprivate static let curvePoints = QueryParameter("points", "At most so many; 150 where it is left out.")
}
