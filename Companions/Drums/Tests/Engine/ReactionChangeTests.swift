import Testing

@testable import DrumsEngine

@Suite("A change that the days carry, in percent")
struct ReactionChangeTests {
    /// Daily medians in tenths of a millisecond, with a little that no line explains.
    private static func days(_ count: Int, every step: Int32 = 3, from start: Int32 = 6_000, by slope: Int32 = -20)
        -> [PracticeTrend.Point]
    {
        (0..<count).map { place in
            let x = Int32(place) * step
            return PracticeTrend.Point(x: x, y: start + slope * x + (place % 2 == 0 ? 15 : -15))
        }
    }

    @Test("Along the line from the first day to the last, and each day counts once")
    func percent() throws {
        // 600 ms less 2 ms a day: after 60 days a fifth is gone.
        let change = try #require(ReactionChange(Self.days(21)))
        #expect(change.percent == -20)
        #expect(change.days == 21)
        #expect(change.lowerPercent <= -20 && change.upperPercent >= -20 && change.upperPercent < 0)
        #expect(try #require(ReactionChange(Self.days(21, by: 20))).percent == 20)
    }

    @Test("Fewer days than eight carry nothing, and eight do")
    func few() {
        #expect(ReactionChange(Self.days(7, every: 4)) == nil)
        #expect(ReactionChange(Self.days(8, every: 4)) != nil)
    }

    @Test("Days that lie closer than three weeks carry nothing")
    func close() {
        #expect(ReactionChange(Self.days(20, every: 1)) == nil)
        #expect(ReactionChange(Self.days(22, every: 1)) != nil)
    }

    @Test("A change of less than five percent is told by nobody")
    func small() {
        #expect(ReactionChange(Self.days(21, by: -4)) == nil)
        #expect(ReactionChange(Self.days(21, by: -6)) != nil)
    }

    @Test("Where no change fits the days too, nothing is told")
    func noise() {
        let wild = Self.days(21).enumerated().map { place, one in
            PracticeTrend.Point(x: one.x, y: 6_000 + Int32(place * 7_919 % 13) * 200)
        }
        #expect(ReactionChange(wild) == nil)
    }

    @Test("Of no days, of days without a time and of days too far apart there is nothing, and nothing overflows")
    func bounds() {
        #expect(ReactionChange([]) == nil)
        #expect(ReactionChange(Self.days(21, from: 0, by: 0)) == nil)
        #expect(ReactionChange(Self.days(21, from: -10_000_000, by: -20)) == nil)
        #expect(ReactionChange(Self.days(21, every: 100, by: -20)) == nil)
        #expect(ReactionChange(Self.days(21, every: 20, from: 10_000_000, by: -24_000)) != nil)
    }
}
