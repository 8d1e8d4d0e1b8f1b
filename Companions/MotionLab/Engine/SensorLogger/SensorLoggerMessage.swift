import Wire

/// A message that the app Sensor Logger pushes, by HTTP or MQTT.
///
///     {"messageId":0,"sessionId":"…","deviceId":"…","payload":[
///     {"name":"accelerometer","time":1698501144401773000,"values":{"x":0,"y":0,"z":0},"accuracy":3}]}
///
/// `time` is in nanoseconds since 1970. Source: its PUSHING.md and UNITS.md. Readings that cannot be used are left out
/// and counted, and the others of the message are used.
public struct SensorLoggerMessage: Sendable {
    /// The limits of a message.
    public struct Limits: Sendable, Equatable {
        /// The most bytes: ten seconds of twenty sensors at 200 Hz are 4 MB.
        public var bytes = 8 << 20
        /// The most readings.
        public var readings = 60_000
        /// The most bytes of an identifier, and of an annotation.
        public var textBytes = 500

        /// The default limits.
        public init() {}
    }

    /// A sample as it was sent, in the app's units.
    public struct Reading: Sendable, Equatable {
        /// The sensor.
        public var sensor: SensorLoggerSensor
        /// The time, UTC microseconds.
        public var time: Int64
        /// The values, in the order of the sensor's kind.
        public var values: [Double]
    }

    /// An annotation that somebody wrote while recording.
    public struct Annotation: Sendable, Equatable {
        /// The time, UTC microseconds.
        public var time: Int64
        /// The text, UTF-8.
        public var text: [UInt8]
    }

    /// The number of the message, which rises within a session; nil where there is none.
    public internal(set) var messageId: Int64?
    /// The identifier of one recording; empty where there is none.
    public internal(set) var sessionId: [UInt8] = []
    /// The identifier of the phone; empty where there is none.
    public internal(set) var deviceId: [UInt8] = []
    /// The readings that could be used.
    public internal(set) var readings: [Reading] = []
    /// The annotations.
    public internal(set) var annotations: [Annotation] = []
    /// The counts of readings that could not be used, by reason.
    public internal(set) var skipped = SensorLoggerSkips()

    init() {}

    /// The samples of one kind, in the lab's units, in the order in which they came.
    ///
    /// - Parameter source: `sensorLoggerIOS` or `sensorLoggerAndroid`; see ``likelySource``.
    public func samples(of kind: SensorKind, source: SensorSource) -> [(time: Int64, values: [Double])] {
        var samples: [(time: Int64, values: [Double])] = []
        for reading in readings {
            for (place, candidate) in reading.sensor.kinds.enumerated() where candidate == kind {
                // A barometer without a relative altitude is one.
                guard place < reading.values.count else { continue }
                let values = reading.sensor == .barometer ? [reading.values[place]] : reading.values
                // On iOS the uncalibrated acceleration alone is in g.
                let isInG = reading.sensor == .accelerometerUncalibrated && source == .sensorLoggerIOS
                let factor = isInG ? -1 : source.factor(for: kind)
                samples.append((reading.time, values.map { $0 * factor }))
            }
        }
        return samples
    }
}

/// The sensors of Sensor Logger that the lab understands.
public enum SensorLoggerSensor: UInt8, Sendable, CaseIterable {
    /// The acceleration without gravity, on both systems.
    case accelerometer
    case accelerometerUncalibrated
    /// The acceleration with gravity, Android alone.
    case totalAcceleration
    case gravity
    case gyroscope
    case gyroscopeUncalibrated
    case magnetometer
    case magnetometerUncalibrated
    case barometer
    case orientation
    case microphone
    case light
    case pedometer

    /// The app's name of the sensor in small letters; files and some versions write it with large ones.
    public var name: StaticString {
        switch self {
        case .accelerometer: "accelerometer"
        case .accelerometerUncalibrated: "accelerometeruncalibrated"
        case .totalAcceleration: "totalacceleration"
        case .gravity: "gravity"
        case .gyroscope: "gyroscope"
        case .gyroscopeUncalibrated: "gyroscopeuncalibrated"
        case .magnetometer: "magnetometer"
        case .magnetometerUncalibrated: "magnetometeruncalibrated"
        case .barometer: "barometer"
        case .orientation: "orientation"
        case .microphone: "microphone"
        case .light: "light"
        case .pedometer: "pedometer"
        }
    }

    /// The names of its values, in the order of ``SensorLoggerMessage/Reading/values``.
    public var fields: [StaticString] {
        switch self {
        case .barometer: ["pressure", "relativeAltitude"]
        case .orientation: ["qw", "qx", "qy", "qz"]
        case .microphone: ["dBFS"]
        case .light: ["lux"]
        case .pedometer: ["steps"]
        default: ["x", "y", "z"]
        }
    }

    /// The kinds of samples that it measures; a barometer two, of one value each.
    public var kinds: [SensorKind] {
        switch self {
        case .accelerometer: [.linearAcceleration]
        case .accelerometerUncalibrated, .totalAcceleration: [.accelerometer]
        case .gravity: [.gravity]
        case .gyroscope, .gyroscopeUncalibrated: [.gyroscope]
        case .magnetometer, .magnetometerUncalibrated: [.magnetometer]
        case .barometer: [.barometer, .altitude]
        case .orientation: [.orientation]
        case .microphone: [.sound]
        case .light: [.light]
        case .pedometer: [.steps]
        }
    }

    /// The sensor of that name, in letters of either size.
    public init?(name: Span<UInt8>) {
        var small: [UInt8] = []
        for index in 0..<name.count {
            let byte = name[index]
            small.append(byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
        }
        for sensor in Self.allCases where matches(small.span, sensor.name) {
            self = sensor
            return
        }
        return nil
    }
}

/// The counts of readings of a message that could not be used, by reason.
public struct SensorLoggerSkips: Sendable, Equatable {
    /// The number of readings of sensors that the lab does not use, such as `location` and `battery`: nothing is wrong
    /// with them.
    public var unknownSensors = 0
    /// The number of readings whose time is missing or not nanoseconds since 1970.
    public var times = 0
    /// The number of readings with an axis that is missing or not a number.
    public var axes = 0
    /// The number of readings that are not an object with a name, a time and values.
    public var shapes = 0

    /// Counts of zero.
    public init() {}

    /// The number of readings with an error.
    public var faulty: Int { times + axes + shapes }
}
