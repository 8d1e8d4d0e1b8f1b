import BrushingEngine
import HubKit
import Localization

/// The hub's words about everybody's brushing together: a headline, and the one or two things more that matter.
///
/// A part of the day is only claimed where it is that part by the clock of everybody who is meant; "all" only where
/// nobody is missing, and "today" only where nothing of the day is open.
struct OverviewText: HeadlineText, Equatable, Sendable {
    var headline: [LocalizedText]
    var lead: [LocalizedText]
    var weight: HeadlineWeight

    init(_ people: [Person]) {
        let present = people.filter(\.takesPart)
        let active = present.filter { $0.dayOff == nil && !$0.isNew }
        let done = active.filter(\.isDone)
        let missing = active.filter { !$0.isDone }
        weight = missing.isEmpty ? .well : .look
        guard !people.isEmpty else {
            headline = [LocalizedText("Nobody lives here yet.")]
            lead = [LocalizedText("Add who brushes here, in the settings of the household.")]
            weight = .nothing
            return
        }
        guard present.contains(where: { !$0.isNew }) else {
            headline = [LocalizedText("Nobody has brushed here yet.")]
            lead = [LocalizedText("Start whenever you like: a quarter of the mouth at a time.")]
            weight = .nothing
            return
        }
        guard !active.isEmpty else {
            headline = [Self.dayOff(present.filter { $0.dayOff != nil }, of: present)]
            lead = [LocalizedText("Brush if you like. No streak breaks.")]
            return
        }
        let isEverybody = active.count == present.count
        headline = Self.headline(done: done, missing: missing, isEverybody: isEverybody)
        lead = [missing.isEmpty ? Self.next(done) : Self.now(missing), Self.notable(present, active: active)]
            .compactMap { $0 }
    }

    // MARK: The headline

    private static func headline(done: [Person], missing: [Person], isEverybody: Bool) -> [LocalizedText] {
        guard !done.isEmpty else { return [notYet(missing, isEverybody: isEverybody)] }
        let claim = Claim(done)
        guard !missing.isEmpty else {
            guard done.count > 2 else { return [claim.sentence(names: done.map(\.name))] }
            return [isEverybody ? claim.sentence(all: done.count) : claim.sentence(count: done.count)]
        }
        let who = done.count > 3 ? claim.sentence(count: done.count) : claim.sentence(names: done.map(\.name))
        // "Not yet" stands for what was said before: only where that is what they have not done.
        let isSame =
            DayPart.shared(done + missing) != nil && claim != .yesterday
            && (claim != .today || missing.allSatisfy { $0.sessions == 0 })
        guard isSame else { return [who, notYet(missing, isEverybody: false)] }
        return [
            who,
            missing.count > 2
                ? LocalizedText("\(spelled: missing.count) have not yet.")
                : LocalizedText("\(list: missing.map(\.name)) have not yet."),
        ]
    }

    /// The most that is true of all those who have brushed.
    private enum Claim: Equatable {
        case morning, evening, beforeBed, today, yesterday, soFar, some

        init(_ people: [Person]) {
            switch DayPart.shared(people) {
            case nil: self = .some
            case .morning: self = .morning
            case .afternoon:
                self =
                    people.allSatisfy(\.isComplete)
                    ? .today : people.allSatisfy { $0.hasBrushed(in: .morning) } ? .morning : .soFar
            case .evening: self = people.allSatisfy { $0.hasBrushed(in: .evening) } ? .evening : .today
            case .night: self = people.allSatisfy(\.hasBrushedInEvening) ? .beforeBed : .yesterday
            }
        }

        func sentence(names: [String]) -> LocalizedText {
            switch self {
            case .morning: LocalizedText("\(list: names) brushed this morning.")
            case .evening: LocalizedText("\(list: names) brushed this evening.")
            case .beforeBed: LocalizedText("\(list: names) brushed before bed.")
            case .today: LocalizedText("\(list: names) have brushed today.")
            case .yesterday: LocalizedText("\(list: names) brushed yesterday.")
            case .soFar: LocalizedText("\(list: names) have brushed so far today.")
            case .some: LocalizedText("\(list: names) have brushed.")
            }
        }

        func sentence(count: Int) -> LocalizedText {
            switch self {
            case .morning: LocalizedText("\(spelled: count) brushed this morning.")
            case .evening: LocalizedText("\(spelled: count) brushed this evening.")
            case .beforeBed: LocalizedText("\(spelled: count) brushed before bed.")
            case .today: LocalizedText("\(spelled: count) have brushed today.")
            case .yesterday: LocalizedText("\(spelled: count) brushed yesterday.")
            case .soFar: LocalizedText("\(spelled: count) have brushed so far today.")
            case .some: LocalizedText("\(spelled: count) have brushed.")
            }
        }

        func sentence(all count: Int) -> LocalizedText {
            switch self {
            case .morning: LocalizedText("All \(spelled: count) brushed this morning.")
            case .evening: LocalizedText("All \(spelled: count) brushed this evening.")
            case .beforeBed: LocalizedText("All \(spelled: count) brushed before bed.")
            case .today: LocalizedText("All \(spelled: count) have brushed today.")
            case .yesterday: LocalizedText("All \(spelled: count) brushed yesterday.")
            case .soFar: LocalizedText("All \(spelled: count) have brushed so far today.")
            case .some: LocalizedText("All \(spelled: count) have brushed.")
            }
        }
    }

    /// The sentence about those who have not brushed yet.
    ///
    /// - Parameter isEverybody: whether these are all who take part.
    private static func notYet(_ people: [Person], isEverybody: Bool) -> LocalizedText {
        let names = people.map(\.name)
        let isMany = names.count > 2
        switch DayPart.shared(people) {
        case .morning:
            if isMany, isEverybody { return LocalizedText("Nobody has brushed this morning yet.") }
            return isMany
                ? LocalizedText("\(spelled: names.count) have not brushed this morning yet.")
                : LocalizedText("\(list: names) have not brushed this morning yet.")
        case .afternoon:
            if isMany, isEverybody { return LocalizedText("Nobody has brushed today yet.") }
            return isMany
                ? LocalizedText("\(spelled: names.count) have not brushed today yet.")
                : LocalizedText("\(list: names) have not brushed today yet.")
        case .evening:
            if isMany, isEverybody { return LocalizedText("Nobody has brushed this evening yet.") }
            return isMany
                ? LocalizedText("\(spelled: names.count) have not brushed this evening yet.")
                : LocalizedText("\(list: names) have not brushed this evening yet.")
        case .night:
            if isMany, isEverybody { return LocalizedText("Nobody has brushed before bed yet.") }
            return isMany
                ? LocalizedText("\(spelled: names.count) have not brushed before bed yet.")
                : LocalizedText("\(list: names) have not brushed before bed yet.")
        case nil:
            return isMany
                ? LocalizedText("\(spelled: names.count) have yet to brush.")
                : LocalizedText("\(list: names) have yet to brush.")
        }
    }

    /// The sentence about those who have a day off.
    ///
    /// - Parameter everybody: who takes part.
    private static func dayOff(_ people: [Person], of everybody: [Person]) -> LocalizedText {
        let reasons = Set(people.compactMap(\.dayOff))
        let reason = reasons.count == 1 ? reasons.first : nil
        let names = people.map(\.name)
        guard people.count > 2 else {
            return switch reason {
            case .ill: LocalizedText("\(list: names) are ill today.")
            case .holiday: LocalizedText("\(list: names) are on holiday.")
            default: LocalizedText("\(list: names) have a day off.")
            }
        }
        guard people.count == everybody.count else {
            return switch reason {
            case .ill: LocalizedText("\(spelled: names.count) are ill today.")
            case .holiday: LocalizedText("\(spelled: names.count) are on holiday.")
            default: LocalizedText("\(spelled: names.count) have a day off.")
            }
        }
        return switch reason {
        case .ill: LocalizedText("Everybody is ill today.")
        case .holiday: LocalizedText("Everybody is on holiday.")
        default: LocalizedText("Everybody has a day off.")
        }
    }

    // MARK: What follows

    /// The sentence about who of those who have brushed is due next, and at what time, without names where it is all of
    /// them.
    private static func next(_ people: [Person]) -> LocalizedText {
        let open = people.filter { ($0.part == .morning || $0.part == .afternoon) && !$0.isComplete }
        // An evening that is open comes before tomorrow's reminder, whether anybody is reminded of it or not.
        if let next = people.compactMap(\.reminderNext).min(by: { ($0.days, $0.minute) < ($1.days, $1.minute) }),
            open.isEmpty || next.days <= 0
        {
            let time = LocalCalendar.timeOfDay(minute: next.minute)
            let names = people.filter { $0.reminderNext.map { $0 == next } ?? false }.map(\.name)
            let isAll = names.count == people.count
            return switch next.days {
            case ...0:
                isAll ? LocalizedText("Next at \(time).") : LocalizedText("Next at \(time), for \(list: names).")
            case 1:
                isAll
                    ? LocalizedText("Next tomorrow at \(time).")
                    : LocalizedText("Next tomorrow at \(time), for \(list: names).")
            case let days:
                isAll
                    ? LocalizedText("Next in \(spelled: days) days at \(time).")
                    : LocalizedText("Next in \(spelled: days) days at \(time), for \(list: names).")
            }
        }
        if !open.isEmpty {
            return open.count == people.count
                ? LocalizedText("Next this evening.")
                : LocalizedText("Next this evening, for \(list: open.map(\.name)).")
        }
        return people.allSatisfy { $0.part == .night }
            ? LocalizedText("Next when the morning comes.") : LocalizedText("Next tomorrow.")
    }

    /// The sentence that helps those who have not brushed.
    private static func now(_ people: [Person]) -> LocalizedText? {
        if let minute = people.compactMap(\.reminderNow).min() {
            return LocalizedText("A reminder comes at \(LocalCalendar.timeOfDay(minute: minute)).")
        }
        let lengths = Set(people.map { duration($0.plannedSeconds) })
        return lengths.count == 1 ? lengths.first.map { LocalizedText("It takes \($0).") } : nil
    }

    /// The one thing more: who has to go somewhere soon, whose brush head is worn, who need not brush, who does so
    /// well.
    private static func notable(_ people: [Person], active: [Person]) -> LocalizedText? {
        let soon = people.compactMap { person in person.appointment.map { (person.name, $0) } }
            .filter { $0.1.days <= 1 }
            .min { ($0.1.days, $0.1.minute) < ($1.1.days, $1.1.minute) }
        if let (name, appointment) = soon {
            let time = LocalCalendar.timeOfDay(minute: appointment.minute)
            return appointment.days <= 0
                ? LocalizedText("\(name) has an appointment today at \(time): \(appointment.title).")
                : LocalizedText("\(name) has an appointment tomorrow at \(time): \(appointment.title).")
        }
        let due = people.filter(\.isBrushHeadDue)
        switch due.count {
        case 0: break
        case 1: return LocalizedText("\(due[0].name)’s brush head has done its time.")
        case 2: return LocalizedText("The brush heads of \(list: due.map(\.name)) have done their time.")
        default: return LocalizedText("\(spelled: due.count) brush heads have done their time.")
        }
        let resting = people.filter { $0.dayOff != nil }
        if !resting.isEmpty { return dayOff(resting, of: people) }
        guard let best = active.max(by: { $0.streakDays < $1.streakDays }), best.streakDays >= 3 else { return nil }
        return LocalizedText("\(best.name) has kept \(spelled: best.streakDays) days in a row.")
    }

    /// A duration to the half minute: `two minutes`, `three and a half minutes`.
    static func duration(_ seconds: Int) -> LocalizedText {
        let halves = (seconds + 15) / 30
        if halves <= 1 { return LocalizedText("less than a minute") }
        let minutes = halves / 2
        if minutes > 12 { return LocalizedText("\(thousandths: halves * 500, decimals: 1) minutes") }
        return halves.isMultiple(of: 2)
            ? LocalizedText("\(spelled: minutes) minutes") : LocalizedText("\(spelled: minutes) and a half minutes")
    }
}

extension DayPart {
    /// The part of the day that it is for all of them; nil where their clocks differ as much.
    fileprivate static func shared(_ people: [OverviewText.Person]) -> DayPart? {
        guard let first = people.first?.part, people.allSatisfy({ $0.part == first }) else { return nil }
        return first
    }
}
