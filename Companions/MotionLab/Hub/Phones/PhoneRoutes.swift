import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage
import Wire

/// The phones whose apps send by themselves: whether one does now, and how high it is.
struct PhoneRoutes: Sendable {
    let lab: MotionLab

    /// The longest silence of a phone that sends, milliseconds: apps push every second or few, and one push may be
    /// lost.
    static let silenceMilliseconds: Int64 = 10_000

    func add(to routes: Routes) {
        let hub = lab.hub
        routes.get(
            "/api/lab/phones", .member,
            "The household’s phones that send by themselves: whether each sends now, and its last air pressure and height."
        ) { request in
            let household = try request.member.household
            let now = hub.clock.now()
            let language = request.language
            let phones = try await hub.database.pool.read { db in
                let devices = try DeviceRecord.fetchAll(
                    db,
                    cached: """
                        SELECT * FROM device WHERE household = ? AND kind = ? AND removed_at IS NULL
                        ORDER BY created_at, id
                        """, arguments: [household, MotionLab.phoneKind])
                let heardAt = try lab.lastHeard(of: devices.map(\.id), db)
                return try devices.map { device in
                    var phone = try PhonesResponse.Phone(device, heardAt: heardAt[device.id], now: now, db)
                    phone.refusal = lab.phones.refusal(device.id).map {
                        .init(
                            at: $0.at, text: SensorLoggerText.refused($0.error).string(in: language, from: .motionLab))
                    }
                    return phone
                }
            }
            return try .json(PhonesResponse(at: now, phones: phones))
        }
        routes.get(
            "/api/lab/phones/{id}/altitude", .member,
            "The air pressure that a phone sends, since its newest recording with it began, and how much higher than there that is, at a `temperature` of the air.",
            query: [.temperature, .seconds]
        ) { request in
            let id = try request.path("id")
            let household = try request.member.household
            let celsius = try request.query(.temperature).map { text in
                guard let value = Double(text), (-60...60).contains(value) else {
                    throw Problem.field("temperature", "The air is between −60 and 60 °C.")
                }
                return value
            }
            let seconds = try request.query(.seconds).map { text in
                guard let value = Int64(text), (1...86_400).contains(value) else {
                    throw Problem.field("seconds", "A stretch of time has 1 to 86400 seconds.")
                }
                return value
            }
            return try .json(
                try await hub.database.pool.read { db in
                    try AltitudeResponse(
                        device: id, household: household, celsius: celsius ?? Altitude.usualCelsius,
                        seconds: seconds ?? 600, db)
                })
        }
    }
}

/// The phones of a household.
struct PhonesResponse: Codable, Sendable {
    struct Phone: Codable, Sendable {
        var id, name: String
        /// Whether it sent within the last ten seconds.
        var isSending: Bool
        /// The time at which it sent last, UTC milliseconds: by the hub's clock, or where the hub has started since, the
        /// end of its newest recording by its own.
        var heardAt: Int64?
        /// The id of its newest recording.
        var recording: String?
        /// The sensors of that recording, as `SensorKind` names them.
        var sensors: [String]
        /// The last of the newest recording, kPa, and the phone's own height above where it began, m.
        var pressure, altitude: LastValue?
        /// The refusal of what it sent last, where nothing of it could be used.
        var refusal: Refusal?
    }

    struct Refusal: Codable, Sendable {
        /// UTC milliseconds.
        var at: Int64
        /// The words as the app shows them, in the asker's language.
        var text: String
    }

    struct LastValue: Codable, Sendable {
        /// UTC microseconds, by the phone's clock.
        var atMicroseconds: Int64
        var value: Double
    }

    /// The hub's time, UTC milliseconds.
    var at: Int64
    var phones: [Phone]
}

extension PhonesResponse.Phone {
    fileprivate init(_ device: DeviceRecord, heardAt: Int64?, now: Int64, _ db: Database) throws {
        let newest = try StoredRecording.fetchOne(
            db,
            cached: """
                SELECT * FROM lab_recording WHERE household = ? AND device = ? AND origin = 'push'
                ORDER BY start_microseconds DESC LIMIT 1
                """, arguments: [device.household, device.id])
        func last(_ kind: SensorKind) throws -> PhonesResponse.LastValue? {
            guard let last = newest?.stream(of: kind)?.lastMicroseconds,
                let stream = try db.stream("\(kind.name)", device: device.id)
            else { return nil }
            var found: PhonesResponse.LastValue?
            try db.forEachBlock(stream: stream, from: last, to: last + 1) { block in
                guard let time = block.times.last, let value = block.axes.first?.last else { return }
                found = PhonesResponse.LastValue(atMicroseconds: time, value: kind.value(value))
            }
            return found
        }
        self.init(
            id: device.id, name: device.name,
            isSending: heardAt.map { now - $0 < PhoneRoutes.silenceMilliseconds } ?? false, heardAt: heardAt,
            recording: newest?.id, sensors: newest?.kinds.map { "\($0.name)" } ?? [],
            pressure: try last(.barometer), altitude: try last(.altitude))
    }
}

/// The course of a phone's air pressure, and of its height by it.
struct AltitudeResponse: Codable, Sendable {
    struct Point: Codable, Sendable {
        /// The seconds since the recording began.
        var seconds: Double
        /// The pressure, kPa: the mean of a stretch of time.
        var kilopascals: Double
        /// The height above where the recording began.
        var metres: Double?
    }

    /// The most points.
    private static let mostPoints = 1_200

    var recording: String
    /// The time at which it began, UTC microseconds by the phone's clock.
    var startMicroseconds: Int64
    /// The temperature of the air, °C.
    var celsius: Double
    /// The pressure at the beginning, kPa: the median of its first five.
    var referenceKilopascals: Double?
    /// The last of them, in order of time.
    var points: [Point]
}

extension AltitudeResponse {
    /// Calculates the heights of a phone's newest recording with a barometer.
    ///
    /// - Throws: a 404 problem for a phone that is not there, or has sent no pressure.
    fileprivate init(
        device id: String, household: String, celsius: Double, seconds: Int64, _ db: Database
    ) throws {
        let newest = try StoredRecording.fetchCursor(
            db,
            sql: """
                SELECT * FROM lab_recording WHERE household = ? AND device = ? AND origin = 'push'
                ORDER BY start_microseconds DESC LIMIT 20
                """, arguments: [household, id])
        var found: (StoredRecording, first: Int64, last: Int64)?
        while found == nil, let recording = try newest.next() {
            guard let stream = recording.stream(of: .barometer), let first = stream.firstMicroseconds,
                let last = stream.lastMicroseconds
            else { continue }
            found = (recording, first, last)
        }
        guard let (recording, first, last) = found,
            let stream = try db.stream("\(SensorKind.barometer.name)", device: id)
        else { throw Problem.notFound("No air pressure has come from this phone yet.") }
        var relative = RelativeAltitude(celsius: celsius)
        // At the slowest that phones measure air, these are its first five.
        try db.forEachBlock(stream: stream, from: first, to: min(first + 10_000_000, last + 1)) { block in
            for value in block.axes[0].prefix(RelativeAltitude.referenceCount) {
                relative.add(SensorKind.barometer.value(value))
            }
        }
        let start = recording.startMicroseconds
        let from = max(first, last - seconds * 1_000_000)
        let width = ChartResponse.width(of: last - from, points: Self.mostPoints)
        let reference = relative.reference
        self.init(
            recording: recording.id, startMicroseconds: start, celsius: celsius, referenceKilopascals: reference,
            points: try db.summaries(stream: stream, from: from, to: last + 1, width: width).map { summary in
                let pressure =
                    Double(summary.axes[0].sum) / Double(summary.count) / SensorKind.barometer.multiplesPerUnit
                return Point(
                    seconds: Double(max(summary.start, from) - start) / 1_000_000, kilopascals: pressure,
                    metres: reference.flatMap { Altitude.metres(pressure: pressure, reference: $0, celsius: celsius) })
            })
    }
}

extension StoredRecording {
    /// The stream of one sensor, where it has anything of that.
    func stream(of kind: SensorKind) -> Stream? {
        streams.first { $0.sensor == "\(kind.name)" && $0.samples > 0 }
    }
}

extension QueryParameter {
    fileprivate static let temperature = QueryParameter(
        "temperature", "Of the air, °C; 15 where it is left out.")
    fileprivate static let seconds = QueryParameter(
        "seconds", "The last so many seconds; 600 where it is left out.")
}
