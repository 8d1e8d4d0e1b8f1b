import GRDB
import HubKit
import NIOCore
import PlantsEngine
import Storage

/// The routes by which a sensor is told what dry and what wet is: hold it in the air, put it into water, done.
struct CalibrationRoutes: Sendable {
    let plants: Plants

    private static let path = "/api/plants/sensors/{device}/calibration"
    /// The time that a request waits for a sensor's next reading. Then the page asks again.
    private static let patience = Duration.seconds(10)

    func add(to routes: Routes) {
        addMeasuring(to: routes)
        routes.get(Self.path, .adult, "What a sensor's raw values mean, and what it read last.") { request in
            let household = try request.member.household
            let device = try request.path("device")
            let people = try await plants.names(household: household)
            return try .json(
                try await request.hub.database.pool.read { db in
                    try CalibrationResponse(of: try db.calibratedSensor(device, household: household), people, db)
                })
        }
        routes.put(
            Self.path, .adult, "Says what a sensor reads in air and what in water; its percent are worked out of that.",
            takes: CalibrationInput.self
        ) { request, input in
            try await set(input, request)
        }
        routes.delete(Self.path, .adult, "The sensor's own scale counts again.") { request in
            try await set(nil, request)
        }
    }

    private func addMeasuring(to routes: Routes) {
        routes.post(
            "\(Self.path)/reading", .adult,
            "Asks a sensor for a reading and waits some seconds for one that is not older than `since`.",
            takes: MeasuringInput.self
        ) { request, input in
            let household = try request.member.household
            let id = try request.path("device")
            let now = plants.hub.clock.now()
            let since = min(input.since ?? now, now)
            let find: @Sendable (Database) throws -> Reading? = { db in
                let device = try db.calibratedSensor(id, household: household)
                let probe = try db.probe(ofDevice: device.id)
                return try db.rawReading(ofDevice: device.id, probe, now: plants.hub.clock.now())
                    .flatMap { $0.at >= since ? $0 : nil }
            }
            var reading = try await request.hub.database.pool.read(find)
            if reading == nil {
                _ = await plants.readingWaiters.ask([id], since: since, within: Self.patience) {
                    plants.hub.messages.publish(topic: "tandem/\(id)/command", payload: ByteBuffer(string: "read"))
                }
                reading = try await request.hub.database.pool.read(find)
            }
            return try .json(MeasuringResponse(reading: reading.map { .init(value: $0.value, at: $0.at) }))
        }
    }

    private func set(_ input: CalibrationInput?, _ request: APIRequest) async throws
        -> APIResponse<JSON<CalibrationResponse>>
    {
        let member = try request.member
        let id = try request.path("device")
        let now = plants.hub.clock.now()
        let people = try await plants.names(household: member.household)
        let response = try await request.hub.database.pool.write { db in
            let device = try db.calibratedSensor(id, household: member.household)
            let probe = try db.probe(ofDevice: device.id)
            let scale = try input?.scale(of: probe)
            let calibration = scale.map { Calibration(probe: probe, scale: $0) }
            // The same again changes nothing: what was measured since is on this scale.
            if try CalibrationRecord.fetchOne(db, key: id)?.calibration != calibration {
                try CalibrationRecord(
                    device: id, household: member.household, probe: probe, dry: scale?.dry, wet: scale?.wet,
                    changedAt: now, person: member.profile.id
                ).upsert(db)
            }
            // As it is committed, and in that order: of two requests, the one that was stored last counts.
            db.afterCommit { plants.calibrations.set(calibration, of: id) }
            if let plant = try db.plant(ofDevice: id) { plants.publish(plant, after: db) }
            return try CalibrationResponse(of: device, people, db)
        }
        return try .json(response)
    }
}

private struct MeasuringInput: Decodable {
    /// UTC milliseconds; now where it is left out.
    var since: Int64?
}

private struct MeasuringResponse: Codable {
    struct RawReading: Codable {
        var value: Double
        var at: Int64
    }
    /// The newest raw reading; nothing where the sensor has sent none yet: ask again.
    var reading: RawReading?
}

/// The readings of a sensor in air and in water, in a request.
struct CalibrationInput: Decodable, Sendable {
    /// The reading in air, and that in water, as the sensor sends it.
    var dry, wet: Double

    func scale(of probe: Calibration.Probe) throws -> MoistureScale {
        do throws(MoistureScale.Failure) {
            return try MoistureScale(dry: dry, wet: wet, usual: probe.usual, plausible: probe.plausible)
        } catch {
            throw switch error {
            case .outOfRange:
                switch probe {
                case .capacitance: Problem.field("dry", "What a probe reads is from 0 to 4095.")
                case .moisture: Problem.field("dry", "What this sensor says is from 0 to 100.")
                }
            case .tooNear:
                Problem.field(
                    "wet",
                    "In water the probe read almost what it reads in air. Wipe it dry, and put it into the water up to its line."
                )
            }
        }
    }
}

/// A sensor's scale as pages get it.
private struct CalibrationResponse: Codable {
    /// The raw values in air and in water.
    var dry, wet: Double
    /// Whether somebody has measured them; else they are what such probes usually read.
    var isMeasured: Bool
    /// The time at which it was changed last, and the person who did it.
    var changedAt: Int64?
    var person: String?

    init(of device: DeviceRecord, _ people: [String: String], _ db: Database) throws {
        let record = try CalibrationRecord.fetchOne(db, key: device.id)
        let calibration = record?.calibration
        let scale = try calibration?.scale ?? db.probe(ofDevice: device.id).usual
        (dry, wet, isMeasured) = (scale.dry, scale.wet, calibration != nil)
        changedAt = record?.changedAt
        person = record?.person.flatMap { people[$0] }
    }
}
