import Wire

/// A moment by two clocks.
public struct Instant: Sendable, Equatable {
    /// UTC, milliseconds since 1970; a clock that people and networks set.
    public var wall: Int64
    /// Milliseconds since the page was opened (`performance.now()`); never set, but on some phones it stands still while
    /// the phone sleeps.
    public var monotonic: Int64

    /// A moment by both.
    public init(wall: Int64, monotonic: Int64) {
        self.wall = wall
        self.monotonic = monotonic
    }
}

/// What the difference of two clocks means.
public enum ClockRules {
    /// The two clocks may differ by as much, milliseconds, from one kept event to the next, and nothing is meant by it.
    public static let agreement: Int64 = 1_500
    /// The longest sleep or absence, milliseconds, that a session goes on after. A difference beyond it is a clock that
    /// was set; an absence beyond it, a session that was left.
    public static let longestAbsence: Int64 = 1_800_000
    /// All pauses of a session count as at most so much, milliseconds: a day. So everything that is counted of a session
    /// is small, whatever its clocks say.
    public static let longestPauses: Int64 = 86_400_000
}

extension Instant {
    /// How much further the wall clock went since `earlier` than the monotonic one, milliseconds.
    func drift(since earlier: Instant) -> Int64 {
        wall.minusClamped(earlier.wall).minusClamped(monotonicMilliseconds(since: earlier))
    }

    /// The time that truly passed since `earlier` in the same page, milliseconds: by the monotonic clock, and the sleep
    /// that it missed.
    func milliseconds(since earlier: Instant) -> Int64 {
        let awake = monotonicMilliseconds(since: earlier)
        let drift = drift(since: earlier)
        let isSleep = drift > ClockRules.agreement && drift <= ClockRules.longestAbsence
        return isSleep ? awake.plusClamped(drift) : awake
    }

    /// Never negative: a page's clock is held from going back, and a blob in which it does is refused.
    private func monotonicMilliseconds(since earlier: Instant) -> Int64 {
        monotonic.minusClamped(earlier.monotonic)
    }
}
