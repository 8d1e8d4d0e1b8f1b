import Wire

/// The orientation filter over a gyroscope and an accelerometer: the gyroscope follows fast movements, and the
/// accelerometer, whose mean is gravity, corrects its drift. The heading is not corrected, and drifts.
///
/// Source: Mahony, Hamel and Pflimlin, “Nonlinear Complementary Filters on the Special Orthogonal Group”, IEEE
/// Transactions on Automatic Control 53 (2008), section IV-C, the explicit complementary filter with bias correction;
/// each step of the rotation is exact for a constant rate.
public struct OrientationFilter: Sendable {
    /// The gains and limits of the filter.
    public struct Gains: Sendable, Equatable {
        /// The correction towards the accelerometer's up, a second.
        public var proportional = 0.5
        /// The correction of the gyroscope's bias, a second squared.
        public var integral = 0.02
        /// The difference from 1 g, in g, from which on an acceleration is a movement and says nothing about up.
        public var restTolerance = 0.25
        /// The longest pause between samples, seconds; a longer one is a gap in which the rotation is not known.
        public var longestStep = 0.5
        /// The greatest rate and acceleration that a device can feel, rad/s and g: a sample beyond it is ignored, for
        /// one of them would stay in the bias for ever.
        public var greatest = 10_000.0

        /// The default gains.
        public init() {}
    }

    /// The rotation from the device's axes to those of the earth; nil before the first acceleration.
    public private(set) var orientation: Quaternion?
    /// The gyroscope's bias: its reading at rest, as far as it is known, rad/s; the part about the vertical cannot be
    /// found.
    public private(set) var bias = Vector3.zero
    /// The number of gaps.
    public private(set) var gaps = 0

    private let gains: Gains
    private var before: Int64?

    /// A filter without any samples.
    public init(gains: Gains = Gains()) { self.gains = gains }

    /// Adds a sample of both sensors.
    ///
    /// - Parameters:
    ///   - rate: rad/s.
    ///   - acceleration: with gravity, g.
    ///   - time: microseconds; a sample that is not later than the one before is ignored, as is one with values that
    ///     are not numbers.
    public mutating func add(rate: Vector3, acceleration: Vector3, at time: Int64) {
        guard rate.magnitude <= gains.greatest, acceleration.magnitude <= gains.greatest else { return }
        guard let orientation, let before else {
            orientation = Quaternion(levelling: acceleration)
            self.before = time
            return
        }
        let step = Double(time.minusClamped(before)) / 1_000_000
        guard step > 0 else { return }
        self.before = time
        guard step <= gains.longestStep else {
            gaps += 1
            // Of a device at rest up is known again at once; the heading stays.
            if (acceleration.magnitude - 1).magnitude <= gains.restTolerance {
                self.orientation = Self.levelled(orientation, by: acceleration)
            }
            return
        }
        var turned = orientation * Quaternion(rotation: (rate - bias) * step)
        let length = acceleration.magnitude
        if (length - 1).magnitude <= gains.restTolerance, let measured = acceleration.normalized {
            // Compared with where up is thought to be now, not where it was before the step.
            let error = measured.cross(turned.up)
            bias = bias - error * (gains.integral * step)
            turned = turned * Quaternion(rotation: error * (gains.proportional * step))
        }
        self.orientation = turned.normalized
    }

    /// Gravity as the accelerometer would feel it alone, in the device, g; nil before the first sample.
    public var gravity: Vector3? { orientation?.up }

    /// An acceleration without its gravity, in the device, g.
    public func linear(_ acceleration: Vector3) -> Vector3? { gravity.map { acceleration - $0 } }

    private static func levelled(_ orientation: Quaternion, by acceleration: Vector3) -> Quaternion {
        // What is up by the sensor, in the earth's axes as they were thought to be, is turned to z.
        guard let turn = Quaternion(levelling: orientation.rotating(acceleration)) else { return orientation }
        return (turn * orientation).normalized
    }
}
