/// The units and signs in which a message of Sensor Logger's was written, as far as it tells.
///
/// An iPhone writes accelerations with the opposite signs of Android's, and the uncalibrated one in g, unless *Standardise
/// Units & Frames* is on in the app: then it writes as Android does (CROSSPLATFORM.md and UNITS.md of the app). No message
/// says whether it is, so that what was measured has to.
extension SensorLoggerMessage {
    /// The source that the readings prove; nil where they do not tell:
    /// - Only Android has a total acceleration.
    /// - The uncalibrated acceleration is in g from an iPhone, and else in m/s²: the middle half of the message is about one
    ///   of the two. A phone that falls for a moment reads in m/s² what a resting one reads in g.
    /// - The orientation says how far the screen looks up, whatever the signs: that share of gravity is +z in Android's
    ///   frame, and -z in the iPhone's (COORDINATES.md).
    public var likelySource: SensorSource? {
        if readings.contains(where: { $0.sensor == .totalAcceleration }) { return .sensorLoggerAndroid }
        return sourceByUnit ?? sourceByOrientation
    }

    /// Whether it has readings whose signs or units differ from frame to frame.
    public var hasFrame: Bool { readings.contains { $0.sensor.hasFrame } }

    /// The fewest readings of the uncalibrated acceleration that prove its unit: a tenth of a second at the app's usual 100
    /// Hz. Of fewer, those of one knock or of the moment in which a sensor starts may be most, and what is proved once
    /// holds for the whole recording.
    private static let leastProof = 10

    private var sourceByUnit: SensorSource? {
        var magnitudes: [Double] = []
        for reading in readings where reading.sensor == .accelerometerUncalibrated {
            magnitudes.append(Vector3(reading.values[0], reading.values[1], reading.values[2]).magnitude)
        }
        guard magnitudes.count >= Self.leastProof else { return nil }
        magnitudes.sort()
        // The median, and as many readings about it as away from it.
        let (low, high) = (magnitudes[magnitudes.count / 4], magnitudes[magnitudes.count - 1 - magnitudes.count / 4])
        if low > 0.5, high < 2 { return .sensorLoggerIOS }
        if low > 7, high < 13 { return .sensorLoggerAndroid }
        return nil
    }

    private var sourceByOrientation: SensorSource? {
        // No hand turns far in so many microseconds.
        let longest: Int64 = 50_000
        let orientations = readings.filter { $0.sensor == .orientation }.prefix(1_000)
        for reading in readings.lazy.filter({ $0.sensor == .gravity }).prefix(100) {
            guard
                let orientation = orientations.first(where: {
                    max($0.time, reading.time) - min($0.time, reading.time) <= longest
                })
            else { continue }
            // The lower right number of the rotation's matrix; turned round it is the same.
            let (x, y) = (orientation.values[1], orientation.values[2])
            let up = 1 - 2 * (x * x + y * y)
            let z = reading.values[2] / SensorSource.standardGravity
            // On its edge a phone does not tell, and what does not fit is no gravity.
            guard up.magnitude > 0.3, (up.magnitude - z.magnitude).magnitude < 0.2 else { continue }
            return up * z > 0 ? .sensorLoggerAndroid : .sensorLoggerIOS
        }
        return nil
    }
}

extension SensorLoggerSensor {
    /// Whether its signs or units differ from frame to frame.
    var hasFrame: Bool {
        switch self {
        case .accelerometer, .accelerometerUncalibrated, .totalAcceleration, .gravity: true
        default: false
        }
    }
}

extension SensorSource {
    /// The factor that makes samples of an acceleration right which were taken for those of another phone's.
    ///
    /// - Parameter mistaken: the source for which they were taken, of Sensor Logger as well.
    public func correction(of kind: SensorKind, from mistaken: SensorSource) -> Double {
        switch kind {
        case .linearAcceleration, .gravity: factor(for: kind) / mistaken.factor(for: kind)
        // Only the uncalibrated one comes from both, from an iPhone in g.
        case .accelerometer:
            uncalibratedFactor / mistaken.uncalibratedFactor
        default: 1
        }
    }

    private var uncalibratedFactor: Double { self == .sensorLoggerIOS ? -1 : factor(for: .accelerometer) }
}
