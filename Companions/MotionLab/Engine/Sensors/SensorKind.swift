import Wire

/// The quantity that a stream of samples measures, in the lab's own units, whatever its source.
///
/// Accelerations are what the sensor feels, as Android, Chrome and the Generic Sensor API have it: a phone that lies on
/// a table, its screen up, reads +1 g on z, and one that falls reads 0 g. Axes are those of the device: x to the right
/// of the screen, y to its top, z out of it.
public enum SensorKind: UInt8, Sendable, CaseIterable {
    /// The acceleration with gravity, in g.
    case accelerometer = 1
    /// The acceleration without gravity, in g.
    case linearAcceleration = 2
    /// The acceleration of gravity alone, in g.
    case gravity = 3
    /// The rate of rotation about each axis, counter-clockwise as seen from its tip, in rad/s.
    case gyroscope = 4
    /// The magnetic field, in µT.
    case magnetometer = 5
    /// The pressure of the air, in kPa.
    case barometer = 6
    /// The height above where the stream began, in m.
    case altitude = 7
    /// The orientation: a unit quaternion, from the device's axes to those of the earth.
    case orientation = 8
    /// The sound level relative to full scale, in dB.
    case sound = 9
    /// The illuminance, in lx.
    case light = 10
    /// The number of steps since the stream began.
    case steps = 11
    /// The temperature, in °C.
    case temperature = 12
    /// The relative humidity, in %.
    case humidity = 13

    /// The name in formulas, files and the hub's stream.
    public var name: StaticString {
        switch self {
        case .accelerometer: "accelerometer"
        case .linearAcceleration: "linearAcceleration"
        case .gravity: "gravity"
        case .gyroscope: "gyroscope"
        case .magnetometer: "magnetometer"
        case .barometer: "barometer"
        case .altitude: "altitude"
        case .orientation: "orientation"
        case .sound: "sound"
        case .light: "light"
        case .steps: "steps"
        case .temperature: "temperature"
        case .humidity: "humidity"
        }
    }

    /// The unit of its values; empty for none.
    public var unit: StaticString {
        switch self {
        case .accelerometer, .linearAcceleration, .gravity: "g"
        case .gyroscope: "rad/s"
        case .magnetometer: "µT"
        case .barometer: "kPa"
        case .altitude: "m"
        case .sound: "dB"
        case .light: "lx"
        case .temperature: "°C"
        case .humidity: "%"
        case .orientation, .steps: ""
        }
    }

    /// The names of the values of a sample, in their order.
    public var axes: [StaticString] {
        switch self {
        case .accelerometer, .linearAcceleration, .gravity, .gyroscope, .magnetometer: ["x", "y", "z"]
        case .orientation: ["w", "x", "y", "z"]
        case .barometer: ["pressure"]
        case .altitude: ["relative"]
        case .sound, .light: ["level"]
        case .steps: ["count"]
        case .temperature: ["celsius"]
        case .humidity: ["percent"]
        }
    }

    /// The number of values of a sample.
    public var axisCount: Int {
        switch self {
        case .accelerometer, .linearAcceleration, .gravity, .gyroscope, .magnetometer: 3
        case .orientation: 4
        default: 1
        }
    }

    /// The magnitude of a sample: the length of a vector, and of a single axis its value.
    public func magnitude(_ values: [Double]) -> Double {
        guard values.count > 1 else { return values.first ?? .nan }
        var squares = 0.0
        for value in values { squares += value * value }
        return squares.squareRoot()
    }

    /// The number of stored steps of one unit: values are stored as whole multiples of one divided by it, which is
    /// finer than what phones distinguish: a phone's accelerometer at rest scatters by some 0.0005 g.
    public var multiplesPerUnit: Double {
        switch self {
        case .accelerometer, .linearAcceleration, .gravity, .gyroscope, .barometer: 10_000
        case .orientation: 100_000
        case .magnetometer, .sound, .temperature, .humidity: 100
        case .altitude: 1_000
        case .light: 10
        case .steps: 1
        }
    }

    /// The kind with that name.
    public init?(name: Span<UInt8>) {
        for kind in Self.allCases where matches(name, kind.name) {
            self = kind
            return
        }
        return nil
    }

    /// A value as a whole multiple; nil for a value that is not a number, or beyond what a block of samples holds.
    public func multiple(of value: Double) -> Int64? {
        let multiple = (value * multiplesPerUnit).rounded()
        guard multiple.magnitude <= Double(SampleBlock.greatest) else { return nil }
        return Int64(multiple)
    }

    /// A whole multiple as a value in the unit.
    public func value(_ multiple: Int64) -> Double { Double(multiple) / multiplesPerUnit }
}
