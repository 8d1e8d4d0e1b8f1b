import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// A page for the therapist: what was practised, what was counted of it, and what that does not show.
struct ReportResponse: Codable, Sendable {
    struct ReactionRow: Codable, Sendable {
        var title: String
        var side: SideName
        var level: Int
        var n: Int
        var median: Double
        /// The quartiles; nil where there are too few values for them.
        var lower, upper: Double?
    }
    struct ReactionTable: Codable, Sendable {
        var clock: ReactionClock
        var title: String
        var note: String
        var axis: Axis
        var rows: [ReactionRow]
    }
    struct ShareRow: Codable, Sendable {
        var title: String
        var side: SideName
        var n, right, percent, from, to: Int
        var range: String

        init(_ side: SideName, _ share: CorrectShare, in localized: Localizer) {
            title = localized.string(side.title)
            self.side = side
            (n, right, percent, from, to, range) = (
                share.n, share.right, share.percent, share.from, share.to, share.range
            )
        }
    }
    struct ShareTable: Codable, Sendable {
        var title: String
        var rows: [ShareRow]
    }
    struct QuartileRow: Codable, Sendable {
        var title: String
        var side: SideName
        var n: Int
        var median: Double
        /// The quartiles; nil where there are too few values for them.
        var lower, upper: Double?
        /// The share within the window, in flow mode.
        var percent, from, to: Int?

        init(_ side: SideName, _ quartiles: Quartiles, share: CorrectShare? = nil, in localized: Localizer) {
            title = localized.string(side.title)
            self.side = side
            (n, median, lower, upper) = (quartiles.n, quartiles.median, quartiles.lower, quartiles.upper)
            (percent, from, to) = (share?.percent, share?.from, share?.to)
        }
    }
    struct ForceTable: Codable, Sendable {
        var linkClass: LinkClass
        var title, drums: String
        var rows: [QuartileRow]
    }
    struct TimingTable: Codable, Sendable {
        var title: String
        var clock: ReactionClock
        var rows: [QuartileRow]
        var words: String
    }
    struct Limits: Codable, Sendable {
        var title: String
        var sentences: [String]
        var words: String
    }

    var title, subtitle: String
    var person: DataResponse.PersonSummary
    var from, to: String
    var isEmpty: Bool
    var empty: String?
    var dose: DataResponse.Dose
    var practised: String
    var trend: TrendResponse?
    var reaction: [ReactionTable]
    var hands: HandsResponse?
    var correct: ShareTable?
    var force: [ForceTable]
    var timing: TimingTable?
    /// The reports of effort and pain; nil where nobody was asked.
    var selfReports: SelfReportTable?
    /// The goals and clinic scores; nil where there are none.
    var goals: ReportGoals?
    var limits: Limits
    var footer: String

    init(_ stored: StoredReport, in localized: Localizer) {
        self.init(stored.practice, in: localized)
        goals = ReportGoals(stored.goals, stored.scores, stored.practice.subject, in: localized)
    }

    init(_ stored: StoredPractice, in localized: Localizer) {
        self.init(
            Practice(stored.songs), stored.subject, affected: stored.affectedSide, days: stored.days,
            plans: stored.plans, in: localized)
        selfReports = SelfReportTable(
            stored.reports, practice: stored.songs.map(\.result), stored.subject, in: localized)
    }

    init(
        _ practice: Practice, _ subject: Subject, affected: SideName?, days: ClosedRange<Int32>, plans: PracticePlans,
        in localized: Localizer
    ) {
        title = localized("Practice at home with drums")
        person = .init(id: subject.person.id, name: subject.person.name, affectedSide: affected)
        from = "\(CivilDate(day: days.lowerBound))"
        to = "\(CivilDate(day: days.upperBound))"
        let plan = plans.plan(on: days.upperBound)
        let whose =
            switch affected {
            case .left: localized("\(subject.person.name), left side practised.")
            case .right: localized("\(subject.person.name), right side practised.")
            case nil: "\(subject.person.name)."
            }
        subtitle = [whose, "\(localized.dates(days)).", plan.map { localized("For \($0.setBy).") }]
            .compactMap { $0 }.joined(separator: " ")
        isEmpty = practice.sessions.isEmpty
        empty = isEmpty ? localized("Nothing was played in these days.") : nil
        let weeks = Self.weeks(days, practice, plans, today: subject.today, in: localized)
        dose = .init(weeks: weeks, label: localized("Minutes against plan, by week"))
        practised = ReportText.practised(practice, weeks: weeks, in: localized)
        let clock = practice.clocks.first
        let reactions = clock.map { practice.reactions($0) } ?? []
        trend = clock.flatMap { TrendResponse(reactions, clock: $0, side: affected, days: days, in: localized) }
        hands = clock.flatMap {
            HandsResponse(
                reactions, clock: $0, affected: affected, bins: DayBins(days, by: .week),
                caption: localized.dates(days), in: localized)
        }
        reaction = practice.clocks.compactMap { Self.reactionTable(practice.reactions($0), clock: $0, in: localized) }
        let shares = SideName.allCases.compactMap { side in
            CorrectShare(practice.judged.of(side.side), in: localized).map { ShareRow(side, $0, in: localized) }
        }
        correct = shares.isEmpty ? nil : ShareTable(title: localized("Right at the first try"), rows: shares)
        force = LinkClass.allCases.compactMap { linkClass in
            let beats = practice.forces(linkClass)
            guard !beats.isEmpty else { return nil }
            return ForceTable(
                linkClass: linkClass, title: localized("Force, no unit"),
                drums: localized.string(PracticeText.drums(beats)).capitalizedFirst,
                rows: SideName.allCases.compactMap { side in
                    Quartiles(Distribution(hundredths: beats.of(side.side).forceValues)).map {
                        QuartileRow(side, $0, in: localized)
                    }
                })
        }
        timing = Self.timingTable(practice, in: localized)
        let sentences = ReportText.limits(practice, in: localized)
        limits = Limits(
            title: localized("What this does not show"), sentences: sentences, words: sentences.joined(separator: " "))
        footer = ReportText.footer(practice, subject, in: localized)
    }

    /// Weeks from Monday to Sunday, the first and the last of them as far as the report goes; one that is not over, to
    /// its end.
    private static func weeks(
        _ days: ClosedRange<Int32>, _ practice: Practice, _ plans: PracticePlans, today: Int32,
        in localized: Localizer
    ) -> [PracticeWeek] {
        let practised = practice.sessions.map { (day: $0.day, milliseconds: $0.milliseconds) }
        var weeks: [PracticeWeek] = []
        var first = days.lowerBound
        while first <= days.upperBound {
            let sunday = PracticeWeek.week(around: first).upperBound
            let last = days.upperBound >= today ? sunday : min(sunday, days.upperBound)
            weeks.append(PracticeWeek(first...last, practised: practised, plans: plans, today: today, in: localized))
            first = sunday + 1
        }
        return weeks
    }

    private static func reactionTable(_ beats: [Practice.Beat], clock: ReactionClock, in localized: Localizer)
        -> ReactionTable?
    {
        let rows = SideName.allCases.flatMap { side in
            Level.allCases.compactMap { level -> ReactionRow? in
                let part = beats.of(side.side).filter { $0.level == level.rawValue }
                return Quartiles(Distribution(milliseconds: part.reactionTimes)).map {
                    ReactionRow(
                        title: localized("\(side.title), \(level.title)"), side: side, level: Int(level.rawValue),
                        n: $0.n,
                        median: $0.median, lower: $0.lower, upper: $0.upper)
                }
            }
        }
        guard !rows.isEmpty else { return nil }
        return ReactionTable(
            clock: clock, title: localized("Reaction time, in ms"), note: localized.string(clock.words),
            axis: Axis(holding: rows.flatMap { [$0.lower ?? $0.median, $0.upper ?? $0.median] }, in: localized),
            rows: rows)
    }

    private static func timingTable(_ practice: Practice, in localized: Localizer) -> TimingTable? {
        let clocks = ReactionClock.allCases.sorted { practice.timed($0).count > practice.timed($1).count }
        guard let clock = clocks.first else { return nil }
        let beats = practice.timed(clock)
        guard !beats.isEmpty else { return nil }
        let judged = practice.beats.filter { $0.isFlow && $0.isJudged && $0.link.clock == clock }
        return TimingTable(
            title: localized("On the beat, in flow mode"), clock: clock,
            rows: SideName.allCases.compactMap { side in
                Quartiles(Distribution(milliseconds: beats.of(side.side).errors)).map {
                    QuartileRow(side, $0, share: CorrectShare(judged.of(side.side), in: localized), in: localized)
                }
            }, words: localized.string(PracticeText.window))
    }
}
