import Localization
import Signals
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("What is said of practice, from none of it on")
struct PracticeTextTests {
    private static let today: Int32 = 20_778

    private static func subject() -> Subject {
        Subject(
            PersonRecord(id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 1),
            of: HouseholdRecord(id: "linden", name: "Linden", timeZone: "Europe/Vienna", createdAt: 1),
            now: DrumsTestApp.start)
    }

    private static func beat(
        _ side: Side, _ reaction: Int32?, day: Int32 = today, verdict: Verdict = .right, isFlow: Bool = false,
        error: Int32? = nil
    ) -> Practice.Beat {
        Practice.Beat(
            day: day, level: 1, isFlow: isFlow, result: .init(result(side, reaction, verdict: verdict, error: error)))
    }

    private static func result(
        _ side: Side, _ reaction: Int32?, verdict: Verdict = .right, error: Int32? = nil
    ) -> BeatResult {
        BeatResult(
            step: 0, drum: side == .left ? .red : .blue, verdict: verdict, reactionMilliseconds: reaction,
            errorMilliseconds: error, forceHundredths: nil, wrong: [], waitedMilliseconds: 0, link: .bluetooth,
            side: side)
    }

    private static func hands(_ left: [Int32], _ right: [Int32], affected: SideName? = .right) -> String? {
        HandsResponse(
            left.map { beat(.left, $0) } + right.map { beat(.right, $0) }, clock: .drum, affected: affected,
            bins: DayBins(today - 27...today, by: .week), caption: "the last four weeks", in: .english)?.words
    }

    @Test("Hands are compared from five answers of each on; before, it says what there is")
    func fewHands() {
        #expect(Self.hands([], []) == nil)
        #expect(
            Self.hands([500], [])
                == "Too few answers to compare the hands: one of the left hand and no answers of the right hand. Five of each are needed."
        )
        #expect(
            Self.hands([500, 510], [600])
                == "Too few answers to compare the hands: two of the left hand and one of the right hand. Five of each are needed."
        )
        #expect(
            Self.hands([500, 510, 520, 530, 540], [600, 610])
                == "Too few answers to compare the hands: two of the right hand. Five of each are needed.")
    }

    @Test("A difference is told with what is known of it, and where none fits too, that is said")
    func hands() throws {
        let left: [Int32] = (0..<40).map { 500 + $0 % 10 * 10 }
        let clear = try #require(Self.hands(left, left.map { $0 + 120 }))
        #expect(clear.hasPrefix("Right, the practised side, answers 120 ms later than left. It may be "))
        #expect(!clear.contains("No difference"))
        #expect(clear.hasSuffix("One week with enough answers of both hands is too few to say whether it changes."))
        let alike = try #require(Self.hands(left, left.map { $0 + 3 }))
        #expect(alike.contains("There may also be no difference at all."))
        #expect(try #require(Self.hands(left, left, affected: nil)).hasPrefix("Right answers as fast as left."))
        #expect(
            try #require(Self.hands(left, left.map { $0 + 120 }, affected: .left)).hasPrefix(
                "Left, the practised side, answers 120 ms sooner than right."))
    }

    @Test(
        "A trend is told from five days on",
        arguments: [
            (0, "there is none yet."), (1, "there is one."), (2, "there are two."), (4, "there are four."),
        ])
    func fewDays(days: Int, words: String) throws {
        // One answer of a day more, so that there is something at all; a day of fewer than five is no day of a trend.
        let beats = (0..<days).flatMap { day in
            (0..<5).map { Self.beat(.right, 600 + Int32($0), day: Self.today - Int32(day)) }
        }
        let trend = try #require(
            TrendResponse(
                beats + [Self.beat(.right, 600, day: Self.today - 20)], clock: .drum, side: .right,
                days: Self.today - 27...Self.today, in: .english))
        #expect(trend.figures == nil && trend.perWeek == nil && trend.line.isEmpty && trend.band.isEmpty)
        #expect(trend.words == "A trend takes five days with five answers each; \(words)")
    }

    @Test("A trend is told with its interval, faster and slower; where none fits too, that is said")
    func trend() throws {
        func words(_ perDay: Int32, noise: Int32) throws -> TrendResponse {
            var beats: [Practice.Beat] = []
            for day in Int32(0)..<20 {
                let usual: Int32 = 700 + perDay * day + (day * 7 % 5 - 2) * noise
                for place in Int32(0)..<5 { beats.append(Self.beat(.right, usual + place, day: Self.today - 19 + day)) }
            }
            let trend = TrendResponse(
                beats, clock: .drum, side: .right, days: Self.today - 27...Self.today, in: .english)
            return try #require(trend)
        }
        let faster = try words(-4, noise: 0)
        #expect(faster.figures == "28 ms faster a week; 95% range 28 faster to 28 faster.")
        #expect(
            faster.words
                == "The answers became faster over these 20 days, by more than chance. What made them so, the days do not tell."
        )
        let slower = try words(3, noise: 0)
        #expect(slower.figures == "21 ms slower a week; 95% range 21 slower to 21 slower.")
        #expect(slower.words.hasPrefix("The answers became slower over these 20 days, by more than chance."))
        let level = try words(0, noise: 40)
        #expect(level.words == "These 20 days do not show whether the answers became faster or slower.")
        #expect(faster.line.map(\.index) == [8, 27])
        #expect(faster.band.count == 5)
        #expect(faster.band.allSatisfy { $0.from <= $0.to })
    }

    @Test("Of three answers a chart has their median and no quartiles, of four it has them", arguments: [3, 4])
    func few(count: Int) throws {
        let beats = (0..<Int32(count)).map { Self.beat(.right, 600 + 10 * $0, day: Self.today) }
        let bins = DayBins(Self.today - 6...Self.today, by: .day)
        let chart = try #require(
            QuartileChart(
                LocalizedText("Reaction time"), beats, bins: bins, unit: "ms", of: LocalizedText("milliseconds"),
                in: .english
            ) { Distribution(milliseconds: $0.reactionTimes) })
        let point = try #require(chart.points.first)
        let hands = try #require(
            HandsResponse(
                beats, clock: .drum, affected: nil, bins: bins, caption: "", in: .english))
        if count == 3 {
            #expect(point.median == 610 && point.lower == nil && point.upper == nil && chart.all.lower == nil)
            #expect(chart.caption == "median, one day, n = 3: too few for quartiles")
            #expect(
                chart.label.hasSuffix(
                    "median 610 milliseconds. Quartiles are drawn where there are four values or more."))
            #expect(hands.sides.last?.label == "Right hand: median 610 ms, n 3")
        } else {
            // Definition 7 of Hyndman and Fan: R's quantile(c(600, 610, 620, 630)).
            #expect(point.median == 615 && point.lower == 607.5 && point.upper == 622.5)
            #expect(chart.caption == "median and quartiles, one day, n = 4")
            #expect(chart.label.hasSuffix("Each has its quartiles."))
        }
    }

    @Test(
        "A week’s headline, without a plan and with one",
        arguments: [
            (0, nil, "Mila has not practised this week yet"), (0, 90, "Mila has not practised this week yet"),
            (20, nil, "Mila practised less than a minute this week"), (60, nil, "Mila practised one minute this week"),
            (3_720, nil, "Mila practised 62 minutes this week"),
            (20, 90, "Mila practised 0 of 90 minutes this week"),
            (3_720, 90, "Mila practised 62 of 90 minutes this week"),
            (5_700, 90, "Mila practised 95 minutes this week; 90 were planned"),
        ] as [(Int64, Int?, String)])
    func headline(seconds: Int64, planned: Int?, words: String) {
        let plans = PracticePlans(
            planned.map {
                [
                    PracticePlan(
                        person: "mila", fromDay: 0, household: "linden", setBy: "Ms Okafor", minutesPerWeek: $0,
                        songs: "", isOnlySongs: false, beats: 10)
                ]
            } ?? [])
        let days = PracticeWeek.week(around: Self.today)
        let week = PracticeWeek(
            days, practised: seconds > 0 ? [(Self.today, seconds * 1_000)] : [], plans: plans, today: Self.today,
            in: .english)
        #expect(week.headline("Mila", in: .english) == words)
    }

    @Test("A report of nothing says that it is of nothing")
    func emptyReport() {
        let report = ReportResponse(
            Practice(), Self.subject(), affected: nil, days: Self.today - 27...Self.today, plans: PracticePlans([]),
            in: .english)
        #expect(report.isEmpty)
        #expect(report.practised == "Nothing was played in these days.")
        #expect(report.subtitle == "Mila. 25 October to 21 November 2026.")
        #expect(report.footer.hasSuffix("There are no stored hits in these days."))
        #expect(report.trend == nil && report.hands == nil && report.correct == nil && report.timing == nil)
        #expect(report.limits.sentences.first == "This is a log of practice at home, not an assessment.")
        #expect(report.limits.words.contains("why a number changed is not in it"))
    }

    @Test(
        "A level is told by the name that the original gave it",
        arguments: [(1, "Easy"), (2, "Medium"), (3, "Hard"), (4, "Mingsanity"), (0, "0"), (5, "5"), (256, "256")])
    func levelNames(number: Int, name: String) {
        #expect(Level.title(number).english == name)
    }

    @Test("A report of one hit is of one hit")
    func oneHit() throws {
        var practice = Practice()
        practice.beats = [Self.beat(.left, 500)]
        let report = ReportResponse(
            practice, Self.subject(), affected: .right, days: Self.today - 6...Self.today, plans: PracticePlans([]),
            in: .english)
        #expect(report.footer.hasSuffix("Every number was computed from the one stored hit."))
        #expect(report.reaction.first?.rows.map(\.title) == ["Left, Easy"])
        #expect(report.correct?.rows.first?.range == "21 to 100")
        #expect(report.trend == nil, "the practised hand answered nothing")
        #expect(report.subtitle == "Mila, right side practised. 15 November to 21 November 2026.")
    }

    @Test("In flow mode what lies between light and hit is no reaction")
    func flow() {
        var practice = Practice()
        practice.beats = [
            Self.beat(.left, 640, isFlow: true, error: 40), Self.beat(.left, nil, verdict: .missed, isFlow: true),
            Self.beat(.left, 90, isFlow: true, error: -510), Self.beat(.left, nil, isFlow: true, error: -30),
            Self.beat(.left, 10, isFlow: true, error: -1_001),
        ]
        #expect(practice.clocks.isEmpty)
        #expect(practice.judged.isEmpty)
        #expect(practice.timed(.drum).errors == [40, -510, -30], "early hits are hits")
        #expect(
            ReportText.limits(practice, in: .english).contains(
                "Of its minutes without a hit, at most 30 seconds at a time count as practised."))
        #expect(
            ReportText.limits(practice, in: .english).contains(
                "In flow mode one plays ahead of the light: those beats are in no reaction time."))
    }

    @Test("The window of the next song follows early hits as it does late ones", arguments: [-140, 140])
    func window(error: Int32) {
        // Lit 200 ms before their beat: an early one comes 60 ms after its light.
        let beats = (0..<AdaptiveWindow.leastCount).map { _ in
            Self.result(.left, 200 + error, error: error)
        }
        let window = WindowsResponse(Array(repeating: TimingErrors(beats), count: 5), in: .english).kit.both
        #expect(window.centre == Int(error))
        #expect(window.n == AdaptiveWindow.memory)
    }

    @Test(
        "A scale holds what is drawn in it, with few lines",
        arguments: [[503.0, 719.2], [0], [-40, 71], [3.2, 3.2], [150, 600_000]])
    func axis(values: [Double]) {
        let axis = Axis(holding: values, unit: "ms", in: .english)
        for value in values { #expect(Double(axis.from) <= value && value <= Double(axis.to)) }
        #expect((2...7).contains(axis.ticks.count), "\(axis.ticks.count)")
        #expect(axis.ticks.last?.label.hasSuffix(" ms") == true)
    }

    @Test("The report and the week are said in German, its dates and numbers too")
    func german() throws {
        var practice = Practice()
        practice.beats = (0..<6).map { Self.beat(.left, 500 + Int32($0)) } + [Self.beat(.right, 1_500)]
        let days = Self.today - 6...Self.today
        let report = ReportResponse(
            practice, Self.subject(), affected: .right, days: days, plans: PracticePlans([]), in: .german)
        #expect(report.title == "Üben zu Hause mit Trommeln")
        #expect(report.subtitle == "Mila, geübt wird die rechte Seite. 15. November bis 21. November 2026.")
        #expect(report.footer.hasPrefix("Erstellt von Tandem auf dem eigenen Hub der Familie, 21. November 2026, "))
        #expect(report.footer.hasSuffix("Alle Zahlen sind aus den 7 gespeicherten Treffern berechnet."))
        #expect(report.reaction.first?.rows.map(\.title) == ["Links, Leicht", "Rechts, Leicht"])
        #expect(report.correct?.rows.first?.range == "61 bis 100")
        #expect(
            report.hands?.words
                == "Zu wenige Antworten, um die Hände zu vergleichen: eine der rechten Hand. Fünf von jeder sind nötig."
        )
        #expect(report.limits.sentences.first == "Das ist ein Übungstagebuch von zu Hause, keine Beurteilung.")
        #expect(Localizer.german.days(Self.today - 2...Self.today) == "19.–21. Nov.")
        #expect(Localizer.german.days(Self.today - 27...Self.today) == "25. Okt.–21. Nov.")
        let week = PracticeWeek(
            PracticeWeek.week(around: Self.today), practised: [(Self.today, 60_000)], plans: PracticePlans([]),
            today: Self.today, in: .german)
        #expect(week.headline("Mila", in: .german) == "Mila hat diese Woche eine Minute geübt")
    }
}
