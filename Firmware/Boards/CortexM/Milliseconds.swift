// Safe: the loop alone reads and writes them; no interrupt does.
/// The count of microseconds up to which milliseconds were taken.
nonisolated(unsafe) private var lastCount: UInt32 = 0
// Safe: as above.
/// The milliseconds since the reset.
nonisolated(unsafe) private var total: UInt32 = 0

/// Milliseconds of a counter of microseconds that wraps around.
public enum Milliseconds {
    /// The milliseconds since the reset, at a count of the board's timer, which is looked at once in 71 minutes at least.
    public static func passed(at count: UInt32) -> UInt32 {
        let passed = (count &- lastCount) / 1_000
        lastCount &+= passed &* 1_000
        total &+= passed
        return total
    }
}
