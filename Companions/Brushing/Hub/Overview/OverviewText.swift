import HubKit

/// What the hub says of everybody's brushing together: a headline, and the one or two things more that matter.
struct OverviewText: Equatable, Sendable {
    var headline: String
    var lead: String

    /// What it takes to know of each person.
    struct Person: Sendable {
        var name: String
        /// Whether they brush with the hub: children do, and whoever has done so once.
        var takesPart = true
        /// Which half of the brushing day it is by their clock.
        var isMorning = true
        /// Whether a session that counts lies in this half of the day.
        var hasBrushedNow = false
        /// Sessions that count today.
        var sessionsToday = 0
        /// How many keep a day.
        var perDay = 2
        var dayOff: FrozenDay.Reason?
        var streakDays = 0
        /// Of the whole routine.
        var plannedSeconds = 210
        /// The reminder that comes in this half of the day, if it lies ahead: a minute of the day.
        var reminderNow: Int32?
        /// The reminder of the next half in which they brush: days from today, and a minute of that day.
        var reminderNext: (days: Int32, minute: Int32)?
        var isBrushHeadDue = false
        /// The next appointment: days from today, and a minute of that day.
        var appointment: (title: String, days: Int32, minute: Int32)?

        /// Leaves what everybody of the household may hear: who it is, and whether it is done.
        mutating func forgetOwn() {
            dayOff = dayOff.map { _ in .skip }
            streakDays = 0
            reminderNow = nil
            reminderNext = nil
            isBrushHeadDue = false
            appointment = nil
        }

        /// Nothing more is asked of them for now.
        var isDone: Bool { hasBrushedNow || sessionsToday >= perDay }
    }

    init(_ people: [Person]) {
        let present = people.filter(\.takesPart)
        let active = present.filter { $0.dayOff == nil }
        let done = active.filter(\.isDone)
        let missing = active.filter { !$0.isDone }
        guard !people.isEmpty else {
            headline = "Nobody lives here yet."
            lead = "Add who brushes here, in the settings of the household."
            return
        }
        guard !present.isEmpty else {
            headline = "Nobody has brushed here yet."
            lead = "Start whenever you like: a quarter of the mouth at a time."
            return
        }
        guard !active.isEmpty else {
            headline = Self.dayOff(present)
            lead = "Brush if you like. No streak breaks."
            return
        }
        headline = Self.headline(done: done, missing: missing)
        lead = [missing.isEmpty ? Self.next(done) : Self.now(missing), Self.notable(present, active: active)]
            .compactMap { $0 }.joined(separator: " ")
    }

    // MARK: The headline

    private static func headline(done: [Person], missing: [Person]) -> String {
        guard !done.isEmpty else {
            let time = time(missing)
            if missing.count > 2 { return "Nobody has brushed \(time) yet." }
            return "\(missing.map(\.name).listed) \(missing.count == 2 ? "have" : "has") not brushed \(time) yet."
        }
        let isNow = done.allSatisfy(\.hasBrushedNow)
        let brushed = isNow ? "brushed \(time(done))" : "\(done.count == 1 ? "has" : "have") brushed today"
        guard !missing.isEmpty else {
            let who = done.count > 2 ? "All \(done.count.spelled)" : done.map(\.name).listed
            return "\(who) \(brushed)."
        }
        let who = done.count > 3 ? done.count.spelled.capitalizedFirst : done.map(\.name).listed
        let others = missing.count > 2 ? missing.count.spelled.capitalizedFirst : missing.map(\.name).listed
        return "\(who) \(brushed). \(others) \(missing.count == 1 ? "has" : "have") not yet."
    }

    /// `this morning`; where it is morning for one and evening for another, `today`.
    private static func time(_ people: [Person]) -> String {
        if people.allSatisfy(\.isMorning) { return "this morning" }
        return people.contains(where: \.isMorning) ? "today" : "this evening"
    }

    private static func dayOff(_ people: [Person]) -> String {
        let reasons = Set(people.compactMap(\.dayOff))
        let who = people.count > 2 ? "Everybody" : people.map(\.name).listed
        let isOne = people.count != 2
        return switch reasons.count == 1 ? reasons.first : nil {
        case .ill: "\(who) \(isOne ? "is" : "are") ill today."
        case .holiday: "\(who) \(isOne ? "is" : "are") on holiday."
        default: "\(who) \(isOne ? "has" : "have") a day off."
        }
    }

    // MARK: What follows

    /// When the next of those who have brushed is due.
    private static func next(_ people: [Person]) -> String {
        let reminders = people.compactMap(\.reminderNext)
        if let next = reminders.min(by: { ($0.days, $0.minute) < ($1.days, $1.minute) }) {
            let time = LocalCalendar.timeOfDay(minute: next.minute)
            return next.days <= 0 ? "Next at \(time)." : "Next \(day(next.days)) at \(time)."
        }
        let hasEvening = people.contains { $0.isMorning && $0.sessionsToday < $0.perDay }
        return hasEvening ? "Next this evening." : "Next tomorrow."
    }

    /// What helps those who have not brushed.
    private static func now(_ people: [Person]) -> String? {
        if let minute = people.compactMap(\.reminderNow).min() {
            return "A reminder comes at \(LocalCalendar.timeOfDay(minute: minute))."
        }
        let lengths = Set(people.map { duration($0.plannedSeconds) })
        return lengths.count == 1 ? lengths.first.map { "It takes \($0)." } : nil
    }

    /// The one thing more: who has to go somewhere soon, whose brush head is worn, who need not brush, who does so well.
    private static func notable(_ people: [Person], active: [Person]) -> String? {
        let soon = people.compactMap { person in person.appointment.map { (person.name, $0) } }
            .filter { $0.1.days <= 1 }
            .min { ($0.1.days, $0.1.minute) < ($1.1.days, $1.1.minute) }
        if let (name, appointment) = soon {
            let time = LocalCalendar.timeOfDay(minute: appointment.minute)
            return "\(name) has an appointment \(day(appointment.days)) at \(time): \(appointment.title)."
        }
        let due = people.filter(\.isBrushHeadDue)
        switch due.count {
        case 0: break
        case 1: return "\(due[0].name)’s brush head has done its time."
        case 2: return "The brush heads of \(due.map(\.name).listed) have done their time."
        default: return "\(due.count.spelled.capitalizedFirst) brush heads have done their time."
        }
        let resting = people.filter { $0.dayOff != nil }
        if !resting.isEmpty { return dayOff(resting) }
        guard let best = active.max(by: { $0.streakDays < $1.streakDays }), best.streakDays >= 3 else { return nil }
        return "\(best.name) has kept \(best.streakDays.spelled) days in a row."
    }

    private static func day(_ days: Int32) -> String {
        switch days {
        case ...0: "today"
        case 1: "tomorrow"
        default: "in \(Int(days).spelled) days"
        }
    }

    /// To the half minute: `two minutes`, `three and a half minutes`.
    static func duration(_ seconds: Int) -> String {
        let halves = (seconds + 15) / 30
        return switch halves {
        case ...1: "less than a minute"
        case 2: "one minute"
        case let halves:
            halves.isMultiple(of: 2)
                ? "\((halves / 2).spelled) minutes" : "\((halves / 2).spelled) and a half minutes"
        }
    }
}
