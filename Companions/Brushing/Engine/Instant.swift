import Wire

/// A moment by two clocks.
public struct Instant: Sendable, Equatable {
    /// The wall clock, in UTC milliseconds since 1970, which people and networks set.
    public var wall: Int64
    /// The monotonic clock, in milliseconds since the page was opened (`performance.now()`). It is never set, but on
    /// some phones it stops while the phone sleeps.
    public var monotonic: Int64

    /// Creates a moment.
    public init(wall: Int64, monotonic: Int64) {
        self.wall = wall
        self.monotonic = monotonic
    }
}

/// The rules for differences between the two clocks.
public enum ClockRules {
    /// The difference of the two clocks from one stored event to the next that is ignored, in milliseconds.
    public static let agreement: Int64 = 1_500
    /// The longest sleep or absence after which a session continues, in milliseconds. A greater difference of the
    /// clocks means that one was set; a greater absence, that the session was abandoned.
    public static let longestAbsence: Int64 = 1_800_000
    /// The limit for all pauses of a session together, in milliseconds: a day. So everything that is counted is small,
    /// whatever the clocks say.
    public static let longestPauses: Int64 = 86_400_000
}

extension Instant {
    /// The time by which the wall clock advanced more than the monotonic one since `earlier`, in milliseconds.
    func drift(since earlier: Instant) -> Int64 {
        wall.minusClamped(earlier.wall).minusClamped(monotonicMilliseconds(since: earlier))
    }

    /// The real time since `earlier` in the same page, in milliseconds: that of the monotonic clock, and the sleep that
    /// it missed.
    func milliseconds(since earlier: Instant) -> Int64 {
        let awake = monotonicMilliseconds(since: earlier)
        let drift = drift(since: earlier)
        let isSleep = drift > ClockRules.agreement && drift <= ClockRules.longestAbsence
        return isSleep ? awake.plusClamped(drift) : awake
    }

    /// The monotonic time since `earlier`. It is never negative: a page's clock is kept from going back, and bytes in
    /// which it does are refused.
    private func monotonicMilliseconds(since earlier: Instant) -> Int64 {
        monotonic.minusClamped(earlier.monotonic)
    }
}
