import HubKit
import PlantsEngine
import PlantsHub
import Testing

@Suite("The forecast of the day a plant wants water")
struct ForecastTests {
    @Test("On fifty simulated plants, the stated interval covers the true day in 70 to 90 of 100 cases")
    func coverage() {
        var asked = 0
        var covered = 0
        var exact = 0
        var width = 0
        for history in SimulatedHistory.fifty {
            for checkpoint in history.checkpoints {
                let forecast = DryDownForecast.make(
                    samples: Array(history.samples[..<checkpoint.sampleCount]),
                    waterings: history.waterings.map { $0.at }.filter { $0 <= checkpoint.now },
                    limit: history.plant.limits.low, now: checkpoint.now, localDay: localDay)
                guard case .day(let ahead) = forecast else { continue }
                asked += 1
                width += ahead.latest - ahead.earliest + 1
                guard let crossing = checkpoint.crossing else { continue }
                let truth = localDay(crossing)
                if ahead.earliest <= truth, truth <= ahead.latest { covered += 1 }
                if ahead.day == truth { exact += 1 }
            }
        }
        let share = Double(covered) / Double(asked)
        print(
            "forecasts: \(asked), covered \(share), on the day itself \(Double(exact) / Double(asked)),",
            "mean width \(Double(width) / Double(asked)) days")
        #expect(asked > 150)
        #expect((0.7...0.9).contains(share))
    }

    /// Falls five percent a day from 70 to 30, again and again, a reading each hour.
    private func sawtooth(days: Int) -> (samples: [MoistureSample], waterings: [Int64]) {
        var samples: [MoistureSample] = []
        var waterings: [Int64] = []
        for index in 0..<days * 24 {
            let at = Int64(index) * hour
            let place = index % (8 * 24)
            if place == 0, index > 0 { waterings.append(at) }
            samples.append(MoistureSample(at: at, percent: 70 - Double(place) * 5 / 24))
        }
        return (samples, waterings)
    }

    @Test("A plant that always dries alike gets its day, a narrow interval and a falling curve")
    func regular() throws {
        let (samples, waterings) = sawtooth(days: 43)
        // Day 43 is the third of its dry-down: 55 percent left; 35 is four days away.
        let now = 43 * dayLength - hour
        let forecast = DryDownForecast.make(
            samples: samples, waterings: waterings, limit: 35, now: now, localDay: { Int($0 / dayLength) })
        guard case .day(let ahead) = forecast else {
            Issue.record("no day: \(forecast)")
            return
        }
        #expect((46...47).contains(ahead.day))
        #expect(ahead.latest - ahead.earliest <= 1)
        #expect(ahead.basedOn == 5)
        #expect(ahead.medianErrorDays < 0.3)
        #expect(ahead.earliestAt <= ahead.at && ahead.at <= ahead.latestAt)
        let points = ahead.points
        #expect(points.count > 5)
        #expect(try #require(points.first).at <= now)
        #expect(try #require(points.last).percent <= 36)
        for (left, right) in zip(points, points.dropFirst()) {
            #expect(left.at < right.at && left.percent >= right.percent)
            #expect(right.low <= right.percent && right.percent <= right.high)
        }
    }

    @Test("A plant below its limit wants water now")
    func alreadyDry() {
        let (samples, waterings) = sawtooth(days: 40)
        let forecast = DryDownForecast.make(
            samples: samples, waterings: waterings, limit: 50, now: 40 * dayLength, localDay: localDay)
        #expect(forecast == .now)
    }

    @Test("Too short a past is said to be one", arguments: [0, 1, 3, 9])
    func tooShort(days: Int) {
        let (samples, waterings) = sawtooth(days: days)
        let forecast = DryDownForecast.make(
            samples: samples, waterings: waterings, limit: 30, now: Int64(days) * dayLength, localDay: localDay)
        #expect(forecast == .notEnoughDays(have: days, need: 10))
    }

    @Test("A plant that was never watered twice has too few dry-downs")
    func tooFewDryDowns() {
        let samples = (0..<480).map { MoistureSample(at: Int64($0) * hour, percent: 80 - Double($0) / 16) }
        let forecast = DryDownForecast.make(
            samples: samples, waterings: [], limit: 20, now: 480 * hour, localDay: localDay)
        #expect(forecast == .notEnoughDryDowns(have: 0, need: 2))
    }

    @Test("Wild readings give some forecast and no trap")
    func wild() {
        for seed in 1...40 {
            var random = SeededRandom(seed: UInt64(seed))
            let samples = (0..<600).map { _ in
                MoistureSample(
                    at: Int64.random(in: 0...60 * dayLength, using: &random),
                    percent: Double.random(in: -5...105, using: &random))
            }
            let waterings = (0..<20).map { _ in Int64.random(in: 0...60 * dayLength, using: &random) }
            _ = DryDownForecast.make(
                samples: samples, waterings: waterings, limit: Double.random(in: 0...100, using: &random),
                now: Int64.random(in: 0...90 * dayLength, using: &random), localDay: localDay)
        }
    }
}
