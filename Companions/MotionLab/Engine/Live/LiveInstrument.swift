import Signals
import Wire

/// The live measurements that a page of the lab shows, computed from the samples that the browser gives it.
public struct LiveInstrument: Sendable {
    /// The samples a second that are wanted of each sensor; 0 for all that the device gives.
    public private(set) var wantedHertz = 0.0
    /// The rotation of the device since the start.
    public private(set) var rotation = RotationIntegral()
    /// The direction of up, by gyroscope and accelerometer.
    public private(set) var orientation = OrientationFilter()
    /// The steps that were counted.
    public private(set) var steps = StepCounter()
    /// The fall that ended last.
    public private(set) var fall: FreeFall?
    /// The number of falls.
    public private(set) var falls = 0
    /// The height above where the stream began.
    public var altitude = RelativeAltitude()

    private var sensors: [LiveSensor?] = [LiveSensor?](repeating: nil, count: Int(UInt8.max) + 1)
    private var fallTimer = FreeFallTimer()
    /// The acceleration, followed slowly: gravity, as far as it is known without a gyroscope.
    private var slow: (felt: Vector3, time: Int64)?
    /// The time that the slow acceleration follows in, seconds.
    private static let slowness = 1.0

    /// An instrument without any samples.
    public init() {}

    /// Whether the device falls now, as far as is known.
    public var isFalling: Bool { fallTimer.isFalling }

    /// The sensor of a kind; nil before the first sample.
    public func sensor(_ kind: SensorKind) -> LiveSensor? { sensors[Int(kind.rawValue)] }

    /// Sets the samples a second that are wanted; 0 for all. Another number is clamped to 1 to 1,000.
    public mutating func want(hertz: Double) {
        wantedHertz = hertz > 0 ? min(max(hertz, 1), 1_000) : 0
        for place in sensors.indices { sensors[place]?.wantedHertz = wantedHertz }
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - values: as the source has them; nil for an axis that the device did not send.
    ///   - time: UTC microseconds.
    @discardableResult
    public mutating func take(
        _ values: [Double?], of kind: SensorKind, from source: SensorSource, at time: Int64
    ) -> LiveSensor.Outcome {
        let place = Int(kind.rawValue)
        var sensor = sensors[place] ?? LiveSensor(kind: kind)
        sensor.wantedHertz = wantedHertz
        let outcome = sensor.take(values, from: source, at: time)
        sensors[place] = sensor
        guard outcome != .refused, let sample = source.normalized(values, as: kind) else { return outcome }
        // Sums and falls are made of all samples, also of those that are not shown.
        switch kind {
        case .gyroscope:
            let rate = Vector3(sample[0], sample[1], sample[2])
            rotation.add(rate, at: time)
            if let felt = self.sensor(.accelerometer)?.latest, felt.count == 3 {
                orientation.add(rate: rate, acceleration: Vector3(felt[0], felt[1], felt[2]), at: time)
            }
        case .accelerometer:
            let felt = Vector3(sample[0], sample[1], sample[2])
            steps.add(felt, at: time)
            follow(felt, at: time)
            if let ended = fallTimer.add(felt, at: time) {
                fall = ended
                falls += 1
            }
        case .barometer: altitude.add(sample[0])
        default: break
        }
        return outcome
    }

    /// Sets the rotation back to zero.
    public mutating func zeroRotation() { rotation = RotationIntegral() }

    private mutating func follow(_ felt: Vector3, at time: Int64) {
        guard let before = slow else {
            slow = (felt, time)
            return
        }
        let step = Double(time.minusClamped(before.time)) / 1_000_000
        guard step > 0 else { return }
        slow = (before.felt + (felt - before.felt) * (1 - exp(-step / Self.slowness)), time)
    }

    /// Whether a gyroscope's rates come beside the accelerations.
    var isTurningKnown: Bool {
        guard let turning = sensor(.gyroscope), let felt = sensor(.accelerometer), !turning.latest.isEmpty else {
            return false
        }
        return felt.time.minusClamped(turning.time) < 1_000_000
    }

    /// Gravity in the device, g, as far as it is known: by the orientation filter, and without a gyroscope what is felt
    /// for a second or so; nil before the first acceleration.
    public var gravity: Vector3? { (isTurningKnown ? orientation.gravity : nil) ?? slow?.felt }

    /// The acceleration without gravity, in g: the device's own, and where it sends none that without ``gravity``; nil
    /// before the first.
    public var linearAcceleration: Vector3? {
        if let linear = sensor(.linearAcceleration)?.latest, linear.count == 3 {
            return Vector3(linear[0], linear[1], linear[2])
        }
        guard let felt = sensor(.accelerometer)?.latest, felt.count == 3, let gravity else { return nil }
        return Vector3(felt[0], felt[1], felt[2]) - gravity
    }

    /// The tilt of the device, by ``gravity``: a device that is shaken is not tilted by it; nil before the first
    /// acceleration, and in free fall.
    public var tilt: Tilt? {
        guard let felt = sensor(.accelerometer), let magnitude = felt.magnitude, magnitude > 0.3, let gravity else {
            return nil
        }
        return Tilt(gravity)
    }

    /// The movement of the device now; nil before the first rotation.
    public var movement: Movement? {
        guard let rate = sensor(.gyroscope)?.latest, rate.count == 3 else { return nil }
        return Movement(rate: Vector3(rate[0], rate[1], rate[2]))
    }
}
