/// The source of values, each with units and signs of its own; ``factor(for:)`` converts them to the lab's.
///
/// Sources: Apple, “Getting raw accelerometer events” and CMAltimeter (g, kPa; a phone on its back reads -1 g on z);
/// Android, “Motion sensors” (m/s², rad/s, hPa, +9.81 on z); W3C, “Device Orientation and Motion” (m/s², degrees a
/// second; alpha is about x, beta about y, gamma about z), which WebKit on iOS answers with Core Motion's signs; W3C,
/// “Generic Sensor API” family (m/s², rad/s); Sensor Logger's UNITS.md and COORDINATES.md; phyphox's file format
/// (Android's, on both).
public enum SensorSource: UInt8, Sendable, CaseIterable {
    /// The lab's own units already.
    case lab = 0
    /// Core Motion, in an app on iOS.
    case coreMotion = 1
    /// Android's sensor events.
    case android = 2
    /// `DeviceMotionEvent` in Safari and every other browser on iOS.
    case webKitMotion = 3
    /// `DeviceMotionEvent` in Chrome and Firefox elsewhere.
    case chromiumMotion = 4
    /// `Accelerometer`, `Gyroscope` and the others of the Generic Sensor API.
    case genericSensor = 5
    /// Sensor Logger on iOS, its "Standardise Units & Frames" off, which is its default.
    case sensorLoggerIOS = 6
    /// Sensor Logger on Android, or with "Standardise Units & Frames" on.
    case sensorLoggerAndroid = 7
    /// phyphox, on either.
    case phyphox = 8
    /// A simulation of the lab's, in its own units; nothing was measured.
    case simulated = 9
    /// Physics Toolbox Sensor Suite, on either: an acceleration with gravity in g, one without in m/s².
    case physicsToolbox = 10

    /// The acceleration of one g, m/s², exact by definition (3rd General Conference on Weights and Measures, 1901).
    public static let standardGravity = 9.80665

    /// The factor that converts a value of this source to the lab's unit and sign.
    public func factor(for kind: SensorKind) -> Double {
        switch kind {
        case .accelerometer, .linearAcceleration, .gravity:
            switch self {
            case .lab, .simulated: 1
            case .physicsToolbox: kind == .accelerometer ? 1 : 1 / Self.standardGravity
            case .coreMotion: -1
            case .webKitMotion, .sensorLoggerIOS: -1 / Self.standardGravity
            case .android, .chromiumMotion, .genericSensor, .sensorLoggerAndroid, .phyphox: 1 / Self.standardGravity
            }
        case .gyroscope:
            self == .webKitMotion || self == .chromiumMotion ? .pi / 180 : 1
        case .barometer:
            switch self {
            case .android, .sensorLoggerIOS, .sensorLoggerAndroid, .phyphox, .physicsToolbox: 0.1
            default: 1
            }
        default: 1
        }
    }

    /// A sample in the lab's units; nil where an axis is missing or not a number, for part of a vector is not a vector.
    public func normalized(_ values: [Double?], as kind: SensorKind) -> [Double]? {
        guard values.count == kind.axisCount else { return nil }
        let factor = factor(for: kind)
        var normalized: [Double] = []
        for value in values {
            guard let value, value.isFinite else { return nil }
            normalized.append(value * factor)
        }
        return normalized
    }
}
