import Signals
import Wire

/// The counter of steps in accelerations, however the phone is carried: each step is one swing of their vertical part.
///
/// The vertical is where gravity was for some seconds. The magnitude would do for somebody who walks, and has two swings
/// for each time that a phone is shaken sideways. It has to swing all the same: of a phone that is rocked in place gravity leaves
/// the vertical and comes back, and is as long as before.
///
/// After Zhao, “Full-Featured Pedometer Design Realized with 3-Axis Digital Accelerometer”, Analog Dialogue 44-06
/// (2010): a smoothed acceleration that crosses a threshold, which follows the swings, at intervals that legs can keep;
/// and the first steps count once there are several, for a single jolt is none.
public struct StepCounter: Sendable {
    /// The limits of a step.
    public struct Limits: Sendable, Equatable {
        /// The least interval between steps, microseconds: five a second at most.
        public var least: Int64 = 200_000
        /// The longest interval between steps of one walk, microseconds.
        public var most: Int64 = 2_000_000
        /// The number of steps in a row that count as walking.
        public var inARow = 4
        /// The least swing either way that is a step, g.
        public var leastSwing = 0.04

        /// The default limits.
        public init() {}
    }

    /// The number of steps until now.
    public private(set) var count = 0

    private let limits: Limits
    private var before: Int64?
    /// Gravity, following the acceleration slowly, in two steps: a single one would sway with a phone that is shaken.
    private var (followed, gravity) = (Vector3.zero, Vector3.zero)
    private var smooth = 1.0
    private var mean = 1.0
    /// The swing of the vertical part, following it down slowly.
    private var swing = 0.0
    /// The magnitude, smoothed as the vertical part, and its range since the last swing.
    private var (length, lowest, highest) = (1.0, 1.0, 1.0)
    private var isUp = false
    private var lastStep: Int64?
    private var row = 0

    /// A counter without any steps.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Adds an acceleration with gravity, g, at a time in microseconds; one that is not later than the one before is
    /// ignored.
    public mutating func add(_ acceleration: Vector3, at time: Int64) {
        guard acceleration.magnitude.isFinite else { return }
        guard let before else {
            self.before = time
            (followed, gravity) = (acceleration, acceleration)
            (smooth, mean) = (acceleration.magnitude, acceleration.magnitude)
            (length, lowest, highest) = (smooth, smooth, smooth)
            return
        }
        let step = Double(time.minusClamped(before)) / 1_000_000
        guard step > 0 else { return }
        self.before = time
        // Low passes of the first order, exact for any interval: 2 s, twice, for what is vertical, 50 ms against noise,
        // 2 s for what the swings are about.
        let part = 1 - exp(-step / 2)
        followed = followed + (acceleration - followed) * part
        gravity = gravity + (followed - gravity) * part
        let vertical = gravity.normalized.map { acceleration.dot($0) } ?? acceleration.magnitude
        let smoothing = 1 - exp(-step / 0.05)
        smooth += (vertical - smooth) * smoothing
        length += (acceleration.magnitude - length) * smoothing
        (lowest, highest) = (min(lowest, length), max(highest, length))
        mean += (smooth - mean) * (1 - exp(-step / 2))
        let deviation = smooth - mean
        swing = max(deviation.magnitude, swing * exp(-step / 2))
        let threshold = max(limits.leastSwing, swing * 0.4)
        if isUp {
            if deviation < -threshold { isUp = false }
        } else if deviation > threshold {
            isUp = true
            if highest - lowest > limits.leastSwing { countStep(at: time) }
            (lowest, highest) = (length, length)
        }
    }

    private mutating func countStep(at time: Int64) {
        if let last = lastStep {
            let interval = time.minusClamped(last)
            // What shakes faster than legs can go is no walking.
            if interval < limits.least || interval > limits.most { row = 0 }
        }
        lastStep = time
        row += 1
        if row == limits.inARow { count += limits.inARow } else if row > limits.inARow { count += 1 }
    }
}
