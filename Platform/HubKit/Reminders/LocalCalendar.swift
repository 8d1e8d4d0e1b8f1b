import Foundation

/// Local days and times of one time zone, as numbers: what a local clock there shows, and when it shows it.
///
/// A clock's time is found as *the first instant at which the clock shows it, or a later one*. So a time that is left
/// out when clocks are put forward is the first instant after the gap, and a time that comes twice when they are put
/// back is the first of the two, and never both. That holds for each change of the offset, whatever its reason and
/// size: half an hour on Lord Howe Island, a whole day in Samoa, at midnight in Beirut, Ramadan in Casablanca.
public struct LocalCalendar: Sendable {
    /// Where the clock hangs.
    public let timeZone: TimeZone

    package static let dayLength: Int64 = 86_400_000
    package static let minuteLength: Int64 = 60_000

    public init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// What the clock shows at an instant.
    ///
    /// - Parameter time: UTC milliseconds.
    /// - Returns: the local date, in days since 1 January 1970, and the minute of that day by the clock, 0 to 1,439.
    public func moment(of time: Int64) -> (day: Int32, minute: Int32) {
        let wall = time + offset(at: time)
        let day = Self.quotient(wall, Self.dayLength)
        return (Int32(clamping: day), Int32((wall - day * Self.dayLength) / Self.minuteLength))
    }

    /// The first instant at which the clock shows a time, or a later one: UTC milliseconds.
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

    /// When a local day begins, UTC milliseconds. It is not always midnight.
    public func start(ofDay day: Int32) -> Int64 { instant(day: day, minute: 0) }

    /// Whether there was such a day: Samoa had no 30 December 2011.
    public func hasDay(_ day: Int32) -> Bool { start(ofDay: day) < start(ofDay: day + 1) }

    /// A change of the zone's offset.
    package struct Change: Sendable, Equatable {
        /// The first instant of the new offset, UTC milliseconds.
        package var at: Int64
        /// Milliseconds east of Greenwich.
        package var before, after: Int64
    }

    /// The changes of the offset after `from` and up to `to`, the earliest first.
    ///
    /// Foundation's own next transition passes over those that are no daylight saving, so they are looked for.
    ///
    /// - Parameter step: shorter than the zone ever keeps an offset, milliseconds.
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

    /// Milliseconds east of Greenwich.
    package func offset(at time: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(milliseconds: time))) * 1_000
    }

    /// No clock was ever farther from Greenwich than some sixteen hours.
    private static let farthest: Int64 = 26 * 3_600_000

    private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
