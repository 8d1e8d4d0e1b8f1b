import Foundation
import HubKit
import Localization
import Storage

/// The reminders of one person as calendar events (RFC 5545, 3.6.1).
struct CalendarEvents: Sendable {
    let person: PersonRecord
    let calendar: LocalCalendar
    /// The hub's address for links.
    let origin: String
    /// The time up to which clock changes are written, in UTC milliseconds.
    let to: Int64
    /// The translator into the household's language.
    let localized: Localizer

    private var zone: String { "TZID=\(calendar.timeZone.identifier)" }

    /// The duration of a reminder in a calendar, in minutes: long enough to be seen.
    private static let minutes = 5
    private static let dayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Adds a daily reminder as one recurring event.
    ///
    /// - Returns: the time of the first one; nil if there is none.
    @discardableResult
    func add(daily record: ReminderRecord, kind: ReminderKind, to text: inout CalendarText) -> Int64? {
        let schedule = ReminderSchedule(record, calendar)
        var first = schedule.next(after: record.changedAt, last: nil)
        // The first moment has to be one of the rule's own.
        while let found = first, calendar.moment(of: found.at) != (found.day, record.minute) {
            first = schedule.next(after: found.at, last: found.day)
        }
        guard let first else { return nil }
        let title = "\(person.name): \(localized.string(kind.title))"
        text.component("VEVENT") { text in
            addHead(record.id, [record], title: title, path: "/\(record.companion)?person=\(person.id)", to: &text)
            text.add("DTSTART;\(zone)", wall(first.day, record.minute))
            text.add("DURATION", "PT\(Self.minutes)M")
            text.add("RRULE", rule(record.weekdays))
            addGaps(schedule, after: first.at, to: &text)
            text.add("TRANSP", "TRANSPARENT")
            text.component("VALARM") { text in
                text.add("ACTION", "DISPLAY")
                text.add("TRIGGER", "PT0S")
                text.add("DESCRIPTION", text: title)
            }
        }
        return first.at
    }

    /// Adds a single event, with an alarm for each of its reminders.
    ///
    /// - Parameters:
    ///   - records: the reminders of the event.
    ///   - words: the title, if the reminders do not have one.
    ///   - text: the calendar.
    func add(once records: [ReminderRecord], words: ReminderText?, to text: inout CalendarText) {
        guard let record = records.first, let day = record.eventDay ?? record.day,
            let title = record.eventTitle.map({ "\(person.name): \($0)" }) ?? words?.title
        else { return }
        let start = calendar.instant(day: day, minute: record.eventMinute ?? record.minute)
        text.component("VEVENT") { text in
            addHead(
                record.event.map { Reminders.id(companion: record.companion, name: $0, person: person.id) }
                    ?? record.id,
                records, title: title,
                path: words?.path ?? "/\(record.companion)?person=\(person.id)", to: &text)
            if let note = record.eventNote, !note.isEmpty { text.add("DESCRIPTION", text: note) }
            text.add("DTSTART;\(zone)", CalendarText.wall(start + calendar.offset(at: start)))
            text.add("DURATION", "PT\(record.eventMinutes ?? Int32(Self.minutes))M")
            for record in records.sorted(by: { ($0.day ?? 0, $0.minute) < ($1.day ?? 0, $1.minute) }) {
                guard let day = record.day else { continue }
                text.component("VALARM") { text in
                    text.add("ACTION", "DISPLAY")
                    text.add(
                        "TRIGGER;VALUE=DATE-TIME",
                        CalendarText.utc(calendar.instant(day: day, minute: record.minute)))
                    text.add("DESCRIPTION", text: title)
                }
            }
        }
    }

    /// The start of a single reminder's event, in UTC milliseconds.
    func start(once record: ReminderRecord) -> Int64? {
        (record.eventDay ?? record.day).map { calendar.instant(day: $0, minute: record.eventMinute ?? record.minute) }
    }

    private func addHead(
        _ id: String, _ records: [ReminderRecord], title: String, path: String,
        to text: inout CalendarText
    ) {
        let changed = CalendarText.utc(records.map(\.changedAt).max() ?? 0)
        text.add("UID", text: "\(id)@tandem")
        // Without a moment of the download in it, what has not changed has the same ETag.
        text.add("DTSTAMP", changed)
        text.add("LAST-MODIFIED", changed)
        text.add("SEQUENCE", String(records.map(\.sequence).max() ?? 0))
        text.add("SUMMARY", text: title)
        text.add("URL", origin + path)
    }

    private func rule(_ weekdays: Int) -> String {
        guard weekdays != ReminderSchedule.everyDay else { return "FREQ=DAILY" }
        let names = (0..<7).filter { weekdays & 1 << $0 != 0 }.map { Self.dayNames[$0] }
        return "FREQ=WEEKLY;BYDAY=\(names.joined(separator: ","))"
    }

    /// Adds exceptions for times that a clock change skips. A rule leaves such a time out (RFC 5545, 3.3.10), and not
    /// every reader knows that; the hub reminds at the first moment after. So the time is excluded, and the hub's
    /// added.
    private func addGaps(_ schedule: ReminderSchedule, after first: Int64, to text: inout CalendarText) {
        for change in calendar.changes(from: first, to: to) where change.after > change.before {
            let (from, end) = (change.at + change.before, change.at + change.after)
            let days = calendar.moment(of: change.at - 1).day...calendar.moment(of: change.at).day
            for day in days {
                let shown = Int64(day) * LocalCalendar.dayLength + Int64(schedule.minute) * LocalCalendar.minuteLength
                guard shown >= from, shown < end, schedule.weekdays & 1 << (CivilDate(day: day).weekday - 1) != 0 else {
                    continue
                }
                text.add("EXDATE;\(zone)", CalendarText.wall(shown))
                guard schedule.occurrence(on: day) != nil else { continue }
                text.add("RDATE;\(zone)", CalendarText.wall(end))
            }
        }
    }

    private func wall(_ day: Int32, _ minute: Int32) -> String {
        CalendarText.wall(Int64(day) * LocalCalendar.dayLength + Int64(minute) * LocalCalendar.minuteLength)
    }
}
