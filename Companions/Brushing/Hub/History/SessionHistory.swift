import BrushingEngine
import GRDB
import HubKit
import Storage

/// A person's whole history of brushing up to now, folded by the engine, day after day.
struct SessionHistory: Sendable {
    /// The part of a session that the fold needs.
    struct Entry: Sendable, Equatable {
        var id: String
        var day: Int32
        var isMorning: Bool
        var counts: Bool
        var milliseconds: Int64
    }

    /// An award, and the session that earned it.
    struct Given: Sendable, Equatable {
        var award: Award
        var session: String
        var day: Int32
    }

    /// A day of the week that it is.
    struct WeekDay: Sendable, Equatable, Codable {
        var day: String
        /// Whether there was a session that counts.
        var morning, evening: Bool
        /// Whether there was a third one.
        var third: Bool
        var isFrozen: Bool
        var isToCome: Bool
        /// Whether it was over before the first session: nobody missed it.
        var isBefore: Bool
    }

    let person: PersonRecord
    /// The brushing day that it is now by the person's clock.
    let today: Int32
    /// The number of sessions that make a day kept.
    let perDay: Int
    /// The person's sessions in the order of days.
    let entries: [Entry]
    /// Days on which nothing is asked, in order.
    let frozen: [Int32]

    init(person: PersonRecord, today: Int32, perDay: Int, entries: [Entry], frozen: [Int32]) {
        self.person = person
        self.today = today
        self.perDay = perDay
        self.entries = entries
        self.frozen = frozen
    }

    /// Reads a person's history from the database.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    init(_ person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws {
        let entries = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, day, is_morning, counts, brush_milliseconds + floss_milliseconds + rinse_milliseconds
                    FROM brushing_session WHERE person = ? ORDER BY day, started_at, id
                    """), arguments: [person.id]
        ).map { Entry(id: $0[0], day: $0[1], isMorning: $0[2], counts: $0[3], milliseconds: $0[4]) }
        self.init(
            person: person,
            today: LocalMoment(of: now, LocalCalendar(timeZone: person.zone(household))).brushingDay,
            perDay: try Settings.perDay(person: person.id, db), entries: entries,
            frozen: try Settings.frozenDays(person: person.id, db))
    }

    /// The state of today, with the frozen days that lie ahead.
    var progress: BrushingProgress {
        var progress = fold().progress
        let farthest = today + Int32(BrushingProgress.frozenAhead)
        for day in frozen where day > today && day <= farthest { progress.freeze(day) }
        return progress
    }

    /// The days of this week, from Monday on.
    var week: [WeekDay] {
        let monday = today - Int32(CivilDate(day: today).weekday - 1)
        let beginning = entries.first?.day ?? today
        return zip(monday..., progress.week).map { day, pip in
            WeekDay(
                day: "\(CivilDate(day: day))", morning: pip & BrushingProgress.Pip.morning != 0,
                evening: pip & BrushingProgress.Pip.evening != 0, third: pip & BrushingProgress.Pip.third != 0,
                isFrozen: pip & BrushingProgress.Pip.frozen != 0,
                isToCome: day > today, isBefore: day < beginning)
        }
    }

    /// Runs the engine over everything up to today.
    ///
    /// - Parameter mark: gets the state as it was when a day had passed, for each day of `days`, in order.
    func fold(days: [Int32] = [], mark: (Int32, BrushingProgress) -> Void = { _, _ in }) -> (
        progress: BrushingProgress, given: [Given]
    ) {
        var progress = BrushingProgress(perDay: perDay)
        var given: [Given] = []
        var frozen = frozen[...]
        var days = days[...]
        func freeze(upTo day: Int32) {
            while let next = frozen.first, next <= day {
                frozen.removeFirst()
                progress.freeze(next)
            }
        }
        func passed(before day: Int32) {
            while let next = days.first, next < day {
                days.removeFirst()
                freeze(upTo: next)
                var then = progress
                then.advance(to: min(next + 1, today))
                mark(next, then)
            }
        }
        for entry in entries {
            passed(before: entry.day)
            freeze(upTo: entry.day)
            let award = progress.record(
                day: entry.day, isMorning: entry.isMorning, counts: entry.counts, milliseconds: entry.milliseconds)
            if let award { given.append(Given(award: award, session: entry.id, day: entry.day)) }
        }
        freeze(upTo: today)
        passed(before: .max)
        progress.advance(to: today)
        return (progress, given)
    }

    // MARK: Awards

    /// Gives what has been earned and was not given yet. Who got an award keeps it: a session that comes late, another
    /// goal or a frozen day changes what is earned from then on.
    func giveAwards(_ db: Database) throws {
        for given in fold().given {
            try db.execute(
                sql: "INSERT OR IGNORE INTO brushing_award VALUES (?, ?, ?, ?, ?)",
                arguments: [person.household, person.id, given.award.rawValue, given.session, given.day])
        }
    }

    /// A person's awards, the earliest first.
    static func awards(of person: String, _ db: Database) throws -> [Given] {
        try Row.fetchAll(
            db, sql: "SELECT award, session, day FROM brushing_award WHERE person = ? ORDER BY day, award",
            arguments: [person]
        ).compactMap { row in
            Award(rawValue: row[0]).map { Given(award: $0, session: row[1], day: row[2]) }
        }
    }
}
