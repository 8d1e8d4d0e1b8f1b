import Foundation

/// The local dates and times of one time zone, converted to and from UTC.
///
/// The instant of a local time is *the first instant at which a clock there shows that time or a later one*. So a time
/// that is skipped when clocks are put forward is the first instant after the gap, and a time that occurs twice when
/// they are put back is the first of the two. That holds for each change of the offset, whatever its reason and size:
/// half an hour on Lord Howe Island, a whole day in Samoa, at midnight in Beirut, Ramadan in Casablanca.
public struct LocalCalendar: Sendable {
    /// The time zone.
    public let timeZone: TimeZone

    /// The length of a day without a change of the offset, in milliseconds.
    package static let dayLength: Int64 = 86_400_000
    /// The length of a minute, in milliseconds.
    package static let minuteLength: Int64 = 60_000

    /// Creates the calendar of a time zone.
    public init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// The local date and time of an instant.
    ///
    /// - Parameter time: the instant, in UTC milliseconds.
    /// - Returns: the local date, in days since 1 January 1970, and the minute of that day by the clock, 0 to 1,439.
    public func moment(of time: Int64) -> (day: Int32, minute: Int32) {
        let wall = time + offset(at: time)
        let day = Self.quotient(wall, Self.dayLength)
        return (Int32(clamping: day), Int32((wall - day * Self.dayLength) / Self.minuteLength))
    }

    /// The first instant at which the clock shows a time or a later one, in UTC milliseconds.
    ///
    /// - Parameters:
    ///   - day: the local date, in days since 1 January 1970.
    ///   - minute: the minute of the day by the clock, 0 to 1,439.
    public func instant(day: Int32, minute: Int32) -> Int64 {
        let wall = Int64(day) * Self.dayLength + Int64(minute) * Self.minuteLength
        var from = wall - Self.farthest
        for change in changes(from: from, to: wall + Self.farthest, step: Self.farthest / 2) {
            let shown = wall - offset(at: from)
            if shown < change.at { return max(from, shown) }
            from = change.at
        }
        return max(from, wall - offset(at: from))
    }

    /// The instant at which a local day begins, in UTC milliseconds. It is not always midnight.
    public func start(ofDay day: Int32) -> Int64 { instant(day: day, minute: 0) }

    /// Whether a day existed: Samoa had no 30 December 2011.
    public func hasDay(_ day: Int32) -> Bool { start(ofDay: day) < start(ofDay: day + 1) }

    /// A change of the time zone's offset from UTC.
    package struct Change: Sendable, Equatable {
        /// The first instant with the new offset, in UTC milliseconds.
        package var at: Int64
        /// The offsets before and after the change, in milliseconds east of Greenwich.
        package var before, after: Int64
    }

    /// The changes of the offset after `from` and up to `to`, earliest first.
    ///
    /// They are searched for, because Foundation's next transition skips those that are not daylight saving.
    ///
    /// - Parameter step: a time shorter than the zone ever keeps an offset, in milliseconds.
    package func changes(from: Int64, to: Int64, step: Int64 = dayLength) -> [Change] {
        var changes: [Change] = []
        var low = from
        var before = offset(at: low)
        while low < to {
            let high = min(low + step, to)
            let after = offset(at: high)
            if after != before {
                var (unchanged, changed) = (low, high)
                while changed - unchanged > 1 {
                    let middle = unchanged + (changed - unchanged) / 2
                    if offset(at: middle) == before { unchanged = middle } else { changed = middle }
                }
                changes.append(Change(at: changed, before: before, after: after))
                before = after
            }
            low = high
        }
        return changes
    }

    /// The offset from UTC at an instant, in milliseconds east of Greenwich.
    package func offset(at time: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(milliseconds: time))) * 1_000
    }

    /// A time longer than any offset, in milliseconds: no clock was ever farther from Greenwich than some sixteen
    /// hours.
    private static let farthest: Int64 = 26 * 3_600_000

    private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
