import Wire

/// A fall, from the first sample at which nothing was felt to the impact.
public struct FreeFall: Sendable, Equatable {
    /// The start, microseconds.
    public var start: Int64
    /// The end, microseconds.
    public var end: Int64
    /// The uncertainty of the duration, seconds: half of the interval between samples at each end.
    public var uncertainty: Double

    /// The duration of the fall.
    public var seconds: Double { Double(end - start) / 1_000_000 }
    /// The height of the fall from rest: half of g times the square of the time, m. Without the drag of the air.
    public var metres: Double { SensorSource.standardGravity / 2 * seconds * seconds }
    /// The uncertainty of the height: g t dt, m.
    public var metresUncertainty: Double { SensorSource.standardGravity * seconds * uncertainty }
}

/// The detection of falls in accelerations: at rest an accelerometer reads 1 g, and in free fall 0 g.
public struct FreeFallTimer: Sendable {
    /// The limits of a fall.
    public struct Limits: Sendable, Equatable {
        /// The acceleration below which a device falls, g. A phone that turns while it falls feels some of its own
        /// spin.
        public var threshold = 0.35
        /// The shortest fall, microseconds: 8 cm. A shorter one is a shake.
        public var leastMicroseconds: Int64 = 130_000
        /// The longest fall, microseconds: 20 m. A longer one is a sensor that reads 0.
        public var mostMicroseconds: Int64 = 2_000_000
        /// The longest pause between samples in a fall that can be timed, microseconds.
        public var longestStep: Int64 = 60_000

        /// The default limits.
        public init() {}
    }

    private let limits: Limits
    private var before: (time: Int64, magnitude: Double)?
    private var start: (time: Int64, step: Int64)?

    /// A timer without any samples.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether the device is falling now, as far as is known.
    public var isFalling: Bool { start != nil }

    /// Adds an acceleration with gravity, g, at a time in microseconds; one that is not later than the one before is
    /// ignored.
    ///
    /// - Returns: the fall that ends with it.
    public mutating func add(_ acceleration: Vector3, at time: Int64) -> FreeFall? {
        let magnitude = acceleration.magnitude
        guard magnitude.isFinite else { return nil }
        guard let before else {
            self.before = (time, magnitude)
            return nil
        }
        let step = time.minusClamped(before.time)
        guard step > 0 else { return nil }
        self.before = (time, magnitude)
        guard step <= limits.longestStep else {
            start = nil
            return nil
        }
        if magnitude < limits.threshold {
            if start == nil, before.magnitude >= limits.threshold {
                start = (crossing(before, (time, magnitude)), step)
            }
            return nil
        }
        guard let begun = start else { return nil }
        start = nil
        let end = crossing(before, (time, magnitude))
        guard end - begun.time >= limits.leastMicroseconds, end - begun.time <= limits.mostMicroseconds else {
            return nil
        }
        return FreeFall(start: begun.time, end: end, uncertainty: Double(begun.step + step) / 2 / 1_000_000)
    }

    /// The time at which the threshold was crossed, in a straight line between two samples.
    private func crossing(_ one: (time: Int64, magnitude: Double), _ other: (time: Int64, magnitude: Double)) -> Int64 {
        let share = (limits.threshold - one.magnitude) / (other.magnitude - one.magnitude)
        return one.time + Int64((share * Double(other.time - one.time)).rounded())
    }
}
