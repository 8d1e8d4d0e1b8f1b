import Signals
import Wire

/// The rate that a gyroscope reads while the device lies still: its drift, which adds up in every sum of its rates.
///
/// While somebody turns the device nothing is known of it. It lies still through a stretch of a second in which no
/// rate goes up and down by more than a hand that holds it trembles, and none is fast.
public struct RestingRate: Sendable {
    /// The length of a stretch, microseconds.
    public static let stretch: Int64 = 1_000_000
    /// The widest that a rate goes up and down in a stretch at rest, rad/s; a hand that holds a phone still trembles by
    /// several times as much.
    public static let widest = 0.02
    /// The longest pause between samples of a stretch, microseconds.
    public static let longestStep: Int64 = 500_000

    /// Whether the device lay still through the last stretch.
    public private(set) var isAtRest = false
    /// The time at rest that is known, seconds.
    public private(set) var seconds = 0.0

    private var sum = Vector3.zero
    private var before: Int64?
    private var start: (time: Int64, sum: Vector3, count: Int, low: Vector3, high: Vector3)?

    /// A gyroscope of which nothing is known.
    public init() {}

    /// The mean rate at rest, rad/s; nil before the device lay still.
    public var rate: Vector3? { seconds > 0 ? sum * (1 / seconds) : nil }

    /// The drift of a sum of rates, degrees a minute; nil before the device lay still.
    public var degreesPerMinute: Double? { rate.map { $0.magnitude * 60 * 180 / .pi } }

    /// Adds a rate, rad/s, at a time in microseconds; one that is not later than the one before is ignored.
    public mutating func add(_ rate: Vector3, at time: Int64) {
        guard rate.magnitude.isFinite, time > before ?? .min else { return }
        let isApart = before.map { time.minusClamped($0) > Self.longestStep } ?? true
        before = time
        guard !isApart, var begun = start else {
            if isApart { isAtRest = false }
            start = (time, rate, 1, rate, rate)
            return
        }
        begun.sum = begun.sum + rate
        begun.count += 1
        begun.low = Vector3(min(begun.low.x, rate.x), min(begun.low.y, rate.y), min(begun.low.z, rate.z))
        begun.high = Vector3(max(begun.high.x, rate.x), max(begun.high.y, rate.y), max(begun.high.z, rate.z))
        let width = begun.high - begun.low
        let mean = begun.sum * (1 / Double(begun.count))
        guard max(width.x, width.y, width.z) <= Self.widest, mean.magnitude < Movement.stillBelow else {
            // What moves is known at once; what lies still only when a stretch is over.
            isAtRest = false
            start = (time, rate, 1, rate, rate)
            return
        }
        start = begun
        let lasted = time.minusClamped(begun.time)
        guard lasted >= Self.stretch else { return }
        isAtRest = true
        sum = sum + mean * (Double(lasted) / 1_000_000)
        seconds += Double(lasted) / 1_000_000
        start = (time, rate, 1, rate, rate)
    }
}
