import Foundation
import HubKit
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
        /// The schedule's own moment that is over with this; none where only a snooze has ended.
        var scheduled: ReminderSchedule.Occurrence?
    }

    /// As it is stored.
    let stored: ReminderRecord
    /// With what a clock that was set, a zone that changed and the time that has passed make of it.
    private(set) var record: ReminderRecord
    private(set) var due: Due?
    private let schedule: ReminderSchedule
    private let calendar: LocalCalendar
    private let now: Int64
    /// The hours that it waits out; none for one that is of its hour.
    private let waitsFor: QuietHours?
    /// When the quiet hours end that it waits out now.
    private var heldUntil: Int64? { waitsFor?.end(at: now, calendar) }
    /// Whether it has come for a moment that is ahead by the clock as it is now.
    private var isAheadOfClock: Bool { record.lastAt ?? .min > now }

    /// - Parameters:
    ///   - calendar: of the person's time zone.
    ///   - now: UTC milliseconds.
    ///   - quiet: the person's quiet hours.
    ///   - canWait: whether it is as good after them.
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

    /// When something happens next, UTC milliseconds. What is due now and could not be said is not among it.
    var next: Int64? {
        let expiry = record.isVisible ? record.firedAt.map { $0 + Reminders.visibleMilliseconds } : nil
        let trusted = record.clockSetBackAt.map { $0 + Reminders.trustedMilliseconds }
        return [nextOccurrence, record.snoozedUntil, expiry, trusted, heldUntil].compactMap { $0 }.filter { $0 > now }
            .min()
    }

    /// When it comes next by itself; nil while it is off.
    var nextOccurrence: Int64? {
        guard record.isOn else { return nil }
        if let heldUntil, newest() != nil { return heldUntil }
        return schedule.next(after: now, last: isAheadOfClock ? nil : record.lastDay).map { said($0) }
    }

    /// What is still to come on the local day of now, if it is on and no notice of that day has said it along.
    var laterToday: ReminderSchedule.Occurrence? {
        let today = calendar.moment(of: now).day
        guard record.isOn, due == nil, record.gatheredDay != today, record.snoozedUntil == nil,
            let next = schedule.next(after: now, last: isAheadOfClock ? nil : record.lastDay), next.day == today
        else { return nil }
        return next
    }

    /// Whether another notice has said along what is due, so that it is not said once more.
    var isGathered: Bool { due.map { $0.scheduled != nil && record.gatheredDay == $0.occurrence.day } ?? false }

    /// Whether what is due was put off, and comes again.
    var isAgain: Bool { due.map { $0.scheduled == nil } ?? false }

    /// Another notice says it along.
    mutating func gather(on day: Int32) {
        record.gatheredDay = day
        pass()
    }

    /// When an occurrence is said: after the quiet hours in which it may be.
    private func said(_ occurrence: ReminderSchedule.Occurrence) -> Int64 {
        waitsFor?.end(at: occurrence.at, calendar) ?? occurrence.at
    }

    /// Whether what it reminds of has begun, so that a reminder is of no use any more.
    var isVoid: Bool {
        guard let day = record.eventDay, let minute = record.eventMinute else { return false }
        return calendar.instant(day: day, minute: minute) <= now
    }

    /// What is due was said, or silenced, or is too old to be said: it does not come again.
    mutating func pass() {
        guard let due else { return }
        if let scheduled = due.scheduled {
            record.lastDay = max(record.lastDay ?? .min, scheduled.day)
            record.lastAt = max(record.lastAt ?? .min, scheduled.at)
        }
        record.snoozedUntil = nil
        self.due = nil
    }

    /// What is due is said now.
    mutating func say(_ words: TranslatedReminderText) {
        guard let due else { return }
        pass()
        record.say(words, of: due.occurrence, minute: due.minute, now: now)
    }

    /// Somebody who travels has the same reminder neither twice within half a day nor, for the time that the change
    /// passed over, late.
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

    /// A clock that was ahead must not silence the time until then; one that is behind, such as that of a computer which
    /// has just started and not yet asked for the time, must not bring anything twice. Which of them is wrong shows after
    /// a while: only when the clock has stood does it count.
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
    /// Whether one that comes once waits for the end of quiet hours: as long as what it reminds of is still ahead then.
    fileprivate func waits(for quiet: QuietHours, _ calendar: LocalCalendar, now: Int64) -> Bool {
        guard let day else { return false }
        guard let eventDay, let eventMinute else { return true }
        let event = calendar.instant(day: eventDay, minute: eventMinute)
        let said = max(now, calendar.instant(day: day, minute: minute))
        return quiet.end(at: said, calendar).map { $0 < event } ?? true
    }

    /// Words stand from now on.
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

    /// Words stand from now on, so that somebody sees how they arrive. What was due, and a snooze, stay as they are.
    mutating func `try`(_ words: TranslatedReminderText, now: Int64) {
        firedAt = now
        store(words)
        isVisible = true
        isTrial = true
    }

    /// When it is put off: what was only tried becomes due, unless something else is.
    mutating func snooze(until: Int64, calendar: LocalCalendar) {
        if isTrial, snoozedUntil == nil, let fired = firedAt, dueAt ?? .min < fired - Reminders.missedMilliseconds {
            dueAt = fired
            (dueDay, dueMinute) = calendar.moment(of: fired)
        }
        isVisible = false
        snoozedUntil = until
    }
}
