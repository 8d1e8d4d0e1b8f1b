import PlantsEngine
import Synchronization

/// The meaning of one sensor's raw values, as somebody has measured it.
struct Calibration: Equatable, Sendable {
    /// The quantity of a sensor that is put on the scale.
    enum Probe: String, Codable, Sendable, CaseIterable {
        /// Raw counts.
        case capacitance
        /// Percent of the sensor's own.
        case moisture

        /// The scale of such a sensor where nobody has calibrated it.
        var usual: MoistureScale {
            switch self {
            case .capacitance: .seesaw
            case .moisture: .percent
            }
        }

        var plausible: ClosedRange<Double> {
            switch self {
            case .capacitance: Quantity.capacitance.plausible
            case .moisture: Quantity.moisture.plausible
            }
        }
    }

    /// The series of what a calibrated sensor says of moisture by itself.
    static let rawMoisture = "moisture_raw"

    var probe: Probe
    var scale: MoistureScale
}

/// The sensors that somebody has calibrated, for the readers of what they publish.
final class Calibrations: Sendable {
    private let byDevice: Mutex<[String: Calibration]>
    private let changes = Atomic(0)

    init(_ records: [CalibrationRecord]) {
        let known = records.compactMap { record in record.calibration.map { (record.device, $0) } }
        byDevice = Mutex(Dictionary(known) { _, last in last })
    }

    /// The version of all calibrations, which is another number after each change: somebody who remembers one sees
    /// whether to look again.
    var version: Int { changes.load(ordering: .acquiring) }

    func calibration(of device: String) -> Calibration? { byDevice.withLock { $0[device] } }

    /// Changes the calibration of a sensor.
    ///
    /// - Parameter calibration: nil for the sensor's own scale.
    func set(_ calibration: Calibration?, of device: String) {
        byDevice.withLock { $0[device] = calibration }
        changes.add(1, ordering: .releasing)
    }
}
