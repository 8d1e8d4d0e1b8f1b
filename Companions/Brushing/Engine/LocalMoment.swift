import Wire

/// A moment as somebody's local clock shows it. Time zones are computed at the edge.
public struct LocalMoment: Sendable, Equatable {
    /// Days from 1970-01-01 to the civil date there.
    public var day: Int32
    /// Minutes since midnight, 0 to 1,439.
    public var minute: Int32

    /// When a brushing day begins: whoever brushes at half past midnight ends the day before.
    public static let dayBegins: Int32 = 4 * 60
    /// From when on it is evening.
    public static let eveningBegins: Int32 = 15 * 60

    /// That day, that minute.
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

    /// The day that a session of this moment belongs to.
    public var brushingDay: Int32 { minute < Self.dayBegins ? day &- 1 : day }

    /// Whether it is the morning's session, or the evening's.
    public var isMorning: Bool { minute >= Self.dayBegins && minute < Self.eveningBegins }
}
