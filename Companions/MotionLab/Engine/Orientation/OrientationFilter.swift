import Wire

/// Where up is, from a gyroscope and an accelerometer: the gyroscope follows fast movements, and the accelerometer,
/// whose mean is gravity, holds it from drifting away. The heading has nothing to hold on to, and drifts.
///
/// Source: Mahony, Hamel and Pflimlin, “Nonlinear Complementary Filters on the Special Orthogonal Group”, IEEE
/// Transactions on Automatic Control 53 (2008), section IV-C, the explicit complementary filter with bias correction;
/// each step of the rotation is exact for a constant rate.
public struct OrientationFilter: Sendable {
    /// How the filter is tuned.
    public struct Gains: Sendable, Equatable {
        /// Towards where the accelerometer says up is, a second.
        public var proportional = 0.5
        /// What is learned of the gyroscope's bias, a second squared.
        public var integral = 0.02
        /// An acceleration this far from 1 g is a movement and says nothing about up, g.
        public var restTolerance = 0.25
        /// A pause longer than this is a gap: the rotation within it is not known, seconds.
        public var longestStep = 0.5
        /// A rate or an acceleration beyond it is none that a device can feel, rad/s and g: the sample is passed over, for
        /// one of them would stay in the bias for ever.
        public var greatest = 10_000.0

        public init() {}
    }

    /// From the device's axes to those of the earth; nil before the first acceleration.
    public private(set) var orientation: Quaternion?
    /// What the gyroscope says of a device at rest, as far as it is known, rad/s; what is about the vertical cannot be
    /// found.
    public private(set) var bias = Vector3.zero
    /// How many gaps there were.
    public private(set) var gaps = 0

    private let gains: Gains
    private var before: Int64?

    /// A filter that knows nothing yet.
    public init(gains: Gains = Gains()) { self.gains = gains }

    /// Takes a sample of both sensors.
    ///
    /// - Parameters:
    ///   - rate: rad/s.
    ///   - acceleration: with gravity, g.
    ///   - time: microseconds; what is not later than the sample before is passed over, as is what is no number.
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
