import DrumsEngine
import HubKit
import Localization
import Storage

/// The charts of a person's practice in a week, a month or a year, from real sessions only.
struct DataResponse: Codable, Sendable {
    struct PersonSummary: Codable, Sendable {
        var id, name: String
        var affectedSide: SideName?
    }
    struct Totals: Codable, Sendable {
        var sessions, days, minutes, beats: Int
        var words: String
    }
    struct Dose: Codable, Sendable {
        var weeks: [PracticeWeek]
        var label: String?
    }
    struct Song: Codable, Sendable {
        var id, title, day, words, value: String
        var reactionWords: String?
        var end: SessionEnd.Name
    }

    /// An earlier stretch.
    struct Against: Codable, Sendable {
        var start, end: String
        /// The days, such as `28 Sep–25 Oct`, and how much was played then.
        var title, words: String

        init(_ span: PracticeSpan, before now: ClosedRange<Int32>, in localized: Localizer) {
            start = "\(CivilDate(day: span.days.lowerBound))"
            end = "\(CivilDate(day: span.days.upperBound))"
            title = span.title(before: now, in: localized)
            words = PracticeText.totals(span.practice, in: localized)
        }
    }

    /// The number of the newest songs that are listed.
    private static let mostSongs = 10

    var person: PersonSummary
    var span: DataSpan
    var start, end: String
    var earlier, later: String?
    var isEmpty: Bool
    var headline: String
    var planWords, leftWords: String?
    var lead: String
    var empty: String?
    var totals: Totals
    var dose: Dose
    var reaction: [QuartileChart]
    var hands: HandsResponse?
    var correct: ShareChart?
    var force: [QuartileChart]
    var timing: QuartileChart?
    var trend: TrendResponse?
    /// The sentence about a change; nil where the data do not carry a sentence.
    var change: ReactionChangeResponse?
    /// The earlier stretch that the charts lie over.
    var against: Against?
    var sessions: [Song]
    var sessionsWords: String

    init(_ source: Source, in localized: Localizer) {
        let stored = source.stored
        self.init(
            Practice(stored.songs), stored.subject, affected: stored.affectedSide, span: source.span,
            days: stored.days, plans: stored.plans, thisWeek: source.thisWeek, first: source.first,
            against: source.against.map {
                PracticeSpan(practice: Practice($0.songs), days: $0.days)
            }, in: localized)
    }

    /// Calculates the charts.
    ///
    /// - Parameters:
    ///   - thisWeek: milliseconds of each session of the week that it is, with its day.
    ///   - first: the day of the first session there is.
    ///   - against: an earlier stretch that the charts are to lie over, as long.
    init(
        _ practice: Practice, _ subject: Subject, affected: SideName?, span: DataSpan, days: ClosedRange<Int32>,
        plans: PracticePlans, thisWeek: [(day: Int32, milliseconds: Int64)], first: Int32?,
        against: PracticeSpan? = nil, in localized: Localizer
    ) {
        lead = localized.string(PracticeText.log)
        let today = subject.today
        let isNow = days.contains(today)
        let coarse = DayBins(days, by: span.coarse)
        person = PersonSummary(id: subject.person.id, name: subject.person.name, affectedSide: affected)
        self.span = span
        start = "\(CivilDate(day: days.lowerBound))"
        end = "\(CivilDate(day: days.upperBound))"
        earlier = first.map { $0 < days.lowerBound } == true ? "\(CivilDate(day: days.lowerBound - 1))" : nil
        later = isNow ? nil : "\(CivilDate(day: min(days.upperBound + span.weeks * 7, today)))"
        isEmpty = practice.sessions.isEmpty
        let week = PracticeWeek(
            PracticeWeek.week(around: today), practised: thisWeek, plans: plans, today: today, in: localized)
        headline = week.headline(subject.person.name, in: localized)
        planWords = plans.plan(on: today).map { localized("Planned by \($0.setBy)") }
        leftWords = week.leftWords(in: localized)
        if isEmpty {
            empty =
                first == nil
                ? localized("Nothing was played yet. What is played is shown here.")
                : localized("Nothing was played in \(span.words(isNow: isNow)).")
        }
        let practised = practice.sessions.map { (day: $0.day, milliseconds: $0.milliseconds) }
        let minutes = PracticeWeek.minutes(practised.reduce(0) { $0 + $1.milliseconds })
        let count = practice.sessions.count
        totals = Totals(
            sessions: count, days: practice.days, minutes: minutes, beats: practice.answered,
            words: PracticeText.totals(practice, in: localized))
        dose = Dose(
            weeks: isEmpty
                ? []
                : stride(from: days.lowerBound, through: days.upperBound, by: 7).map {
                    PracticeWeek($0...($0 + 6), practised: practised, plans: plans, today: today, in: localized)
                }, label: localized("Minutes against plan, by week"))
        let own = PracticeCharts(practice, days, span: span, in: localized)
        let now = PracticeSpan(practice: practice, days: days)
        let charts = against.map { own.over($0, now, span: span, in: localized) } ?? own
        (reaction, correct, force, timing) = (charts.reaction, charts.correct, charts.force, charts.timing)
        self.against = against.map { Against($0, before: days, in: localized) }
        let most = practice.clocks.first.map { (clock: $0, reactions: practice.reactions($0)) }
        // Hands and trend are measured by the clock with most.
        hands = most.flatMap { clock, reactions in
            HandsResponse(
                reactions, clock: clock, affected: affected, bins: coarse,
                caption: localized.string(span.words(isNow: isNow)), in: localized)
        }
        trend = most.flatMap {
            TrendResponse($0.reactions, clock: $0.clock, side: affected, days: days, in: localized)
        }
        change = most.flatMap {
            ReactionChangeResponse(
                $0.reactions, side: affected, days: days.lowerBound...max(days.lowerBound, min(days.upperBound, today)),
                in: localized)
        }
        sessions = practice.sessions.suffix(Self.mostSongs).reversed().map { Self.song($0, in: localized) }
        sessionsWords = count == 1 ? localized("The only one") : localized("All \(count)")
    }

    private static func song(_ song: ResultRecord, in localized: Localizer) -> Song {
        let date = CivilDate(day: song.day)
        let words =
            if let ended = PracticeText.ended(song.end) {
                localized("\(date.weekdayText) \(date.shortText), \(ended)")
            } else {
                localized(
                    "\(date.weekdayText) \(date.shortText), \(LocalCalendar.timeOfDay(minute: song.minute)), \(Level.title(song.level))"
                )
            }
        return Song(
            id: song.id, title: localized.songTitle(song.songId, or: song.songTitle), day: "\(date)", words: words,
            value: localized("\(song.right) of \(song.judged)"),
            reactionWords: song.mode == .wait
                ? song.reactionMedianTenths.map { "\(Int((Double($0) / 10).rounded())) ms" } : nil,
            end: song.end)
    }
}
