import Foundation

/// A source of the current time, which tests replace by one that they can set.
public struct HubClock: Sendable {
    /// The current time, in UTC milliseconds.
    public var now: @Sendable () -> Int64

    /// Creates a clock that calls a function for the time, in UTC milliseconds.
    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The operating system's wall clock.
    public static let system = HubClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Date {
    /// Creates a date from UTC milliseconds, the form in which the hub stores times.
    public init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
