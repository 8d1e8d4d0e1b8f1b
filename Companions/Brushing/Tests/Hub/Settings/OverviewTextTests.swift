import HubKit
import Testing

@testable import BrushingHub

@Suite("What the overview says of everybody")
struct OverviewTextTests {
    typealias Person = OverviewText.Person

    private static func done(_ name: String, isMorning: Bool = true) -> Person {
        Person(name: name, isMorning: isMorning, hasBrushedNow: true, sessionsToday: isMorning ? 1 : 2)
    }

    private static func missing(_ name: String, isMorning: Bool = true) -> Person {
        Person(name: name, isMorning: isMorning, sessionsToday: isMorning ? 0 : 1)
    }

    private static func off(_ name: String, _ reason: FrozenDay.Reason = .ill) -> Person {
        Person(name: name, dayOff: reason)
    }

    private static let names = ["Mila", "Theo", "Ines", "Tom", "Ada", "Ben", "Cleo", "Dora"]

    // MARK: Headlines

    @Test(
        "All have brushed: few are named, many are counted",
        arguments: [
            (1, "Mila brushed this morning."), (2, "Mila and Theo brushed this morning."),
            (3, "All three brushed this morning."), (8, "All eight brushed this morning."),
        ])
    func allDone(count: Int, headline: String) {
        #expect(OverviewText(Self.names.prefix(count).map { Self.done($0) }).headline == headline)
    }

    @Test(
        "Nobody has brushed yet",
        arguments: [
            (1, "Mila has not brushed this evening yet."), (2, "Mila and Theo have not brushed this evening yet."),
            (3, "Nobody has brushed this evening yet."), (8, "Nobody has brushed this evening yet."),
        ])
    func noneDone(count: Int, headline: String) {
        let people = Self.names.prefix(count).map { Self.missing($0, isMorning: false) }
        #expect(OverviewText(people).headline == headline)
    }

    @Test(
        "Some have brushed",
        arguments: [
            (1, 1, "Mila brushed this morning. Theo has not yet."),
            (2, 1, "Mila and Theo brushed this morning. Ines has not yet."),
            (1, 2, "Mila brushed this morning. Theo and Ines have not yet."),
            (3, 3, "Mila, Theo and Ines brushed this morning. Three have not yet."),
            (5, 3, "Five brushed this morning. Three have not yet."),
            (7, 1, "Seven brushed this morning. Dora has not yet."),
        ])
    func someDone(done: Int, missing: Int, headline: String) {
        let people = Self.names.prefix(done + missing).enumerated()
            .map { $0 < done ? Self.done($1) : Self.missing($1) }
        #expect(OverviewText(people).headline == headline)
    }

    @Test("Nobody lives here, and nobody has brushed here")
    func empty() {
        #expect(OverviewText([]).headline == "Nobody lives here yet.")
        var adult = Self.missing("Ines")
        adult.takesPart = false
        #expect(OverviewText([adult]).headline == "Nobody has brushed here yet.")
        #expect(OverviewText([adult, Self.done("Mila")]).headline == "Mila brushed this morning.")
    }

    @Test("Whoever brushes once a day has brushed today, in the evening too")
    func oncePerDay() {
        let ines = Person(name: "Ines", isMorning: false, sessionsToday: 1, perDay: 1)
        #expect(OverviewText([ines]).headline == "Ines has brushed today.")
        #expect(
            OverviewText([ines, Self.done("Mila", isMorning: false)]).headline == "Ines and Mila have brushed today.")
        #expect(
            OverviewText([ines, Self.missing("Mila", isMorning: false)]).headline
                == "Ines has brushed today. Mila has not yet.")
    }

    @Test("Where it is morning for one and evening for another, it is today for all")
    func twoZones() {
        #expect(
            OverviewText([Self.done("Mila"), Self.done("Grandma", isMorning: false)]).headline
                == "Mila and Grandma brushed today.")
        #expect(
            OverviewText([Self.missing("Mila"), Self.missing("Grandma", isMorning: false)]).headline
                == "Mila and Grandma have not brushed today yet.")
    }

    @Test(
        "Days off are no fault",
        arguments: [
            ([off("Mila")], "Mila is ill today."), ([off("Mila"), off("Theo")], "Mila and Theo are ill today."),
            ([off("Mila", .holiday), off("Theo", .holiday), off("Ines", .holiday)], "Everybody is on holiday."),
            ([off("Mila", .skip)], "Mila has a day off."),
            ([off("Mila", .ill), off("Theo", .holiday)], "Mila and Theo have a day off."),
        ])
    func daysOff(people: [Person], headline: String) {
        let words = OverviewText(people)
        #expect(words.headline == headline)
        #expect(words.lead == "Brush if you like. No streak breaks.")
    }

    @Test("Somebody with a day off is not missed")
    func oneOff() {
        let words = OverviewText([Self.done("Mila"), Self.off("Theo")])
        #expect(words.headline == "Mila brushed this morning.")
        #expect(words.lead == "Next this evening. Theo is ill today.")
    }

    // MARK: Leads

    @Test("After all have brushed, the next time is told, the earliest of all")
    func next() {
        var (mila, theo) = (Self.done("Mila"), Self.done("Theo"))
        #expect(OverviewText([mila, theo]).lead == "Next this evening.")
        mila.reminderNext = (0, 19 * 60 + 30)
        #expect(OverviewText([mila, theo]).lead == "Next at 19:30.")
        theo.reminderNext = (0, 18 * 60 + 5)
        #expect(OverviewText([mila, theo]).lead == "Next at 18:05.")
        mila.reminderNext = (1, 7 * 60)
        theo.reminderNext = nil
        #expect(OverviewText([mila, theo]).lead == "Next tomorrow at 7:00.")
        #expect(OverviewText([Self.done("Mila", isMorning: false)]).lead == "Next tomorrow.")
    }

    @Test("Before, what is still to come helps: a reminder, or how long it takes")
    func now() {
        var mila = Self.missing("Mila")
        #expect(OverviewText([mila]).lead == "It takes three and a half minutes.")
        mila.reminderNow = 8 * 60
        #expect(OverviewText([mila, Self.missing("Theo")]).lead == "A reminder comes at 8:00.")
        var theo = Self.missing("Theo")
        theo.plannedSeconds = 60
        mila.reminderNow = nil
        #expect(OverviewText([mila, theo]).lead == "", "it takes each another time")
    }

    @Test(
        "Lengths are told to the half minute",
        arguments: [
            (5, "less than a minute"), (44, "less than a minute"), (60, "one minute"), (90, "one and a half minutes"),
            (120, "two minutes"), (210, "three and a half minutes"), (224, "three and a half minutes"),
            (225, "four minutes"), (3_600, "60 minutes"),
        ])
    func duration(seconds: Int, words: String) { #expect(OverviewText.duration(seconds) == words) }

    @Test("One thing more is told: an appointment, then a worn brush head, then who is off, then a streak")
    func notable() {
        var mila = Self.done("Mila")
        mila.streakDays = 2
        #expect(OverviewText([mila]).lead == "Next this evening.")
        mila.streakDays = 12
        #expect(OverviewText([mila]).lead == "Next this evening. Mila has kept twelve days in a row.")
        #expect(OverviewText([mila, Self.off("Ada")]).lead == "Next this evening. Ada is ill today.")
        mila.isBrushHeadDue = true
        #expect(
            OverviewText([mila, Self.off("Ada")]).lead == "Next this evening. Mila’s brush head has done its time.")
        var theo = Self.done("Theo")
        theo.isBrushHeadDue = true
        #expect(
            OverviewText([mila, theo]).lead
                == "Next this evening. The brush heads of Mila and Theo have done their time.")
        var tom = Self.done("Tom")
        tom.isBrushHeadDue = true
        #expect(OverviewText([mila, theo, tom]).lead == "Next this evening. Three brush heads have done their time.")
        theo.appointment = ("Dentist", 2, 930)
        #expect(OverviewText([mila, theo, tom]).lead == "Next this evening. Three brush heads have done their time.")
        theo.appointment = ("Dentist", 1, 930)
        #expect(
            OverviewText([mila, theo]).lead == "Next this evening. Theo has an appointment tomorrow at 15:30: Dentist.")
        mila.appointment = ("Check-up", 0, 1_000)
        #expect(
            OverviewText([mila, theo]).lead == "Next this evening. Mila has an appointment today at 16:40: Check-up.")
    }
}
