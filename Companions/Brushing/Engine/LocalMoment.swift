import Wire

/// A moment by a person's local clock. Time zones are computed by the caller.
public struct LocalMoment: Sendable, Equatable {
    /// The local date, in days since 1970-01-01.
    public var day: Int32
    /// The local time, in minutes since midnight, 0 to 1,439.
    public var minute: Int32

    /// The time at which a brushing day begins: a session at half past midnight belongs to the day before.
    public static let dayBegins: Int32 = 4 * 60
    /// The time at which the evening begins.
    public static let eveningBegins: Int32 = 15 * 60

    /// Creates a moment.
    public init(day: Int32, minute: Int32) {
        self.day = day
        self.minute = minute
    }

    /// The moment of a wall clock, milliseconds since 1970, at a fixed offset from UTC; held within the days that an
    /// `Int32` counts.
    public init(milliseconds: Int64, utcOffsetMinutes: Int16) {
        let local = milliseconds.plusClamped(Int64(utcOffsetMinutes) * 60_000)
        let dayLength: Int64 = 86_400_000
        let inDay = (local % dayLength + dayLength) % dayLength
        day = Int32(clamping: (local / dayLength).minusClamped(local % dayLength < 0 ? 1 : 0))
        minute = Int32(inDay / 60_000)
    }

    /// The brushing day of this moment.
    public var brushingDay: Int32 { minute < Self.dayBegins ? day &- 1 : day }

    /// Whether it is in the morning, and not in the evening.
    public var isMorning: Bool { minute >= Self.dayBegins && minute < Self.eveningBegins }
}
