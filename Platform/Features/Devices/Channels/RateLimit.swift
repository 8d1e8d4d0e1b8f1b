/// A rate limit: a number of items a second, also the largest burst.
struct RateLimit {
    private let aSecond: Double
    private var left: Double
    private var at: UInt64

    /// Creates a rate limit.
    ///
    /// - Parameter now: nanoseconds of a monotonic clock.
    init(aSecond: Double, now: UInt64) {
        self.aSecond = aSecond
        left = aSecond
        at = now
    }

    mutating func takes(now: UInt64) -> Bool {
        left = min(aSecond, left + Double(now - min(at, now)) / 1e9 * aSecond)
        at = max(at, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
