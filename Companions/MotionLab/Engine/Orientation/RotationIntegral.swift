import Wire

/// The sum of a gyroscope's rates: the rotation of a device since the start, and its drift.
///
/// A rate that is a little off adds up to an angle without a bound. Beside the sum stands what is known of that: the
/// mean rate of the device while it lay still, which is the drift to be expected. What somebody turned is no drift.
public struct RotationIntegral: Sendable {
    /// The rotation about each axis on its own, radians; shown by a page beside x, y, z, and right for small angles or
    /// one axis.
    public private(set) var angles = Vector3.zero
    /// The rotation of all axes together, from the device's axes now to those at the start.
    public private(set) var orientation = Quaternion.identity
    /// The seconds that were added up, without gaps.
    public private(set) var seconds = 0.0
    /// The number of pauses longer than ``longestStep``, in which the device may have been turned.
    public private(set) var gaps = 0

    /// The rate at rest.
    public private(set) var resting = RestingRate()

    /// The greatest rate that is added, rad/s.
    public static let greatest = 10_000.0
    /// The longest pause between samples, microseconds; a longer one is a gap.
    public let longestStep: Int64

    private var before: (time: Int64, rate: Vector3)?

    /// A sum without any samples.
    public init(longestStep: Int64 = 500_000) { self.longestStep = longestStep }

    /// Adds a sample, rad/s, at a time in microseconds. One that is not later than the one before is ignored, and so is
    /// a rate that no device can feel, for it would stay in the sum for ever.
    public mutating func add(_ rate: Vector3, at time: Int64) {
        guard rate.magnitude <= Self.greatest else { return }
        resting.add(rate, at: time)
        guard let before else {
            before = (time, rate)
            return
        }
        let step = time.minusClamped(before.time)
        guard step > 0 else { return }
        self.before = (time, rate)
        guard step <= longestStep else {
            gaps += 1
            return
        }
        let dt = Double(step) / 1_000_000
        let turned = (before.rate + rate) * (dt / 2)
        angles = angles + turned
        orientation = (orientation * Quaternion(rotation: turned)).normalized
        seconds += dt
    }

    /// The angle between how the device lies and how it lay at the start, by the sum, degrees from 0 to 180.
    public var awayDegrees: Double { orientation.angle * 180 / .pi }

    /// The drift of the sum to be expected until now: the rate at rest times the seconds that were added up, degrees;
    /// nil before the device lay still.
    public var driftDegrees: Double? { resting.degreesPerMinute.map { $0 * seconds / 60 } }
}
