import Wire

/// A fall, from the first sample at which nothing was felt to the impact.
public struct FreeFall: Sendable, Equatable {
    /// Microseconds.
    public var start: Int64
    /// Microseconds.
    public var end: Int64
    /// By how much the duration may be off, seconds: half of the interval between samples at each end.
    public var uncertainty: Double

    /// How long it fell.
    public var seconds: Double { Double(end - start) / 1_000_000 }
    /// How deep it fell from rest: half of g times the square of the time, m. Without the drag of the air.
    public var metres: Double { SensorSource.standardGravity / 2 * seconds * seconds }
    /// By how much the height may be off: g t dt, m.
    public var metresUncertainty: Double { SensorSource.standardGravity * seconds * uncertainty }
}

/// Finds falls in accelerations: at rest an accelerometer reads 1 g, and in free fall 0 g.
public struct FreeFallTimer: Sendable {
    /// What counts as a fall.
    public struct Limits: Sendable, Equatable {
        /// Below it nothing is felt, g. A phone that turns while it falls feels some of its own spin.
        public var threshold = 0.35
        /// What is shorter is a shake, microseconds: 8 cm.
        public var leastMicroseconds: Int64 = 130_000
        /// What is longer is a sensor that says nought, microseconds: 20 m.
        public var mostMicroseconds: Int64 = 2_000_000
        /// A fall with a pause longer than this in it cannot be timed, microseconds.
        public var longestStep: Int64 = 60_000

        public init() {}
    }

    private let limits: Limits
    private var before: (time: Int64, magnitude: Double)?
    private var start: (time: Int64, step: Int64)?

    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether it is falling now, for what is known.
    public var isFalling: Bool { start != nil }

    /// Takes an acceleration with gravity, g, at a time in microseconds; what is not later than the one before is
    /// passed over.
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

    /// When the threshold was crossed, in a straight line between two samples.
    private func crossing(_ one: (time: Int64, magnitude: Double), _ other: (time: Int64, magnitude: Double)) -> Int64 {
        let share = (limits.threshold - one.magnitude) / (other.magnitude - one.magnitude)
        return one.time + Int64((share * Double(other.time - one.time)).rounded())
    }
}
