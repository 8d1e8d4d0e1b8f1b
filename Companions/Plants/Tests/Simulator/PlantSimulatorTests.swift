import PlantsEngine
import PlantsHub
import Testing

@Suite("Simulated plants")
struct PlantSimulatorTests {
    @Test("The same seed gives the same history, however it is cut", arguments: [1, 7, 23] as [UInt64])
    func deterministic(seed: UInt64) {
        let end = simulationStart + 20 * dayLength
        var whole = PlantSimulator(seed: seed, start: simulationStart)
        let expected = whole.advance(to: end)
        var cut = PlantSimulator(seed: seed, start: simulationStart)
        var readings: [SimulatedReading] = []
        var now = simulationStart
        while now < end {
            now = min(now + 7 * 3_600_123, end)
            readings += cut.advance(to: now)
        }
        #expect(readings == expected)
        #expect(cut.truth == whole.truth)
    }

    @Test("Another seed gives another history")
    func seeds() {
        var first = PlantSimulator(seed: 1, plant: .fern, start: simulationStart)
        var second = PlantSimulator(seed: 2, plant: .fern, start: simulationStart)
        let end = simulationStart + dayLength
        #expect(first.advance(to: end) != second.advance(to: end))
    }

    @Test("Every value that a simulated sensor sends is one that the hub accepts", arguments: PlantPersonality.all)
    func plausible(plant: PlantPersonality) throws {
        var simulator = PlantSimulator(seed: 5, plant: plant, start: simulationStart)
        let readings = simulator.advance(to: simulationStart + 60 * dayLength)
        #expect(readings.count > 10_000)
        for reading in readings {
            // Outside the macro, which cannot hold a span.
            let known = Quantity(name: Array(reading.quantity.utf8).span)
            let quantity = try #require(known)
            #expect(quantity.plausible.contains(reading.value), "\(reading)")
        }
    }

    @Test("Four months bring waterings, and on some seeds repotting, rain and silence")
    func liveliness() {
        let histories = SimulatedHistory.fifty
        #expect(histories.allSatisfy { $0.truth.wettings.count >= 4 })
        #expect(histories.contains { !$0.truth.repottings.isEmpty })
        #expect(
            histories.allSatisfy { history in
                zip(history.samples, history.samples.dropFirst()).contains { $1.at - $0.at > 3 * hour }
            })
    }
}
