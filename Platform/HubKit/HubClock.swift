import Foundation

/// The time, injected so that tests can move it.
public struct HubClock: Sendable {
    /// UTC milliseconds.
    public var now: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The system's wall clock.
    public static let system = HubClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Date {
    /// From UTC milliseconds, as the hub keeps time.
    public init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
