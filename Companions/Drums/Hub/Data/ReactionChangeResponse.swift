import DrumsEngine
import HubKit
import Localization

/// One sentence about how a hand became quicker or slower, with what it is made of. It is there only where the data
/// carry it, see ``ReactionChange``.
struct ReactionChangeResponse: Codable, Sendable {
    /// The side: `left`, `right` or `both`.
    var side: String
    /// Percent of the reaction time, less than nought where it became quicker, and the ends of the 95 % interval.
    var percent, from, to: Int
    /// The number of answers that the sentence rests on, and that of their days.
    var answers, days: Int
    var level: Int
    var linkClass: LinkClass
    /// The first of these days.
    var since: String
    var words, behind: String

    /// The most days between what was played last and the end of what is shown, for "since" to be true.
    static let mostDaysAgo: Int32 = 14

    /// Compares only answers that can be compared: those at the level, on the kind of drums and at the tempo that there
    /// are most of. Where these do not carry a sentence, no other choice is tried, for among many one would.
    ///
    /// - Parameters:
    ///   - beats: reactions by one clock.
    ///   - side: nil for both hands.
    ///   - days: that are shown, of which none is to come.
    init?(_ beats: [Practice.Beat], side: SideName?, days: ClosedRange<Int32>, in localized: Localizer) {
        let beats = Self.alike(side.map { beats.of($0.side) } ?? beats)
        guard let one = beats.first, let first = beats.map(\.day).min() else { return nil }
        var points: [PracticeTrend.Point] = []
        var answers = 0
        for (offset, part) in DayBins(first...days.upperBound, by: .day).parted(beats).enumerated() {
            let times = part.reactionTimes
            guard times.count >= TrendResponse.leastAnswers, let spread = Distribution(milliseconds: times) else {
                continue
            }
            points.append(.init(x: Int32(offset), y: spread.medianTenths))
            answers += spread.count
        }
        guard let change = ReactionChange(points), let start = points.first?.x, let end = points.last?.x,
            days.upperBound - (first + end) <= Self.mostDaysAgo
        else { return nil }
        let facts = ReactionChangeText(
            side: side, percent: Int(change.percent), from: Int(change.lowerPercent), to: Int(change.upperPercent),
            answers: answers, days: change.days, level: Int(one.level), linkClass: one.link.linkClass,
            first: first + start, last: first + end)
        self.side = side?.rawValue ?? "both"
        (percent, from, to) = (facts.percent, facts.from, facts.to)
        (self.answers, self.days) = (facts.answers, facts.days)
        (level, linkClass) = (facts.level, facts.linkClass)
        since = "\(CivilDate(day: facts.first))"
        words = localized.string(facts.words)
        let ofTempo =
            one.tempoPercent == SessionRules.ownTempo ? nil : localized.string(TrendResponse.only(at: one.tempoPercent))
        behind = [localized.string(facts.behind), ofTempo].compactMap { $0 }.joined(separator: " ")
    }

    /// The beats of the level, the kind of drums and the tempo that there are most of; of as many, of the easier level,
    /// and of the tempo that is nearer to the song's own.
    private static func alike(_ beats: [Practice.Beat]) -> [Practice.Beat] {
        struct Kind: Equatable {
            let level: UInt8
            let linkClass: LinkClass
            let tempoPercent: UInt8
        }
        func kind(of beat: Practice.Beat) -> Kind {
            Kind(level: beat.level, linkClass: beat.link.linkClass, tempoPercent: beat.tempoPercent)
        }
        // Few in a row differ from the one before, and there are few kinds.
        var counts: [(kind: Kind, count: Int)] = []
        var place = 0
        for beat in beats {
            let kind = kind(of: beat)
            if !(place < counts.count && counts[place].kind == kind) {
                place = counts.firstIndex { $0.kind == kind } ?? counts.count
                if place == counts.count { counts.append((kind, 0)) }
            }
            counts[place].count += 1
        }
        func isBefore(_ one: Kind, _ other: Kind) -> Bool {
            if one.level != other.level { return one.level < other.level }
            if one.linkClass != other.linkClass { return one.linkClass.place < other.linkClass.place }
            return SessionRules.isNearerToOwnTempo(one.tempoPercent, than: other.tempoPercent)
        }
        let most = counts.max { $0.count == $1.count ? isBefore($1.kind, $0.kind) : $0.count < $1.count }
        guard let most else { return [] }
        return beats.filter { kind(of: $0) == most.kind }
    }
}

extension LinkClass {
    /// The place in the order in which kinds of drums come.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
