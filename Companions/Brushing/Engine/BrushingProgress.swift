import Wire

/// The progress of a person over their sessions: a fold over days in ascending order.
///
/// Days are those of ``LocalMoment/brushingDay``. All days before the current one are closed, so it is decided whether
/// they count for the streak. A session for a closed day still counts as a session, and changes no streak; a caller
/// that has all sessions folds them again, in order.
public struct BrushingProgress: Sendable, Equatable {
    /// The bits of a day.
    public enum Pip {
        /// A session in the morning.
        public static let morning: UInt8 = 1
        /// A session in the evening.
        public static let evening: UInt8 = 2
        /// The day is frozen.
        public static let frozen: UInt8 = 4
        /// A third session of the day, or a later one, where three are asked.
        public static let third: UInt8 = 8
        /// All bits.
        static let all = morning | evening | frozen | third
    }

    /// The numbers of sessions a day that may be chosen: dentists recommend three for people with braces.
    public static let perDayChoices = 1...3

    /// The number of days ahead for which frozen days are in the ``bytes``.
    public static let frozenAhead = 60

    /// The number of sessions that a day needs, one of ``perDayChoices``.
    public let perDay: Int
    /// The number of sessions that count.
    public internal(set) var sessions = 0
    /// The number of sessions in the current week, Monday to Sunday.
    public internal(set) var sessionsThisWeek = 0
    /// The time of all sessions, including short ones, in milliseconds.
    public internal(set) var totalMilliseconds: Int64 = 0
    /// The most days in a row so far.
    public internal(set) var longestStreakDays = 0
    /// The current week, Monday first: bits of ``Pip``.
    public internal(set) var week: [UInt8] = Array(repeating: 0, count: 7)

    /// The current day; nil before the first.
    var day: Int32?
    /// The number of sessions that count on the current day.
    var sessionsToday = 0
    /// Days in a row up to the day before.
    var closedStreak = 0
    /// The habit up to the day before, in parts of 2^32.
    var closedHabit: UInt64 = 0
    /// Frozen days from the current one on, ascending.
    var frozen: [Int32] = []
    /// A bit for each award that was given, by its number.
    var given: UInt32 = 0

    /// Creates progress without sessions.
    ///
    /// - Parameter perDay: the number of sessions that a day needs; another number is replaced by the nearest of
    ///   ``perDayChoices``.
    public init(perDay: Int) {
        self.perDay = min(max(perDay, Self.perDayChoices.lowerBound), Self.perDayChoices.upperBound)
    }

    /// The current day; nil before the first.
    public var currentDay: Int32? { day }

    // MARK: - What happens

    /// Freezes a day, which then neither breaks nor lengthens a streak. It must be known before later days are
    /// recorded.
    public mutating func freeze(_ frozenDay: Int32) {
        if let day, weekStart(of: day) == weekStart(of: frozenDay) { week[weekday(frozenDay)] |= Pip.frozen }
        guard frozenDay >= day ?? .min else { return }
        let place = frozen.firstIndex { $0 >= frozenDay } ?? frozen.count
        if place == frozen.count || frozen[place] != frozenDay { frozen.insert(frozenDay, at: place) }
    }

    /// Closes all days before `next`; does nothing if that is not after the current one.
    public mutating func advance(to next: Int32) {
        guard var today = day else {
            enter(next)
            return
        }
        guard next > today else { return }
        close(today)
        // A gap closes one empty day after the other, until nothing is left that it could take away.
        while today + 1 < next, closedStreak > 0 || closedHabit > 0 {
            today += 1
            close(today)
        }
        enter(next)
    }

    /// Records a session of a day, and returns the award that it brings.
    public mutating func record(
        day recordedDay: Int32, isMorning: Bool, counts: Bool, milliseconds: Int64
    ) -> Award? {
        advance(to: recordedDay)
        totalMilliseconds = totalMilliseconds.plusClamped(max(milliseconds, 0))
        guard counts else { return nil }
        sessions += 1
        if let day, weekStart(of: day) == weekStart(of: recordedDay) {
            sessionsThisWeek += 1
            week[weekday(recordedDay)] |= isMorning ? Pip.morning : Pip.evening
        }
        if day == recordedDay {
            sessionsToday += 1
            if perDay > 2, sessionsToday > 2 { week[weekday(recordedDay)] |= Pip.third }
        }
        longestStreakDays = max(longestStreakDays, streakDays)
        return award()
    }

    private mutating func enter(_ next: Int32) {
        if day.map({ weekStart(of: $0) != weekStart(of: next) }) ?? true {
            sessionsThisWeek = 0
            let monday = weekStart(of: next)
            for index in 0..<7 { week[index] = frozen.contains { Int64($0) == monday + Int64(index) } ? Pip.frozen : 0 }
        }
        day = next
        sessionsToday = 0
        let passed = frozen.firstIndex { $0 >= next } ?? frozen.count
        frozen.removeFirst(passed)
    }

    private mutating func close(_ closed: Int32) {
        let done = closed == day ? sessionsToday : 0
        guard !frozen.contains(closed) else { return }
        closedStreak = done >= perDay ? closedStreak + 1 : 0
        closedHabit = habit(after: closedHabit, sessions: done)
    }

    /// The highest award that is due and was not given. One that became due together with a higher one is given the
    /// next time.
    private mutating func award() -> Award? {
        var candidate: Award? = .twoThousand
        while let award = candidate {
            let bit: UInt32 = 1 << UInt32(award.rawValue)
            let isDue = award.days.map { longestStreakDays >= $0 } ?? award.sessions.map { sessions >= $0 } ?? false
            if isDue, given & bit == 0 {
                given |= bit
                return award
            }
            candidate = award.lower
        }
        return nil
    }

    // MARK: - What it comes to

    /// The current day, bits of ``Pip``; 0 before the first.
    public var today: UInt8 { day.map { week[weekday($0)] } ?? 0 }

    private var isTodayFrozen: Bool { day.map { frozen.contains($0) } ?? false }

    /// Days in a row, today if it is kept already: an unfinished today breaks nothing.
    public var streakDays: Int {
        sessionsToday >= perDay && !isTodayFrozen ? closedStreak + 1 : closedStreak
    }

    /// The strength of the habit, in parts of 2^32: an average over all days in which each weighs half as much as the
    /// one 13 days later. It is that of Loop Habit Tracker (`Score.kt`), for a habit of every day.
    public var habit: UInt64 {
        isTodayFrozen ? closedHabit : max(closedHabit, habit(after: closedHabit, sessions: sessionsToday))
    }

    /// The strength of the habit in percent, rounded.
    public var habitPercent: Int { Int((habit * 100 + (1 << 31)) >> 32) }

    /// The weight of the past for each day: 0.5^(1/13), in parts of 2^32.
    private static let weightOfPast: UInt64 = 4_071_961_918

    private func habit(after score: UInt64, sessions: Int) -> UInt64 {
        let share = ((1 << 32) - Self.weightOfPast) * UInt64(min(sessions, perDay)) / UInt64(perDay)
        return ((score * Self.weightOfPast) >> 32) + share
    }
}

/// The day of the week, from Monday as 0; 1970-01-01 was a Thursday.
func weekday(_ day: Int32) -> Int { Int(((Int64(day) + 3) % 7 + 7) % 7) }

/// The Monday of a day's week.
func weekStart(of day: Int32) -> Int64 { Int64(day) - Int64(weekday(day)) }
