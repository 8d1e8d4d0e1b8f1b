import DrumsEngine
import HubKit
import Localization

/// The daily medians of the practised hand at the tempo of most answers, with what is known of their slope.
struct TrendResponse: Codable, Sendable {
    struct Point: Codable, Sendable {
        var index: Int
        var label: String
        var n: Int
        var median: Double
    }
    struct Slope: Codable, Sendable { var milliseconds, from, to: Double }
    struct LinePoint: Codable, Sendable {
        var index: Int
        var value: Double
    }
    struct BandPoint: Codable, Sendable {
        var index: Int
        var from, to: Double
    }

    /// A day with fewer answers is no point of the trend.
    static let leastAnswers = 5

    /// The side, `left`, `right` or `both`, and the title.
    var side, title: String
    var clock: ReactionClock
    var by = "day"
    var count: Int
    var axis: Axis
    var ticks: [DayBins.Tick]
    var points: [Point]
    var label: String
    /// Milliseconds a week, and the ends of the 95 % interval; nil with too few days.
    var perWeek: Slope?
    var line: [LinePoint]
    var band: [BandPoint]
    /// The meaning of the trend in a sentence, and its figures; these are nil with too few days.
    var words: String
    var figures: String?

    /// Charts the daily medians of a hand.
    ///
    /// - Parameters:
    ///   - beats: reactions by one clock.
    ///   - side: nil for both.
    ///   - days: that the chart shows.
    /// - Returns: nil where the hand gave no answers.
    init?(
        _ beats: [Practice.Beat], clock: ReactionClock, side: SideName?, days: ClosedRange<Int32>,
        in localized: Localizer
    ) {
        let all = side.map { beats.of($0.side) } ?? beats
        guard let tempo = all.tempoOfMost else { return nil }
        // A faster song is answered faster: what was played at another tempo is not in one line with it.
        let alike = all.at(tempoPercent: tempo)
        let bins = DayBins(days, by: .day)
        self.side = side?.rawValue ?? "both"
        title =
            switch side {
            case .left: localized("Trend of the left hand")
            case .right: localized("Trend of the right hand")
            case nil: localized("Trend of both hands")
            }
        self.clock = clock
        count = bins.count
        ticks = bins.ticks(in: localized)
        var found: [PracticeTrend.Point] = []
        points = bins.parted(alike).enumerated().compactMap { index, part in
            guard part.count >= Self.leastAnswers, let spread = Distribution(milliseconds: part.reactionTimes) else {
                return nil
            }
            found.append(.init(x: Int32(index), y: spread.medianTenths))
            return Point(
                index: index, label: bins.label(index, in: localized), n: spread.count,
                median: Double(spread.medianTenths) / 10)
        }
        var line: [LinePoint] = []
        var band: [BandPoint] = []
        let trend = PracticeTrend(found)
        if let trend, let first = found.first?.x, let last = found.last?.x {
            let width = last - first
            for place in 0...4 {
                let at = first + width * Int32(place) / 4
                let edges = trend.band(at: at)
                band.append(BandPoint(index: Int(at), from: Double(edges.lower) / 10, to: Double(edges.upper) / 10))
            }
            line = [first, last].map { LinePoint(index: Int($0), value: Double(trend.value(at: $0)) / 10) }
        }
        (self.line, self.band) = (line, band)
        perWeek = trend.map {
            Slope(
                milliseconds: Self.perWeek($0.slope), from: Self.perWeek($0.lowerSlope),
                to: Self.perWeek($0.upperSlope))
        }
        axis = Axis(holding: points.map(\.median) + band.flatMap { [$0.from, $0.to] }, unit: "ms", in: localized)
        let said = Self.words(trend, days: points.count, in: localized)
        figures = said.figures
        words = alike.count == all.count ? said.words : "\(said.words) \(localized.string(Self.only(at: tempo)))"
        let hand = side.map { LocalizedText("\($0.title) hand") } ?? LocalizedText("Both hands")
        let count = points.count
        label =
            trend.map {
                localized(
                    "\(hand): medians of \(count) days, with a line \(Self.told($0.slope)) a week and a band of its uncertainty."
                )
            } ?? localized("\(hand): medians of \(spelled: count) days, too few for a line.")
    }

    /// Milliseconds a week, to a tenth, of millionths of tenths of milliseconds a day.
    private static func perWeek(_ slope: Int64) -> Double { (Double(slope) * 7 / 1_000_000).rounded() / 10 }

    private static func told(_ slope: Int64) -> LocalizedText {
        let milliseconds = Int(perWeek(slope).rounded())
        return switch milliseconds {
        case 0: LocalizedText("neither faster nor slower")
        case ..<0: LocalizedText("\(-milliseconds) ms faster")
        default: LocalizedText("\(milliseconds) ms slower")
        }
    }

    // MARK: What is said of it

    /// The sentence that answers at other tempos are in none of it.
    static func only(at percent: UInt8) -> LocalizedText {
        LocalizedText("Only answers at \(Int(percent))% of each song’s own tempo.")
    }

    static func words(_ trend: PracticeTrend?, days: Int, in localized: Localizer) -> (figures: String?, words: String)
    {
        guard let trend else {
            let have = days == 0 ? LocalizedText("there is none yet") : LocalizedText("there are \(spelled: days)")
            return (
                nil,
                localized(
                    "A trend takes \(spelled: Int(PracticeTrend.leastCount)) days with \(spelled: leastAnswers) answers each; \(have)."
                )
            )
        }
        func short(_ slope: Int64) -> LocalizedText {
            let milliseconds = Int(perWeek(slope).rounded())
            return switch milliseconds {
            case 0: LocalizedText(verbatim: "0")
            case ..<0: LocalizedText("\(-milliseconds) faster")
            default: LocalizedText("\(milliseconds) slower")
            }
        }
        let (least, most) = (short(trend.lowerSlope), short(trend.upperSlope))
        let figures = localized("\(told(trend.slope)) a week; 95% range \(least) to \(most).")
        let words =
            if trend.holdsNought {
                localized("These \(days) days do not show whether the answers became faster or slower.")
            } else if trend.slope < 0 {
                localized(
                    "The answers became faster over these \(days) days, by more than chance. What made them so, the days do not tell."
                )
            } else {
                localized(
                    "The answers became slower over these \(days) days, by more than chance. What made them so, the days do not tell."
                )
            }
        return (figures.capitalizedFirst, words)
    }
}
