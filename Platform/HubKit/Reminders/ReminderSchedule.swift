import Storage

/// The times at which a reminder comes, by its person's local clock.
package struct ReminderSchedule: Sendable {
    /// One time of the schedule.
    package struct Occurrence: Sendable, Equatable {
        /// The instant, in UTC milliseconds.
        package var at: Int64
        /// The local date that it is for, in days since 1 January 1970.
        package var day: Int32

        /// Creates a time of the schedule.
        package init(at: Int64, day: Int32) {
            self.at = at
            self.day = day
        }
    }

    /// The local date of a single reminder; nil for a daily one.
    let day: Int32?
    /// The local time, in minutes of the day.
    package let minute: Int32
    /// The days of the week, as bits; bit 0 is Monday.
    package let weekdays: Int
    let calendar: LocalCalendar

    /// Creates the schedule of a stored reminder.
    package init(_ record: ReminderRecord, _ calendar: LocalCalendar) {
        day = record.day
        minute = record.minute
        weekdays = record.weekdays
        self.calendar = calendar
    }

    /// Creates a schedule from its parts.
    package init(day: Int32? = nil, minute: Int32, weekdays: Int = everyDay, calendar: LocalCalendar) {
        self.day = day
        self.minute = minute
        self.weekdays = weekdays
        self.calendar = calendar
    }

    /// The bits of all days of the week.
    package static let everyDay = 0b111_1111

    /// The time of the reminder on a local date; nil if it does not come on that date, or if the time zone skipped it.
    package func occurrence(on day: Int32) -> Occurrence? {
        if let once = self.day {
            guard day == once else { return nil }
        } else {
            guard weekdays & 1 << (CivilDate(day: day).weekday - 1) != 0, calendar.hasDay(day) else { return nil }
        }
        return Occurrence(at: calendar.instant(day: day, minute: minute), day: day)
    }

    /// The first time after `time`, on a later local date than `last`.
    package func next(after time: Int64, last: Int32?) -> Occurrence? {
        let from = max(calendar.moment(of: time).day - 1, last.map { $0 + 1 } ?? .min)
        if let day { return day < from ? nil : occurrence(on: day).flatMap { $0.at > time ? $0 : nil } }
        // A week and a few days: its one weekday may be one that the zone passed over.
        return (from...from + 16).lazy.compactMap(occurrence).first { $0.at > time }
    }

    /// The latest time after `since` and up to `time`, on a later local date than `last`. For a daily reminder it looks
    /// back two days, longer than such a reminder is of use.
    package func newest(since: Int64, upTo time: Int64, last: Int32?) -> Occurrence? {
        let today = calendar.moment(of: time).day
        if let day {
            guard day <= today + 1, day > last ?? .min, let once = occurrence(on: day) else { return nil }
            return once.at <= time && once.at > since ? once : nil
        }
        return stride(from: today + 1, through: today - 2, by: -1).lazy
            .filter { last == nil || $0 > last ?? 0 }
            .compactMap(occurrence).first { $0.at <= time && $0.at > since }
    }
}
