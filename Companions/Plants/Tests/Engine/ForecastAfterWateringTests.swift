import PlantsEngine
import Testing

@Suite("The forecast just after a watering")
struct ForecastAfterWateringTests {
    @Test("It starts from the wet soil, not from how dry it was before", arguments: [1, 2, 5] as [Int64])
    func startsWet(hoursAgo: Int64) throws {
        let hour: Int64 = 3_600_000
        // Nine days from 70 to 25 percent, five times, and watered again a moment ago.
        let cycle = 216 * hour
        var samples: [MoistureSample] = []
        var waterings: [Int64] = []
        for turn: Int64 in 0..<5 {
            waterings.append(turn * cycle)
            for step: Int64 in 0..<216 {
                samples.append(MoistureSample(at: turn * cycle + step * hour, percent: 70 - Double(step) * 45 / 216))
            }
        }
        let watered = 5 * cycle
        waterings.append(watered)
        for step in 0...hoursAgo { samples.append(MoistureSample(at: watered + step * hour, percent: 70)) }
        let now = watered + hoursAgo * hour
        let forecast = DryDownForecast.make(samples: samples, waterings: waterings, limit: 30, now: now) {
            Int($0 / 86_400_000)
        }
        guard case .day(let forecast) = forecast else {
            Issue.record("no day was forecast")
            return
        }
        let days = Double(forecast.at - now) / 86_400_000
        #expect((6.5...9.5).contains(days))
    }
}
