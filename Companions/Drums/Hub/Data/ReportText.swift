import DrumsEngine
import HubKit

/// What the report says in sentences.
enum ReportText {
    /// Songs that are named, at most.
    private static let mostSongs = 4

    static func practised(_ practice: Practice, weeks: [PracticeWeek]) -> String {
        guard !practice.sessions.isEmpty else { return "Nothing was played in these days." }
        return [dose(practice, weeks), what(practice), ends(practice)].compactMap { $0 }.joined(separator: " ")
    }

    private static func dose(_ practice: Practice, _ weeks: [PracticeWeek]) -> String {
        let minutes = PracticeWeek.minutes(practice.sessions.reduce(0) { $0 + $1.milliseconds })
        let planned = weeks.compactMap(\.plannedMinutes)
        var parts = [
            practice.days.counted("day").capitalizedFirst, practice.sessions.count.counted("song"),
            planned.isEmpty
                ? PracticeWeek.counted(minutes) : "\(minutes) of \(planned.reduce(0, +)) planned minutes",
        ]
        if weeks.last?.isUnfinished == true, !planned.isEmpty { parts.append("the last week unfinished") }
        return "\(parts.joined(separator: ", "))."
    }

    private static func what(_ practice: Practice) -> String {
        var counts: [String: (title: String, count: Int)] = [:]
        for session in practice.sessions { counts[session.songId, default: (session.songTitle, 0)].count += 1 }
        let songs = counts.values.sorted { ($1.count, $0.title) < ($0.count, $1.title) }
        var named = songs.prefix(mostSongs).enumerated().map { place, song in
            "\(song.title) \(song.count == 1 ? "once" : place == 0 ? "\(song.count) times" : "\(song.count)")"
        }
        if songs.count > mostSongs {
            let others = songs.count - mostSongs
            named.append(others == 1 ? "one other" : "\(others.spelled) others")
        }
        let levels = Set(practice.sessions.map(\.level)).sorted()
        var parts = [named.joined(separator: ", "), levels.map(Level.title).listed, practice.drums.words]
        let hands = Set(practice.sessions.map(\.hands))
        if hands == [.left] || hands == [.right], let hand = hands.first {
            parts.append("the \(hand.rawValue) hand alone")
        }
        let flow = practice.sessions.count { $0.mode == .flow }
        if flow > 0 { parts.append("\(flow.counted("song")) in flow mode") }
        return "\(parts.joined(separator: "; "))."
    }

    private static func ends(_ practice: Practice) -> String? {
        let ends: [SessionEnd.Name] = [.linkLost, .restNeeded, .minutesOver, .stopped, .left]
        let sentences = ends.compactMap { end -> String? in
            let count = practice.sessions.count { $0.end == end }
            guard count > 0, let words = PracticeText.ended(end) else { return nil }
            let verb = words.hasPrefix("ended") ? words : "\(count == 1 ? "was" : "were") \(words)"
            return
                "\(count.counted("song").capitalizedFirst) \(count > 1 ? verb.replacing(" its ", with: " their ") : verb)."
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    // MARK: What it does not show

    static func limits(_ practice: Practice) -> [String] {
        var sentences = [
            "This is a log of practice at home, not an assessment.",
            "It does not measure strength, range of movement, dexterity or use of the hand in daily life.",
        ]
        let clocks = practice.clocks
        if clocks.contains(.drum) {
            let latencies = practice.sessions.filter { $0.latencyCount > 0 }.compactMap(\.latencyMedianTenths)
            let link = Quartiles(Distribution(hundredths: latencies.map { $0 * 10 }))
            sentences.append(
                "Reaction times are by the drum’s own clock, before the link\(link.map { " (\(Int($0.median.rounded())) ms, median of \($0.n.counted("song")))" } ?? "")."
            )
        }
        if clocks.contains(.page) {
            sentences.append(
                "\(clocks.contains(.drum) ? "Those" : "Reaction times") by the page’s clock hold what screen, keyboard or cable take, less what calibration found\(clocks.contains(.drum) ? ", and are not compared with the drum’s" : "")."
            )
        }
        let fast = ReactionClock.allCases.reduce(0) { $0 + practice.implausible($1) }
        if fast > 0 {
            sentences.append("Times under \(SessionRules.leastReaction) ms were left out (n = \(fast.grouped)).")
        }
        if practice.beats.contains(where: \.isFlow) {
            sentences.append("In flow mode one plays ahead of the light: those beats are in no reaction time.")
            sentences.append(
                "Of its minutes without a hit, at most \(SessionRules.longestIdle / 1_000) seconds at a time count as practised."
            )
        }
        sentences.append("Hands are as entered by the family; with both hands, a drum’s side stands for the hand.")
        sentences.append(
            "Ranges take every answer as independent; those of one song are alike, so that less is known than they say."
        )
        let unjudged = practice.beats.count { $0.verdict == .notJudged }
        if unjudged > 0 {
            sentences.append("Beats during a lost link or a pause (n = \(unjudged.grouped)) were not judged.")
        }
        sentences.append("Songs, levels and days differ: why a number changed is not in it.")
        if practice.unread > 0 {
            sentences.append(
                "\(practice.unread.counted("song").capitalizedFirst) could not be read any more and \(practice.unread == 1 ? "is" : "are") not in it."
            )
        }
        return sentences
    }

    static func footer(_ practice: Practice, _ subject: Subject) -> String {
        let date = CivilDate(day: subject.today)
        let hits = practice.answered
        let source =
            switch hits {
            case 0: "There are no stored hits in these days."
            case 1: "Every number was computed from the one stored hit."
            default: "Every number was computed from the \(hits.grouped) stored hits."
            }
        return
            "Made by Tandem on the family’s own hub, \(date.dayOfMonth) \(date.monthName) \(date.year), \(LocalCalendar.timeOfDay(minute: subject.minute)). \(source)"
    }
}
