import DrumsEngine
import HubKit
import Localization

/// The sentences of the report.
enum ReportText {
    /// The most songs that are named.
    private static let mostSongs = 4

    static func practised(_ practice: Practice, weeks: [PracticeWeek], in localized: Localizer) -> String {
        guard !practice.sessions.isEmpty else { return localized("Nothing was played in these days.") }
        return ([dose(practice, weeks, in: localized), what(practice, in: localized)] + ends(practice, in: localized))
            .joined(separator: " ")
    }

    private static func dose(_ practice: Practice, _ weeks: [PracticeWeek], in localized: Localizer) -> String {
        let minutes = PracticeWeek.minutes(practice.sessions.reduce(0) { $0 + $1.milliseconds })
        let planned = weeks.compactMap(\.plannedMinutes)
        var parts = [
            localized.count(days: practice.days).capitalizedFirst, localized.count(songs: practice.sessions.count),
            planned.isEmpty
                ? localized.count(minutes: minutes)
                : localized("\(minutes) of \(planned.reduce(0, +)) planned minutes"),
        ]
        if weeks.last?.isUnfinished == true, !planned.isEmpty { parts.append(localized("the last week unfinished")) }
        return "\(parts.joined(separator: ", "))."
    }

    private static func what(_ practice: Practice, in localized: Localizer) -> String {
        var counts: [String: (title: String, count: Int)] = [:]
        for session in practice.sessions {
            let title = localized.songTitle(session.songId, or: session.songTitle)
            counts[session.songId, default: (title, 0)].count += 1
        }
        let songs = counts.values.sorted { ($1.count, $0.title) < ($0.count, $1.title) }
        var named = songs.prefix(mostSongs).map { song in
            song.count == 1 ? localized("\(song.title) once") : localized("\(song.title) \(song.count) times")
        }
        if songs.count > mostSongs { named.append(localized("\(spelled: songs.count - mostSongs) others")) }
        let levels = Set(practice.sessions.map(\.level)).sorted()
        var parts = [
            named.joined(separator: ", "), localized.list(levels.map { localized.string(Level.title($0)) }),
            localized.string(practice.drums.words),
        ]
        let hands = Set(practice.sessions.map(\.hands))
        if hands == [.left] { parts.append(localized("the left hand alone")) }
        if hands == [.right] { parts.append(localized("the right hand alone")) }
        if let tempo = tempo(practice, in: localized) { parts.append(tempo) }
        let flow = practice.sessions.count { $0.mode == .flow }
        if flow > 0 { parts.append(localized("\(spelled: flow) songs in flow mode")) }
        return "\(parts.joined(separator: "; "))."
    }

    /// The words about the tempos; nil where every song was played as it is written.
    private static func tempo(_ practice: Practice, in localized: Localizer) -> String? {
        let percents = practice.sessions.map(\.tempoPercent)
        guard let least = percents.min(), let most = percents.max(), (least, most) != (100, 100) else { return nil }
        return least == most
            ? localized("at \(least)% of the songs’ own tempo")
            : localized("at \(least) to \(most)% of the songs’ own tempo")
    }

    private static func ends(_ practice: Practice, in localized: Localizer) -> [String] {
        let ends: [SessionEnd.Name] = [.linkLost, .restNeeded, .minutesOver, .stopped, .left]
        return ends.compactMap { end -> String? in
            let count = practice.sessions.count { $0.end == end }
            guard count > 0 else { return nil }
            return switch end {
            case .linkLost: localized("\(spelled: count) songs ended when the link was lost.")
            case .restNeeded: localized("\(spelled: count) songs ended for a rest.")
            case .minutesOver: localized("\(spelled: count) songs ended when their minutes were over.")
            case .stopped: localized("\(spelled: count) songs were stopped before their end.")
            case .left: localized("\(spelled: count) songs were left before their end.")
            case .finished: nil
            }
        }.map(\.capitalizedFirst)
    }

    // MARK: What it does not show

    static func limits(_ practice: Practice, in localized: Localizer) -> [String] {
        var sentences = [
            localized("This is a log of practice at home, not an assessment."),
            localized("It does not measure strength, range of movement, dexterity or use of the hand in daily life."),
        ]
        sentences += clocks(practice, in: localized)
        let fast = ReactionClock.allCases.reduce(0) { $0 + practice.implausible($1) }
        if fast > 0 {
            sentences.append(
                localized(
                    "Times under \(Int(SessionRules.leastReaction)) ms were left out (n = \(localized.whole(fast)))."))
        }
        if practice.beats.contains(where: \.isFlow) {
            sentences.append(
                localized("In flow mode one plays ahead of the light: those beats are in no reaction time."))
            sentences.append(
                localized(
                    "Of its minutes without a hit, at most \(Int(SessionRules.longestIdle / 1_000)) seconds at a time count as practised."
                ))
        }
        sentences.append(
            localized("Hands are as entered by the family; with both hands, a drum’s side stands for the hand."))
        sentences.append(
            localized(
                "Ranges take every answer as independent; those of one song are alike, so that less is known than they say."
            ))
        let unjudged = practice.beats.count { $0.verdict == .notJudged }
        if unjudged > 0 {
            sentences.append(
                localized(
                    "Beats during a lost link or a pause (n = \(localized.whole(unjudged))) were not judged."))
        }
        sentences.append(localized("Songs, levels and days differ: why a number changed is not in it."))
        if practice.unread > 0 {
            sentences.append(
                localized("\(spelled: practice.unread) songs could not be read any more and are not in it.")
                    .capitalizedFirst)
        }
        return sentences
    }

    /// The sentences about the clocks by which reaction times are.
    private static func clocks(_ practice: Practice, in localized: Localizer) -> [String] {
        let clocks = practice.clocks
        var sentences: [String] = []
        if clocks.contains(.drum) {
            let latencies = practice.sessions.filter { $0.latencyCount > 0 }.compactMap(\.latencyMedianTenths)
            if let link = Quartiles(Distribution(hundredths: latencies.map { $0 * 10 })) {
                sentences.append(
                    localized(
                        "Reaction times are by the drum’s own clock, before the link (\(Int(link.median.rounded())) ms, median of \(localized.count(songs: link.n)))."
                    ))
            } else {
                sentences.append(localized("Reaction times are by the drum’s own clock, before the link."))
            }
        }
        if clocks.contains(.page) {
            sentences.append(
                clocks.contains(.drum)
                    ? localized(
                        "Those by the page’s clock hold what screen, keyboard or cable take, less what calibration found, and are not compared with the drum’s."
                    )
                    : localized(
                        "Reaction times by the page’s clock hold what screen, keyboard or cable take, less what calibration found."
                    ))
        }
        return sentences
    }

    static func footer(_ practice: Practice, _ subject: Subject, in localized: Localizer) -> String {
        let date = CivilDate(day: subject.today).dateText
        let time = LocalCalendar.timeOfDay(minute: subject.minute)
        let source =
            switch practice.answered {
            case 0: localized("There are no stored hits in these days.")
            case 1: localized("Every number was computed from the one stored hit.")
            default:
                localized("Every number was computed from the \(localized.whole(practice.answered)) stored hits.")
            }
        return localized("Made by Tandem on the family’s own hub, \(date), \(time). \(source)")
    }
}
