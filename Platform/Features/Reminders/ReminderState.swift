import Foundation
import HubKit
import Storage

/// The state of one reminder at a moment: what is due, and when to check again. It uses no clock and no database.
struct ReminderState: Sendable {
    /// A reminder that is due.
    struct Due: Sendable, Equatable {
        /// The time of the schedule that it is for, with its local date.
        var occurrence: ReminderSchedule.Occurrence
        /// The local time, in minutes of the day.
        var minute: Int32
        /// The time at which it was to be sent: later than the occurrence after a snooze.
        var time: Int64
        /// The time of the schedule that is done with this; nil if only a snooze has ended.
        var scheduled: ReminderSchedule.Occurrence?
    }

    /// The reminder as stored.
    let stored: ReminderRecord
    /// The reminder after changes of clock and time zone, and the passing of time.
    private(set) var record: ReminderRecord
    private(set) var due: Due?
    private let schedule: ReminderSchedule
    private let calendar: LocalCalendar
    private let now: Int64
    /// The quiet hours that it waits for; nil if it cannot wait.
    private let waitsFor: QuietHours?
    /// The end of the quiet hours that it is waiting for now.
    private var heldUntil: Int64? { waitsFor?.end(at: now, calendar) }
    /// Whether it has come for a time that is in the future by the current clock.
    private var isAheadOfClock: Bool { record.lastAt ?? .min > now }

    /// Computes the state.
    ///
    /// - Parameters:
    ///   - stored: the reminder as stored.
    ///   - calendar: the calendar of the person's time zone.
    ///   - now: the current time, in UTC milliseconds.
    ///   - quiet: the person's quiet hours.
    ///   - canWait: whether it can wait until after them.
    init(
        _ stored: ReminderRecord, _ calendar: LocalCalendar, now: Int64, quiet: QuietHours? = nil, canWait: Bool = false
    ) {
        self.stored = stored
        self.now = now
        waitsFor = quiet.flatMap { canWait || stored.waits(for: $0, calendar, now: now) ? $0 : nil }
        record = stored
        self.calendar = calendar
        schedule = ReminderSchedule(stored, calendar)
        followZone()
        followClock()
        if record.isVisible, let fired = record.firedAt, now >= fired + Reminders.visibleMilliseconds {
            record.isVisible = false
        }
        due = heldUntil == nil ? newest() : nil
    }

    /// The time of the next change, in UTC milliseconds, without reminders that are due now and could not be sent.
    var next: Int64? {
        let expiry = record.isVisible ? record.firedAt.map { $0 + Reminders.visibleMilliseconds } : nil
        let trusted = record.clockSetBackAt.map { $0 + Reminders.trustedMilliseconds }
        return [nextOccurrence, record.snoozedUntil, expiry, trusted, heldUntil].compactMap { $0 }.filter { $0 > now }
            .min()
    }

    /// The time at which it comes next by itself; nil while it is off.
    var nextOccurrence: Int64? {
        guard record.isOn else { return nil }
        if let heldUntil, newest() != nil { return heldUntil }
        return schedule.next(after: now, last: isAheadOfClock ? nil : record.lastDay).map { said($0) }
    }

    /// The occurrence that is still to come on the current local day, if it is on and was not combined with another on
    /// that day.
    var laterToday: ReminderSchedule.Occurrence? {
        let today = calendar.moment(of: now).day
        guard record.isOn, due == nil, record.gatheredDay != today, record.snoozedUntil == nil,
            let next = schedule.next(after: now, last: isAheadOfClock ? nil : record.lastDay), next.day == today
        else { return nil }
        return next
    }

    /// Whether the due occurrence was combined with another notice, so that it is not sent again.
    var isGathered: Bool { due.map { $0.scheduled != nil && record.gatheredDay == $0.occurrence.day } ?? false }

    /// Whether it is due again after a snooze.
    var isAgain: Bool { due.map { $0.scheduled == nil } ?? false }

    /// Records that it was combined with another notice.
    mutating func gather(on day: Int32) {
        record.gatheredDay = day
        pass()
    }

    /// The time at which an occurrence is sent: after quiet hours if it falls in them.
    private func said(_ occurrence: ReminderSchedule.Occurrence) -> Int64 {
        waitsFor?.end(at: occurrence.at, calendar) ?? occurrence.at
    }

    /// Whether the event has begun, so that a reminder is of no use.
    var isVoid: Bool {
        guard let day = record.eventDay, let minute = record.eventMinute else { return false }
        return calendar.instant(day: day, minute: minute) <= now
    }

    /// Marks the due occurrence as done: it was sent, silenced, or is too late.
    mutating func pass() {
        guard let due else { return }
        if let scheduled = due.scheduled {
            record.lastDay = max(record.lastDay ?? .min, scheduled.day)
            record.lastAt = max(record.lastAt ?? .min, scheduled.at)
        }
        record.snoozedUntil = nil
        self.due = nil
    }

    /// Records that the due occurrence is sent now.
    mutating func say(_ words: TranslatedReminderText) {
        guard let due else { return }
        pass()
        record.say(words, of: due.occurrence, minute: due.minute, now: now)
    }

    /// Adapts the reminder to a changed time zone: a traveller gets the same reminder neither twice within half a day
    /// nor late for the time that the change skipped.
    private mutating func followZone() {
        guard record.timeZone != calendar.timeZone.identifier else { return }
        record.timeZone = calendar.timeZone.identifier
        record.sequence += 1
        record.changedAt = now
        // One that comes once is not lost.
        guard record.day == nil else { return }
        record.since = now
        guard record.lastDay != nil, let last = record.lastAt else { return }
        let spared = calendar.moment(of: last + Reminders.movedMilliseconds)
        record.lastDay = spared.minute >= record.minute ? spared.day : spared.day - 1
    }

    /// Adapts the reminder to a changed clock. A clock that was ahead must not silence the time until then; one that is
    /// behind, as of a computer that has just started and not yet asked for the time, must not repeat anything. It
    /// takes a while to know which of them is wrong, so the clock counts only after it has stood for some time.
    private mutating func followClock() {
        let longest = Int64(Reminders.snoozes.last ?? 0) * 60_000
        let stored = [
            record.since, record.changedAt, record.lastAt, record.isVisible ? record.firedAt : nil,
            record.snoozedUntil.map { $0 - longest },
        ]
        guard stored.contains(where: { $0 ?? .min > now }) else {
            record.clockSetBackAt = nil
            return
        }
        let back = min(record.clockSetBackAt ?? now, now)
        record.clockSetBackAt = back
        guard now - back >= Reminders.trustedMilliseconds else { return }
        record.clockSetBackAt = nil
        if isAheadOfClock {
            record.lastAt = nil
            record.lastDay = nil
            // What came in the meantime comes late.
            record.since = back
        }
        record.since = min(record.since, back)
        if record.changedAt > now {
            // Calendars begin with it.
            record.changedAt = back
            record.sequence += 1
        }
        if let until = record.snoozedUntil { record.snoozedUntil = min(until, now + longest) }
        if record.firedAt ?? .min > now { record.isVisible = false }
    }

    private func newest() -> Due? {
        var scheduled: Due?
        // Until the clock is trusted, one that was switched on or changed in its future counts from when it was set back.
        let since = record.since > now ? record.clockSetBackAt ?? now : record.since
        if record.isOn, !isAheadOfClock,
            let occurrence = schedule.newest(
                since: max(since, record.lastAt ?? .min), upTo: now, last: record.lastDay)
        {
            scheduled = Due(
                occurrence: occurrence, minute: record.minute, time: said(occurrence), scheduled: occurrence)
        }
        var snoozed: Due?
        if let until = record.snoozedUntil, until <= now, let at = record.dueAt, let day = record.dueDay {
            snoozed = Due(
                occurrence: .init(at: at, day: day), minute: record.dueMinute ?? record.minute, time: until,
                scheduled: scheduled?.occurrence)
        }
        guard let scheduled, let snoozed else { return scheduled ?? snoozed }
        return scheduled.time >= snoozed.time ? scheduled : snoozed
    }
}

extension ReminderRecord {
    /// Whether a single reminder waits for the end of quiet hours: if its event is still in the future then.
    fileprivate func waits(for quiet: QuietHours, _ calendar: LocalCalendar, now: Int64) -> Bool {
        guard let day else { return false }
        guard let eventDay, let eventMinute else { return true }
        let event = calendar.instant(day: eventDay, minute: eventMinute)
        let said = max(now, calendar.instant(day: day, minute: minute))
        return quiet.end(at: said, calendar).map { $0 < event } ?? true
    }

    /// Stores a text that is sent now.
    mutating func say(
        _ words: TranslatedReminderText, of occurrence: ReminderSchedule.Occurrence, minute: Int32, now: Int64
    ) {
        dueAt = occurrence.at
        dueDay = occurrence.day
        dueMinute = minute
        firedAt = now
        store(words)
        isVisible = true
        isTrial = false
        snoozedUntil = nil
    }

    /// Stores a text that is sent as a test. A due occurrence and a snooze stay as they are.
    mutating func `try`(_ words: TranslatedReminderText, now: Int64) {
        firedAt = now
        store(words)
        isVisible = true
        isTrial = true
    }

    /// Snoozes the reminder. A test becomes due, unless something else is.
    mutating func snooze(until: Int64, calendar: LocalCalendar) {
        if isTrial, snoozedUntil == nil, let fired = firedAt, dueAt ?? .min < fired - Reminders.missedMilliseconds {
            dueAt = fired
            (dueDay, dueMinute) = calendar.moment(of: fired)
        }
        isVisible = false
        snoozedUntil = until
    }
}
