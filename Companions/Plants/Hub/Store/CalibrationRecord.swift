import GRDB
import HubKit
import PlantsEngine
import Storage

/// The scale of a sensor, as it is stored.
struct CalibrationRecord: Storage.TableRecord {
    static let databaseTableName = "plant_calibration"

    var device: String
    var household: String
    var probe: Calibration.Probe
    /// The raw values; nil where the sensor's own scale was chosen again.
    var dry: Double?
    var wet: Double?
    /// UTC milliseconds. What was measured before is on another scale.
    var changedAt: Int64
    var person: String?

    /// The SQL of the time from which on a sensor's readings in its pot are on the scale that it has now: the full hour
    /// after the calibration, since hours are the coarsest that anything is worked out of, and the probe was in air and
    /// water.
    static let scaledSince = "max(since, coalesce((changed_at / 3600000 + 1) * 3600000, since))"

    /// The calibration; nil where the sensor's own scale counts.
    var calibration: Calibration? {
        guard let dry, let wet,
            let scale = try? MoistureScale(dry: dry, wet: wet, usual: probe.usual, plausible: probe.plausible)
        else { return nil }
        return Calibration(probe: probe, scale: scale)
    }
}

extension Database {
    /// A sensor of the household that can be calibrated.
    ///
    /// - Throws: a 404 problem for none of the household's, a 409 problem for one that the hub plays.
    func calibratedSensor(_ id: String, household: String) throws -> DeviceRecord {
        guard let device = try DeviceRecord.fetchOne(self, key: id), device.household == household,
            device.removedAt == nil, device.kind == Plants.sensorKind
        else { throw Problem.notFound("There is no plant sensor here. It may have been removed.") }
        guard !device.isVirtual else {
            throw Problem(
                .conflict, "Nothing to calibrate",
                "The hub plays this sensor itself: there is no probe that could be put into water.")
        }
        return device
    }

    /// The quantity of a sensor that is calibrated: its raw counts where it sends them, or else its own percent.
    func probe(ofDevice device: String) throws -> Calibration.Probe {
        try series(device: device, quantity: Calibration.Probe.capacitance.rawValue) == nil ? .moisture : .capacitance
    }

    /// The newest raw value of a sensor as of now, UTC milliseconds; nil where it has sent none.
    func rawReading(ofDevice device: String, _ probe: Calibration.Probe, now: Int64) throws -> Reading? {
        let names = probe == .capacitance ? [probe.rawValue] : [Calibration.rawMoisture, probe.rawValue]
        for name in names {
            guard let series = try series(device: device, quantity: name) else { continue }
            // Without a calibration, what the sensor says goes straight to its moisture again.
            if name == Calibration.rawMoisture,
                try CalibrationRecord.fetchOne(self, key: device)?.calibration == nil
            {
                continue
            }
            let latest = Self.latestPresent(at: now)
            if let reading = try latestReading(series: series.id, atOrBefore: latest) { return reading }
        }
        return nil
    }
}
