/// The time of day, as the hub sends it, counted on by the board's clock.
public struct WallClock: Sendable {
    /// The seconds since the toy was switched on.
    public private(set) var uptime: UInt32 = 0
    private var countedAt: UInt32?
    private var referenceAt: UInt32 = 0
    /// The last time that the hub sent, seconds since 1970; 0 for never.
    private var reference: UInt32 = 0
    private var utcOffset: Int16 = 0

    /// A clock without a time.
    public init() {}

    /// Counts the seconds; the milliseconds wrap around after 49 days.
    mutating func turn(_ now: UInt32) {
        guard let last = countedAt else {
            countedAt = now
            return
        }
        let passed = (now &- last) / 1_000
        uptime += passed
        countedAt = last &+ passed * 1_000
    }

    /// Sets the time that the hub has sent.
    mutating func set(time: UInt32, utcOffset: Int16) {
        reference = time
        referenceAt = uptime
        self.utcOffset = utcOffset
    }

    /// The time, seconds since 1970; 0 while not known.
    public var time: UInt32 { reference == 0 ? 0 : reference &+ (uptime - referenceAt) }
    private var local: Int64 { Int64(time) + Int64(utcOffset) * 60 }
    /// The local day, days since 1970; 0 while not known.
    public var day: UInt32 { reference == 0 ? 0 : UInt32(max(local, 0) / 86_400) }
    /// The minutes since local midnight; nil while not known.
    public var minuteOfDay: UInt16? { reference == 0 ? nil : UInt16(max(local, 0) % 86_400 / 60) }
}
