import MotionLabEngine
import Storage

/// The streams that a phone sends many times a second: a sample stream for each kind of sensor, in the engine's own
/// units and multiples.
enum PhoneStreams {
    static let declared: [SampleStream] = SensorKind.allCases.map { kind in
        SampleStream(
            name: "\(kind.name)",
            axes: kind.axes.map {
                StreamAxis(
                    name: "\($0)", unit: "\(kind.unit)".isEmpty ? nil : "\(kind.unit)",
                    resolution: 1 / kind.multiplesPerUnit)
            }, gapMicroseconds: gapMicroseconds(kind))
    }

    /// The one of a kind.
    static func stream(_ kind: SensorKind) -> SampleStream {
        let name = "\(kind.name)"
        // Every kind is declared.
        return declared.first { $0.name == name } ?? declared[0]
    }

    /// A few times the interval of the slowest phone: what is moved is measured fifteen times a second at least, air
    /// once, and what is counted or seldom changes when it changes.
    private static func gapMicroseconds(_ kind: SensorKind) -> Int64 {
        switch kind {
        case .accelerometer, .linearAcceleration, .gravity, .gyroscope, .magnetometer, .orientation: 1_000_000
        case .barometer, .altitude, .sound, .light: 5_000_000
        case .steps, .temperature, .humidity: 60_000_000
        }
    }
}
