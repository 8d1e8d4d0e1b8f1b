import Foundation
import Storage

/// How one reminder stands at a moment: what is due, and when to look again. No clock, no database.
struct ReminderState: Sendable {
    /// A moment that has come.
    struct Due: Sendable, Equatable {
        /// What it is for, and the local day of that.
        var occurrence: ReminderSchedule.Occurrence
        /// The local minute.
        var minute: Int32
        /// When it was to be said: later than the occurrence after a snooze.
        var time: Int64
    }

    /// As it is stored.
    let stored: ReminderRecord
    /// With what a clock that was set, a zone that changed and the time that has passed make of it.
    private(set) var record: ReminderRecord
    private(set) var due: Due?
    private let schedule: ReminderSchedule
    private let now: Int64

    /// - Parameters:
    ///   - calendar: of the person's time zone.
    ///   - now: UTC milliseconds.
    init(_ stored: ReminderRecord, _ calendar: LocalCalendar, now: Int64) {
        self.stored = stored
        self.now = now
        record = stored
        schedule = ReminderSchedule(stored, calendar)
        followZone(calendar)
        followClock(calendar)
        if record.isVisible, let fired = record.firedAt, now >= fired + Reminders.visibleMilliseconds {
            record.isVisible = false
        }
        due = newest()
    }

    /// When something happens next, UTC milliseconds.
    var next: Int64? {
        let scheduled = record.isOn ? schedule.next(after: now, last: record.lastDay)?.at : nil
        let expiry = record.isVisible ? record.firedAt.map { $0 + Reminders.visibleMilliseconds } : nil
        return [scheduled, record.snoozedUntil, expiry].compactMap { $0 }.min()
    }

    /// When it comes next by itself; nil while it is off.
    var nextOccurrence: Int64? { record.isOn ? schedule.next(after: now, last: record.lastDay)?.at : nil }

    /// What is due was said, or silenced, or is too old to be said: it does not come again.
    mutating func pass() {
        guard let due else { return }
        if due.occurrence.day > record.lastDay ?? .min { record.lastDay = due.occurrence.day }
        record.lastAt = due.occurrence.at
        record.snoozedUntil = nil
        self.due = nil
    }

    /// What is due is said now.
    mutating func say(_ words: ReminderWords) {
        guard let due else { return }
        pass()
        record.say(words, of: due.occurrence, minute: due.minute, now: now)
    }

    /// Somebody who travels has the same reminder neither twice within half a day nor, for the time that the change
    /// passed over, late.
    private mutating func followZone(_ calendar: LocalCalendar) {
        guard record.timeZone != calendar.timeZone.identifier else { return }
        record.timeZone = calendar.timeZone.identifier
        record.since = now
        guard record.day == nil, record.lastDay != nil, let last = record.lastAt else { return }
        let spared = calendar.moment(of: last + Reminders.movedMilliseconds)
        record.lastDay = spared.minute >= record.minute ? spared.day : spared.day - 1
    }

    /// A clock that was far ahead must not silence the time until then.
    private mutating func followClock(_ calendar: LocalCalendar) {
        if record.since > now { record.since = now }
        if let last = record.lastDay, last > calendar.moment(of: now).day + 1 {
            record.lastDay = nil
            record.since = now
        }
        let longest = now + Int64(Reminders.snoozes.last ?? 0) * 60_000
        if let until = record.snoozedUntil, until > longest { record.snoozedUntil = longest }
        if let fired = record.firedAt, fired > now + Reminders.visibleMilliseconds { record.isVisible = false }
    }

    private func newest() -> Due? {
        var scheduled: Due?
        if record.isOn, let occurrence = schedule.newest(since: record.since, upTo: now, last: record.lastDay) {
            scheduled = Due(occurrence: occurrence, minute: record.minute, time: occurrence.at)
        }
        var snoozed: Due?
        if let until = record.snoozedUntil, until <= now, let at = record.dueAt, let day = record.dueDay {
            snoozed = Due(occurrence: .init(at: at, day: day), minute: record.dueMinute ?? record.minute, time: until)
        }
        guard let scheduled, let snoozed else { return scheduled ?? snoozed }
        return scheduled.time >= snoozed.time ? scheduled : snoozed
    }
}

extension ReminderRecord {
    /// Words stand from now on.
    mutating func say(
        _ words: ReminderWords, of occurrence: ReminderSchedule.Occurrence, minute: Int32, now: Int64
    ) {
        dueAt = occurrence.at
        dueDay = occurrence.day
        dueMinute = minute
        firedAt = now
        title = words.title
        body = words.body
        path = words.path
        isVisible = true
        snoozedUntil = nil
    }
}
