import Testing

@testable import PlantsEngine

@Suite("How often a plant is watered")
struct WateringTrendTests {
    private let day: Int64 = 86_400_000
    private let now: Int64 = 1_790_000_000_000

    private func wanted(_ times: [Int64]) -> [WateringTrend.Wetting] {
        times.map { .init(at: $0, isWanted: true) }
    }

    /// Every `early` days up to six weeks ago, and every `late` days since, with rain at times besides.
    private func trend(_ early: Double, _ late: Double, rain: [Int64] = []) -> WateringTrend? {
        var waterings = (0..<8).map { now - 43 * day - Int64(Double($0) * early * Double(day)) }
        var at = Double(now - 42 * day)
        while at < Double(now) {
            waterings.append(Int64(at))
            at += late * Double(day)
        }
        let wettings = wanted(waterings) + rain.map { .init(at: $0, isWanted: false) }
        return WateringTrend.make(wettings: wettings.shuffled(), now: now)
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
        #expect(WateringTrend.make(wettings: [], now: now) == nil)
        #expect(WateringTrend.make(wettings: wanted([now, now - day, now - 60 * day]), now: now) == nil)
        #expect(WateringTrend.make(wettings: wanted([Int64](repeating: now, count: 50)), now: now) == nil)
    }

    @Test("Rain is no thirst: a wet month says neither more often nor less often")
    func rain() {
        // Each day of the last four weeks it rains upon a balcony that was watered every six days.
        let wet = (0..<28).map { now - Int64($0) * day - day / 4 }
        #expect(trend(6, 6, rain: wet) == nil)
        #expect(trend(6, 4, rain: wet) == nil, "how long it would have waited is not known")
        // A shower a month ago hides nothing of what came since.
        #expect(trend(6, 4, rain: [now - 35 * day])?.recentDays == 4)
    }

    @Test("A second can within half a day is part of the first, though it met a pot that was wet")
    func cans() {
        let seconds = (0..<28).map { now - 42 * day + Int64($0) * 4 * day + day / 10 }.filter { $0 < now }
        #expect(trend(6, 4, rain: seconds)?.recentDays == 4)
    }

    @Test(
        "Wanted is what somebody noted, and what met a plant in the driest quarter of what it likes",
        arguments: [
            (true, nil, true), (true, 70, true), (false, nil, false), (false, 20, true), (false, 40, true),
            (false, 40.1, false), (false, 65, false),
        ] as [(Bool, Double?, Bool)])
    func wanting(isByHand: Bool, levelBefore: Double?, isWanted: Bool) {
        // A quarter of the way from 30 to 70 is 40.
        let limits = MoistureLimits(low: 30, high: 70)
        let wetting = WateringTrend.Wetting(at: 0, isByHand: isByHand, levelBefore: levelBefore, limits: limits)
        #expect(wetting.isWanted == isWanted)
    }
}
