import Wire

/// A message that the app Sensor Logger pushes, by HTTP or MQTT.
///
///     {"messageId":0,"sessionId":"…","deviceId":"…","payload":[
///      {"name":"accelerometer","time":1698501144401773000,"values":{"x":0,"y":0,"z":0},"accuracy":3}]}
///
/// `time` is in nanoseconds since 1970. Source: its PUSHING.md and UNITS.md. What a reading cannot say is left out and
/// counted, and the others of the message are taken.
public struct SensorLoggerMessage: Sendable {
    /// How much a message may hold.
    public struct Limits: Sendable, Equatable {
        /// Bytes: ten seconds of twenty sensors at 200 Hz are 4 MB.
        public var bytes = 8 << 20
        /// Readings.
        public var readings = 60_000
        /// Bytes of an identifier, and of an annotation.
        public var textBytes = 500

        public init() {}
    }

    /// A sample as it was sent, in the app's units.
    public struct Reading: Sendable, Equatable {
        public var sensor: SensorLoggerSensor
        /// UTC microseconds.
        public var time: Int64
        /// In the order of the sensor's kind.
        public var values: [Double]
    }

    /// What somebody wrote down while recording.
    public struct Annotation: Sendable, Equatable {
        /// UTC microseconds.
        public var time: Int64
        /// UTF-8.
        public var text: [UInt8]
    }

    /// Rises from message to message of a session; nil where there is none.
    public internal(set) var messageId: Int64?
    /// Of one recording; empty where there is none.
    public internal(set) var sessionId: [UInt8] = []
    /// Empty where there is none.
    public internal(set) var deviceId: [UInt8] = []
    public internal(set) var readings: [Reading] = []
    public internal(set) var annotations: [Annotation] = []
    /// Readings that could not be taken, by why.
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

    /// Which phone sent it, as far as its readings say: only Android has a total acceleration, and only iOS sends an
    /// acceleration in g. Nil where they do not say; the gravity of a phone that lies on its back says it too, and a
    /// person can.
    public var likelySource: SensorSource? {
        for reading in readings {
            if reading.sensor == .totalAcceleration { return .sensorLoggerAndroid }
            guard reading.sensor == .accelerometerUncalibrated else { continue }
            let vector = Vector3(reading.values[0], reading.values[1], reading.values[2])
            if vector.magnitude > 0.5, vector.magnitude < 2 { return .sensorLoggerIOS }
            if vector.magnitude > 7, vector.magnitude < 13 { return .sensorLoggerAndroid }
        }
        return nil
    }
}

/// The sensors of Sensor Logger that the lab understands.
public enum SensorLoggerSensor: UInt8, Sendable, CaseIterable {
    /// Without gravity, on both.
    case accelerometer
    case accelerometerUncalibrated
    /// With gravity, Android alone.
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

    /// In small letters; files and some versions write it with large ones.
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

    /// What its values are called, in the order of ``SensorLoggerMessage/Reading/values``.
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

    /// What it measures; a barometer two things, of one value each.
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

/// Readings of a message that could not be taken, by why.
public struct SensorLoggerSkips: Sendable, Equatable {
    /// Of sensors that the lab has no use for, such as `location` and `battery`: nothing is wrong with them.
    public var unknownSensors = 0
    /// The time is missing or is no nanoseconds since 1970.
    public var times = 0
    /// An axis is missing or is no number.
    public var axes = 0
    /// The reading is no object with a name, a time and values.
    public var shapes = 0

    public init() {}

    /// Those in which something is wrong.
    public var faulty: Int { times + axes + shapes }
}
