import PlantsEngine
import PlantsHub
import Testing

/// Compares what was detected with what happened: a pair matches when the two are at most three hours apart, or when
/// the true one lies in the gap that the detector names. True wettings within three hours of each other are one.
private struct Score {
    var matched = 0
    var detected = 0
    var actual = 0

    mutating func add(_ waterings: [Watering], truth: [Int64]) {
        var open: [Int64] = []
        var last = Int64.min / 2
        for at in truth {
            if at - last > 3 * hour { open.append(at) }
            last = at
        }
        actual += open.count
        detected += waterings.count
        for watering in waterings {
            let match = open.firstIndex {
                ($0 - watering.at).magnitude <= 3 * hour || $0 >= watering.after && $0 <= watering.at
            }
            if let match {
                open.remove(at: match)
                matched += 1
            }
        }
    }
}

@Suite("Waterings found in the curve")
struct WateringDetectorTests {
    @Test("On fifty simulated plants with rain, repotting and dropouts, nine in ten are found and nine in ten are true")
    func precisionAndRecall() {
        var score = Score()
        for history in SimulatedHistory.fifty { score.add(history.waterings, truth: history.truth.wettings) }
        let precision = Double(score.matched) / Double(score.detected)
        let recall = Double(score.matched) / Double(score.actual)
        print("waterings: \(score.actual), precision \(precision), recall \(recall)")
        #expect(score.actual > 500)
        #expect(precision >= 0.9)
        #expect(recall >= 0.9)
    }

    @Test("Faster and slower sensors do as well", arguments: [5, 60, 180] as [Int64])
    func paces(minutes: Int64) {
        var score = Score()
        for seed in 1...10 as ClosedRange<UInt64> {
            var simulator = PlantSimulator(seed: seed, start: simulationStart, pace: minutes * 60_000)
            let readings = simulator.advance(to: simulationStart + 60 * dayLength)
            score.add(WateringDetector.waterings(in: moistureSamples(readings)), truth: simulator.truth.wettings)
        }
        let precision = Double(score.matched) / Double(score.detected)
        let recall = Double(score.matched) / Double(score.actual)
        print("a reading each \(minutes) min: \(score.actual), precision \(precision), recall \(recall)")
        #expect(precision >= 0.9)
        #expect(recall >= 0.9)
    }

    /// A curve of a reading each fifteen minutes.
    private func curve(_ levels: [(hours: Int, percent: Double)]) -> [MoistureSample] {
        var samples: [MoistureSample] = []
        for level in levels {
            for _ in 0..<level.hours * 4 {
                let noise = samples.count % 3 == 0 ? 0.3 : -0.2
                samples.append(
                    MoistureSample(at: Int64(samples.count) * 900_000, percent: level.percent + noise))
            }
        }
        return samples
    }

    @Test("A clear watering is found once, with where it came from, where it went, and much confidence")
    func clearWatering() throws {
        let found = WateringDetector.waterings(in: curve([(48, 30), (24, 62)]))
        #expect(found.count == 1)
        let watering = try #require(found.first)
        #expect(watering.at == 48 * hour)
        #expect(watering.after == 48 * hour - 900_000)
        #expect((29...31).contains(watering.from))
        #expect((61...63).contains(watering.to))
        #expect(watering.confidence > 0.95)
    }

    @Test("A probe pulled out and put back is no watering")
    func pulledOut() {
        #expect(WateringDetector.waterings(in: curve([(48, 40), (3, 0.5), (24, 39.5)])).isEmpty)
    }

    @Test("A probe pulled out and put into much wetter soil is one, with less confidence")
    func pulledOutAndWatered() throws {
        let found = WateringDetector.waterings(in: curve([(48, 40), (3, 0.5), (24, 70)]))
        #expect(found.count == 1)
        #expect(try #require(found.first).confidence < 0.8)
    }

    @Test("Two wrong readings in a row are no watering")
    func wrongReadings() {
        var samples = curve([(72, 40)])
        samples[100].percent = 85
        samples[101].percent = 85
        #expect(WateringDetector.waterings(in: samples).isEmpty)
    }

    @Test("A watering while the sensor was silent is found when it comes back, with the gap it fell into")
    func duringGap() throws {
        var samples = curve([(48, 30), (48, 65)])
        samples.removeSubrange(180..<220)
        let found = WateringDetector.waterings(in: samples)
        #expect(found.count == 1)
        let watering = try #require(found.first)
        #expect(watering.after == 179 * 900_000)
        #expect(watering.at == 220 * 900_000)
        #expect(watering.confidence < 0.8)
    }

    @Test("Slow drift with the temperature of a day is no watering")
    func drift() {
        var samples = curve([(240, 50)])
        for index in samples.indices {
            let phase = Double(index % 96) / 96
            samples[index].percent += phase < 0.5 ? phase * 6 : (1 - phase) * 6
        }
        #expect(WateringDetector.waterings(in: samples).isEmpty)
    }

    @Test("Readings in any order, doubled, or not finite, give the same waterings")
    func disorder() {
        let samples = curve([(48, 30), (24, 62)])
        let doubled = samples.reversed() + samples + [MoistureSample(at: 1_000, percent: .nan)]
        #expect(WateringDetector.waterings(in: Array(doubled)) == WateringDetector.waterings(in: samples))
    }
}
