import BrushingEngine
import GRDB
import HubKit
import Storage

/// A person's history of brushing up to now, folded by the engine, day after day, from the newest state that is kept of what came
/// before.
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
    /// The first and the last day with a session; nil where there is none.
    let days: ClosedRange<Int32>?
    /// The state before the ``entries``; nil where these are all sessions.
    let beginning: KeptProgress?
    /// The person's sessions since then, in the order of days.
    let entries: [Entry]
    /// Days on which nothing is asked, in order.
    let frozen: [Int32]

    /// Makes a history of all sessions.
    init(person: PersonRecord, today: Int32, perDay: Int, entries: [Entry], frozen: [Int32]) {
        self.person = person
        self.today = today
        self.perDay = perDay
        days = entries.first.flatMap { first in entries.last.map { first.day...$0.day } }
        beginning = nil
        self.entries = entries
        self.frozen = frozen
    }

    /// Reads a person's history from the database: its sessions of some day and later, and some weeks before it.
    ///
    /// - Parameters:
    ///   - now: the hub's time, UTC milliseconds.
    ///   - day: the first day whose sessions are wanted by themselves, from the brushing day of today; all where it is nil.
    init(
        _ person: PersonRecord, _ household: HouseholdRecord, now: Int64, from day: ((_ today: Int32) -> Int32)? = nil,
        _ db: Database
    ) throws {
        self.person = person
        today = LocalMoment(of: now, LocalCalendar(timeZone: person.zone(household))).brushingDay
        perDay = try Settings.perDay(person: person.id, db)
        frozen = try Settings.frozenDays(person: person.id, db)
        let ends = try Row.fetchOne(
            db,
            cached: """
                SELECT (SELECT min(day) FROM brushing_session WHERE person = ?1),
                    (SELECT max(day) FROM brushing_session WHERE person = ?1)
                """, arguments: [person.id])
        if let first = ends?[0] as Int32?, let last = ends?[1] as Int32? { days = first...last } else { days = nil }
        if let first = day?(today) {
            beginning = try KeptProgress.newest(of: person.id, perDay: perDay, upTo: first, db)
        } else {
            beginning = nil
        }
        entries = try Self.entries(of: person.id, from: beginning?.day ?? .min, db)
    }

    /// The same history from the first session on.
    func whole(_ db: Database) throws -> SessionHistory {
        SessionHistory(
            person: person, today: today, perDay: perDay, entries: try Self.entries(of: person.id, from: .min, db),
            frozen: frozen)
    }

    private static func entries(of person: String, from day: Int32, _ db: Database) throws -> [Entry] {
        try Row.fetchAll(
            db,
            cached: """
                SELECT id, day, is_morning, counts, brush_milliseconds + floss_milliseconds + rinse_milliseconds
                FROM brushing_session WHERE person = ? AND day >= ? ORDER BY day, started_at, id
                """, arguments: [person, day]
        ).map { Entry(id: $0[0], day: $0[1], isMorning: $0[2], counts: $0[3], milliseconds: $0[4]) }
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
        let beginning = days?.lowerBound ?? today
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
    /// - Parameters:
    ///   - mark: gets the state as it was when a day had passed, for each day of `days`, in order.
    ///   - keep: gets the state before each session, with its day.
    func fold(
        days: [Int32] = [], mark: (Int32, BrushingProgress) -> Void = { _, _ in },
        keep: (Int32, BrushingProgress) -> Void = { _, _ in }
    ) -> (progress: BrushingProgress, given: [Given]) {
        var progress = beginning?.progress ?? BrushingProgress(perDay: perDay)
        var given: [Given] = []
        // The beginning has those up to its current day.
        let known = progress.currentDay ?? .min
        var frozen = frozen.drop { $0 <= known }
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
            keep(entry.day, progress)
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

    /// The days with entries on which the goal was reached, without the frozen ones.
    var completeDays: [Int32] {
        let frozen = Set(frozen)
        var counting: [Int32: Int] = [:]
        for entry in entries where entry.counts && !frozen.contains(entry.day) { counting[entry.day, default: 0] += 1 }
        return counting.compactMap { $1 >= perDay ? $0 : nil }
    }

    // MARK: Awards

    /// The most states that are kept for a session of an earlier month.
    private static let mostKeptOfBefore = 2

    /// Gives what has been earned and was not given yet. Who got an award keeps it: a session that comes late, another
    /// goal or a frozen day changes what is earned from then on.
    ///
    /// The states at the beginnings of months are kept, from which the next histories begin; not each time that one of many
    /// sessions of long ago comes, after which they are others.
    ///
    /// - Parameter isThisMonth: whether the session that came is of this month.
    func giveAwards(isThisMonth: Bool, _ db: Database) throws {
        var month = beginning?.day
        var kept: [(day: Int32, progress: BrushingProgress)] = []
        let given = fold(keep: { day, progress in
            let next = KeptProgress.month(of: day)
            if let month, month < next { kept.append((next, progress)) }
            month = next
        }).given
        if isThisMonth || kept.count <= Self.mostKeptOfBefore {
            let complete = completeDays
            for (day, progress) in kept {
                let state = KeptProgress(
                    day: day, progress: progress,
                    completeDays: (beginning?.completeDays ?? 0) + complete.count { $0 < day })
                try state.store(of: person, db)
            }
        }
        for given in given {
            try db.execute(
                cached: "INSERT OR IGNORE INTO brushing_award VALUES (?, ?, ?, ?, ?)",
                arguments: [person.household, person.id, given.award.rawValue, given.session, given.day])
        }
    }

    /// A person's awards, the earliest first.
    static func awards(of person: String, _ db: Database) throws -> [Given] {
        try Row.fetchAll(
            db, cached: "SELECT award, session, day FROM brushing_award WHERE person = ? ORDER BY day, award",
            arguments: [person]
        ).compactMap { row in
            Award(rawValue: row[0]).map { Given(award: $0, session: row[1], day: row[2]) }
        }
    }
}
