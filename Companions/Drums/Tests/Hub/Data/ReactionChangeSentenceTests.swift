import Foundation
import HubInstruments
import HubKit
import Localization
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("What is said of how a hand changed, as the table has it")
struct ReactionChangeSentenceTests {
    static let table = try? SentenceTable(Bundle.module.resourceURL?.appendingPathComponent("Sentences/change.tsv"))

    @Test("The table is there")
    func present() throws { #expect(try #require(Self.table).rows.count >= 6) }

    /// Side, percent and its range; answers and days; level and drums; the first day and the last.
    private static func read(_ facts: String) throws -> ReactionChangeText {
        let parts = facts.components(separatedBy: " | ").map { $0.components(separatedBy: " ") }
        func number(_ part: Int, _ place: Int) throws -> Int { try #require(Int(parts[part][place])) }
        return ReactionChangeText(
            side: SideName(rawValue: parts[0][0]), percent: try number(0, 1), from: try number(0, 2),
            to: try number(0, 3), answers: try number(1, 0), days: try number(1, 2), level: try number(2, 1),
            linkClass: try #require(LinkClass(rawValue: parts[2][2])), first: try #require(CivilDate(parts[3][0])).day,
            last: try #require(CivilDate(parts[3][1])).day)
    }

    @Test("Each row is said as it stands there, in English and in German", arguments: table?.rows ?? [])
    func row(row: SentenceTable.Row) throws {
        let text = try Self.read(row.facts)
        let said = [Language.english, .german].flatMap { language in
            [text.words, text.behind].map { Localizer(language, from: .drums).string($0) }
        }
        #expect(said == row.sentences, "\(SentenceTable.Row.text(row.facts, said))")
    }

    /// The Saturday of 21 November 2026.
    private static let today: Int32 = CivilDate("2026-11-21")?.day ?? 0

    private static func beat(
        _ reaction: Int32, day: Int32, level: Int, link: LinkKind, tempo: UInt8 = 100
    ) -> Practice.Beat {
        Practice.Beat(
            day: day, level: level, tempoPercent: tempo, isFlow: false,
            result: .init(
                BeatResult(
                    step: 0, drum: .blue, verdict: .right, reactionMilliseconds: reaction, errorMilliseconds: nil,
                    forceHundredths: nil, wrong: [], waitedMilliseconds: 0, link: link, side: .right)))
    }

    @Test("A change is told of the answers that can be compared, and only where it is of now")
    func change() throws {
        func beats(_ days: Range<Int32>, level: Int = 2, link: LinkKind = .bluetooth, slope: Int32 = -3) -> [Practice
            .Beat]
        {
            days.flatMap { day in
                (0..<6).map { place in
                    Self.beat(700 + slope * (day - days.lowerBound) + Int32(place), day: day, level: level, link: link)
                }
            }
        }
        let today = Self.today
        let all = (today - 363)...today
        let quicker = beats((today - 40)..<today)
        let told = try #require(ReactionChangeResponse(quicker, side: .right, days: all, in: .english))
        #expect(told.percent == -17)
        #expect(told.answers == 240 && told.days == 40 && told.level == 2 && told.linkClass == .kit)
        #expect(told.words == "Right hand 17% quicker since 12 October.")
        #expect(ReactionChangeResponse(quicker, side: .left, days: all, in: .english) == nil, "another hand")
        // A harder level is slower, and would hide it: fewer answers at it change nothing.
        let mixed = quicker + beats((today - 30)..<today, level: 3, slope: 20)
        #expect(ReactionChangeResponse(mixed, side: .right, days: all, in: .english)?.percent == -17)
        let older = beats((today - 80)..<(today - 15))
        #expect(ReactionChangeResponse(older, side: .right, days: all, in: .english) == nil, "it is over")
        #expect(ReactionChangeResponse([], side: nil, days: all, in: .english) == nil)
    }

    @Test("A change is told of one tempo, the one of most answers, and names it where it is not the song’s own")
    func oneTempo() throws {
        let today = Self.today
        let all = (today - 363)...today
        func beats(_ days: Range<Int32>, _ reaction: Int32, slope: Int32 = 0, tempo: UInt8) -> [Practice.Beat] {
            days.flatMap { day in
                (0..<6).map { place in
                    Self.beat(
                        reaction + slope * (day - days.lowerBound) + Int32(place), day: day, level: 2, link: .bluetooth,
                        tempo: tempo)
                }
            }
        }
        // At 80 % for a month, then at 120 %, where every answer is quicker, and at neither did anything change.
        let mixed = beats((today - 60)..<(today - 30), 700, tempo: 80) + beats((today - 30)..<today, 500, tempo: 120)
        #expect(ReactionChangeResponse(mixed, side: .right, days: all, in: .english) == nil)
        let slow = beats((today - 40)..<today, 700, slope: -3, tempo: 80)
        let told = try #require(ReactionChangeResponse(slow, side: .right, days: all, in: .english))
        #expect(told.percent == -17)
        #expect(told.behind.hasSuffix(" Only answers at 80% of each song’s own tempo."))
        let few = beats((today - 20)..<today, 300, tempo: 120)
        let trend = try #require(TrendResponse(slow + few, clock: .drum, side: .right, days: all, in: .english))
        #expect(trend.points.allSatisfy { $0.median > 500 })
        #expect(trend.words.hasSuffix(" Only answers at 80% of each song’s own tempo."))
        let alone = try #require(TrendResponse(slow, clock: .drum, side: .right, days: all, in: .english))
        #expect(!alone.words.contains("own tempo"))
    }
}
