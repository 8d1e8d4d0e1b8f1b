// Safe: the loop alone reads and writes them; no interrupt does.
/// The count up to which milliseconds were taken.
nonisolated(unsafe) private var lastCount: UInt32 = 0
// Safe: as above.
/// The milliseconds since the reset.
nonisolated(unsafe) private var total: UInt32 = 0

/// Milliseconds of a counter that wraps around.
public enum Milliseconds {
    /// The milliseconds since the reset, at a count of the board's timer, which is looked at before it has wrapped around.
    ///
    /// - Parameter ticks: the counts of a millisecond.
    @inline(__always)
    public static func passed(at count: UInt32, ticks: UInt32) -> UInt32 {
        let passed = (count &- lastCount) / ticks
        lastCount &+= passed &* ticks
        total &+= passed
        return total
    }

    /// Puts the time forward: a bench lets a day pass so.
    public static func putForward(_ milliseconds: UInt32) { total &+= milliseconds }

    /// Returns no sooner than a number of microseconds from now.
    ///
    /// - Parameters:
    ///   - ticks: the counts of a microsecond.
    ///   - count: the board's timer.
    ///   - feed: feeds the watchdog, once a second.
    @inline(__always)
    public static func wait(microseconds: UInt32, ticks: UInt32, count: () -> UInt32, feed: () -> Void) {
        var left = microseconds
        while left > 0 {
            let step = min(left, 1_000_000)
            let start = count()
            while count() &- start < step &* ticks {}
            left -= step
            feed()
        }
    }
}
