import Foundation
import GRDB
import Logging
import Storage

/// The reminders of all people. `ReminderService` sends them when they are due.
///
/// Daily reminders are of the kinds that companions declare (``Companion/reminderKinds``), one for each person, and
/// people switch them on and off. Single reminders, such as for an appointment, are set by the companions.
public struct Reminders: Sendable {
    let database: HubDatabase
    let clock: HubClock
    let live: LiveEvents
    let log: Logger
    /// A signal that reminders have changed, for the service that waits for the next one.
    package let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The time for which a reminder is shown on open pages, in milliseconds.
    package static let visibleMilliseconds: Int64 = 2 * 3_600_000
    /// The time for which a reminder that was missed while the hub was off is still sent, in milliseconds.
    package static let missedMilliseconds: Int64 = 4 * 3_600_000
    /// The delay up to which a reminder counts as on time, in milliseconds; a longer one means that the hub was off.
    package static let punctualMilliseconds: Int64 = 120_000
    /// The time after which a clock that was set back is trusted, in milliseconds.
    package static let trustedMilliseconds: Int64 = 3_600_000
    /// The time for which a person who has moved to another time zone is not reminded of the same again, in
    /// milliseconds.
    package static let movedMilliseconds: Int64 = 12 * 3_600_000
    /// The time for which a single reminder is kept after its date, in days.
    static let retentionDays: Int32 = 30
    /// The time for which the history of reminders is shown, in milliseconds.
    package static let eventMilliseconds: Int64 = 14 * 86_400_000
    /// The time for which the history of reminders is kept, in milliseconds.
    package static let eventRetentionMilliseconds: Int64 = 90 * 86_400_000
    /// The number of entries of the history that are shown, at most.
    package static let mostEvents = 500
    /// The snoozes that people may choose, in minutes.
    package static let snoozes: [Int] = [5, 10, 20, 30, 60]
    /// The default snooze, in minutes, in a household that has not chosen another.
    static let snooze = 10

    // MARK: For companions

    /// Sets a single reminder at a local time, or changes the one with the same name, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - companion: the companion's slug.
    ///   - name: a name that the companion chooses, such as `appointment:k7fq2m9x:eve`.
    ///   - person: the person's id.
    ///   - day: the local date, in days since 1 January 1970.
    ///   - minute: the local time, in minutes of that day.
    ///   - event: the event that it is about, if it has a time of its own.
    ///   - daily: the name of a daily reminder whose time this one has; if that changes, this one changes with it.
    /// - Throws: a 404 problem if nobody has that id.
    public func setOnce(
        companion: String, name: String, person: String, day: Int32, minute: Int32, of event: ReminderEvent? = nil,
        following daily: String? = nil, _ db: Database
    ) throws {
        try change(companion: companion, name: name, person: person, db) { record, calendar in
            let oldest = calendar.moment(of: clock.now()).day - Self.retentionDays
            try db.execute(
                cached: "DELETE FROM reminder WHERE household = ? AND max(day, ifnull(event_day, day)) < ? AND id <> ?",
                arguments: [record.household, oldest, record.id])
            record.day = day
            record.minute = minute
            record.isOn = true
            record.follows = daily
            record.event = event?.name
            record.eventTitle = event?.title
            record.eventNote = event?.note
            record.eventDay = event?.day
            record.eventMinute = event?.minute
            record.eventMinutes = event?.minutes
        }
    }

    /// Deletes a single reminder, if there is one, in the caller's transaction.
    public func removeOnce(companion: String, name: String, person: String, _ db: Database) throws {
        try remove("companion = ? AND name = ? AND person = ? AND day IS NOT NULL", [companion, name, person], db)
    }

    /// Deletes all single reminders of an event, if there are any, in the caller's transaction.
    public func removeOnce(companion: String, event: String, person: String, _ db: Database) throws {
        try remove("companion = ? AND event = ? AND person = ? AND day IS NOT NULL", [companion, event, person], db)
    }

    /// Changes a daily reminder, in the caller's transaction. Nil leaves a value as it is.
    ///
    /// - Parameters:
    ///   - companion: the companion's slug.
    ///   - name: the name of one of the companion's kinds.
    ///   - person: the person's id.
    ///   - isOn: whether the reminder is on.
    ///   - minute: the local time, in minutes of the day.
    ///   - weekdays: the days of the week, from Monday as 1 to Sunday as 7.
    ///   - silencedByDone: whether it says nothing if its task is done already.
    /// - Throws: a 404 problem if nobody has that id, a 422 problem for a time or days that do not exist.
    @discardableResult
    public func setDaily(
        companion: String, name: String, person: String, isOn: Bool? = nil, minute: Int32, weekdays: Set<Int>? = nil,
        silencedByDone: Bool? = nil, _ db: Database
    ) throws -> ReminderRecord {
        guard (0..<1_440).contains(minute) else {
            throw Problem.field("minute", "A time of day is a minute between 0 and 1439, such as 420 for 7:00.")
        }
        if let weekdays, weekdays.isEmpty || !weekdays.isSubset(of: Set(1...7)) {
            throw Problem.field("weekdays", "Choose at least one day of the week: Monday is 1, Sunday 7.")
        }
        let record = try change(companion: companion, name: name, person: person, db) { record, _ in
            record.minute = minute
            if let isOn { record.isOn = isOn }
            if let weekdays { record.weekdays = weekdays.reduce(0) { $0 | 1 << ($1 - 1) } }
            if let silencedByDone { record.silencedByDone = silencedByDone }
        }
        try moveFollowers(of: record, db)
        return record
    }

    /// Moves the single reminders that follow a daily one to its new time, unless they have come already.
    private func moveFollowers(of daily: ReminderRecord, _ db: Database) throws {
        let followers = try ReminderRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM reminder WHERE companion = ? AND person = ? AND follows = ? AND minute <> ?
                AND (last_day IS NULL OR last_day < day)
                """, arguments: [daily.companion, daily.person, daily.name, daily.minute])
        for follower in followers {
            try change(companion: follower.companion, name: follower.name, person: follower.person, db) {
                record, calendar in
                let (today, minute) = calendar.moment(of: clock.now())
                let next = daily.minute > minute ? today : today + 1
                record.day = max(record.day ?? next, next)
                record.minute = daily.minute
            }
        }
    }

    /// Withdraws the reminders of a task that was done, in the caller's transaction: open pages stop showing them, and a
    /// snooze ends. A failure is only logged, since the task is done anyway, and must be stored; one of the disk is thrown.
    ///
    /// - Parameters:
    ///   - companion: the companion's slug.
    ///   - person: the person's id.
    ///   - names: the names of the reminders; nil for all daily ones of the companion.
    public func settle(companion: String, person: String, names: Set<String>? = nil, _ db: Database) throws {
        do {
            try db.undoable {
                let records = try ReminderRecord.fetchAll(
                    db,
                    cached: """
                        SELECT * FROM reminder WHERE companion = ? AND person = ?
                        AND (is_visible OR snoozed_until IS NOT NULL)
                        """, arguments: [companion, person]
                ).filter { names?.contains($0.name) ?? ($0.day == nil) }
                for var record in records {
                    try record.settle(db)
                    try record.update(db)
                    publish(record, after: db)
                }
            }
        } catch let error as DatabaseError where error.isOfDisk {
            throw error
        } catch {
            log.error("a reminder could not be settled", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Snoozes

    /// The household's default snooze, in minutes.
    package func snoozeMinutes(household: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, cached: "SELECT snooze_minutes FROM reminder_choice WHERE household = ?", arguments: [household])
            ?? Self.snooze
    }

    /// Sets the household's default snooze.
    ///
    /// - Throws: a 422 problem for a number that is not in ``snoozes``.
    package func setSnooze(minutes: Int, household: String) async throws {
        let minutes = try Self.checked(snooze: minutes, field: "snoozeMinutes")
        try await database.pool.write { db in
            try db.execute(
                cached: "INSERT INTO reminder_choice VALUES (?, ?) ON CONFLICT DO UPDATE SET snooze_minutes = ?",
                arguments: [household, minutes, minutes])
        }
    }

    /// The snooze, if it is one that people may choose.
    ///
    /// - Throws: a 422 problem otherwise.
    package static func checked(snooze minutes: Int, field: String) throws -> Int {
        guard snoozes.contains(minutes) else {
            throw Problem.field(field, "A reminder is put off by 5, 10, 20, 30 or 60 minutes.")
        }
        return minutes
    }

    // MARK: What they share

    /// The id of a reminder, by which pages and phones refer to it.
    package static func id(companion: String, name: String, person: String) -> String {
        "\(companion).\(name).\(person)"
    }

    /// Notifies open pages, and the service that says reminders, that one has changed, once that is durable.
    package func publish(_ record: ReminderRecord, after db: Database) {
        live.publish(.reminder(id: record.id, person: record.person), household: record.household, after: db)
        wake(after: db)
    }

    @discardableResult
    private func change(
        companion: String, name: String, person: String, _ db: Database,
        _ edit: (inout ReminderRecord, LocalCalendar) throws -> Void
    ) throws -> ReminderRecord {
        guard let whose = try PersonRecord.fetchOne(db, key: person),
            let household = try HouseholdRecord.fetchOne(db, key: whose.household)
        else { throw Problem.notFound("There is no person here. It may have been removed.") }
        let calendar = LocalCalendar(timeZone: whose.zone(household))
        let now = clock.now()
        let id = Self.id(companion: companion, name: name, person: person)
        let before = try ReminderRecord.fetchOne(db, key: id)
        var record =
            before
            ?? ReminderRecord(
                id: id, household: whose.household, person: person, companion: companion, name: name, day: nil,
                minute: 0, weekdays: ReminderSchedule.everyDay, isOn: false, changedAt: now,
                timeZone: calendar.timeZone.identifier)
        try edit(&record, calendar)
        guard let before else {
            try record.insert(db)
            wake(after: db)
            return record
        }
        if record.isElsewhen(than: before) {
            // A new time is a new reminder: it comes today even where the old one has come, and only if it is ahead.
            record.since = now
            record.lastDay = nil
            record.lastAt = nil
            record.timeZone = calendar.timeZone.identifier
            try record.settle(db)
        } else if record.isOn, !before.isOn || record.weekdays != before.weekdays {
            // What has passed today was not asked for.
            record.since = now
        } else if !record.isOn, before.isOn {
            try record.settle(db)
        }
        guard record != before else { return record }
        if record.isOtherInCalendars(than: before) || record.isOn != before.isOn {
            record.sequence += 1
            record.changedAt = now
        }
        try record.update(db)
        if before.isVisible || before.snoozedUntil != nil {
            publish(record, after: db)
        } else {
            wake(after: db)
        }
        return record
    }

    private func remove(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        let records = try ReminderRecord.fetchAll(
            db, sql: "SELECT * FROM reminder WHERE \(condition)", arguments: arguments)
        for record in records {
            try record.delete(db)
            try PushWithdrawal.withdraw(topic: record.id, about: record.person, db)
            if record.isVisible || record.snoozedUntil != nil { publish(record, after: db) }
        }
        if !records.isEmpty { wake(after: db) }
    }

    func wake(after db: Database) { db.afterCommit { self.changes.continuation.yield() } }
}

extension ReminderRecord {
    /// Withdraws the reminder for its last time: from open pages, from the messages that wait for phones, and from a
    /// snooze.
    package mutating func settle(_ db: Database) throws {
        try PushWithdrawal.withdraw(topic: id, about: person, db)
        isVisible = false
        snoozedUntil = nil
    }

    /// Whether its time differs from that of another record.
    func isElsewhen(than other: ReminderRecord) -> Bool { day != other.day || minute != other.minute }

    /// Whether a calendar would show it differently from another record.
    func isOtherInCalendars(than other: ReminderRecord) -> Bool {
        isElsewhen(than: other) || weekdays != other.weekdays || event != other.event
            || eventTitle != other.eventTitle || eventNote != other.eventNote || eventDay != other.eventDay
            || eventMinute != other.eventMinute || eventMinutes != other.eventMinutes
    }
}
