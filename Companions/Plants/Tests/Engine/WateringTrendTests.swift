import Testing

@testable import PlantsEngine

@Suite("How often a plant is watered")
struct WateringTrendTests {
    private let day: Int64 = 86_400_000
    private let now: Int64 = 1_790_000_000_000

    /// Every `early` days up to six weeks ago, and every `late` days since.
    private func trend(_ early: Double, _ late: Double) -> WateringTrend? {
        var waterings = (0..<8).map { now - 43 * day - Int64(Double($0) * early * Double(day)) }
        var at = Double(now - 42 * day)
        while at < Double(now) {
            waterings.append(Int64(at))
            at += late * Double(day)
        }
        return WateringTrend.make(waterings: waterings.shuffled(), now: now)
    }

    @Test("Every four days instead of six is a change, and so is the other way round")
    func change() throws {
        let quicker = try #require(trend(6, 4))
        #expect((quicker.recentDays, quicker.earlierDays) == (4, 6))
        #expect(quicker.earlierAt < now - 42 * day && quicker.earlierAt > now - 100 * day)
        #expect(trend(4, 7)?.recentDays == 7)
    }

    @Test("What changes by less than a quarter, or by less than a day, is none; nor is what is hardly known")
    func none() {
        #expect(trend(6, 6) == nil)
        #expect(trend(7, 6) == nil)
        #expect(trend(1.2, 0.8) == nil)
        #expect(WateringTrend.make(waterings: [], now: now) == nil)
        #expect(WateringTrend.make(waterings: [now, now - day, now - 60 * day], now: now) == nil)
        #expect(WateringTrend.make(waterings: [Int64](repeating: now, count: 50), now: now) == nil)
    }
}
