import PlantsEngine
import PlantsHub

/// 20 April 2026, 00:00 local time, one hour ahead of UTC.
let simulationStart: Int64 = 1_776_639_600_000
let hour: Int64 = 3_600_000
let dayLength: Int64 = 86_400_000

/// The number of the local day of a moment, as the hub's edge would hand it in.
func localDay(_ at: Int64) -> Int { Int((at + hour) / dayLength) }

func moistureSamples(_ readings: [SimulatedReading]) -> [MoistureSample] {
    readings.filter { $0.quantity == "moisture" }.map { MoistureSample(at: $0.at, percent: $0.value) }
}

/// A plant's first four months with rain, repotting and dropouts, and at some moments on the way, what the sensor had
/// sent until then and when the plant would really have reached its limit.
struct SimulatedHistory: Sendable {
    struct Checkpoint: Sendable {
        var now: Int64
        var sampleCount: Int
        /// Nil when it would not have come to that within 120 days.
        var crossing: Int64?
    }

    let seed: UInt64
    let plant: PlantPersonality
    let samples: [MoistureSample]
    let waterings: [Watering]
    let truth: PlantSimulator.Truth
    let checkpoints: [Checkpoint]

    static let fifty: [SimulatedHistory] = (1...50).map { SimulatedHistory(seed: $0) }

    init(seed: UInt64) {
        var simulator = PlantSimulator(seed: seed, start: simulationStart)
        var samples: [MoistureSample] = []
        var checkpoints: [Checkpoint] = []
        for stop in 0..<5 {
            let now = simulationStart + Int64(50 + stop * 17) * dayLength + 11 * hour
            samples += moistureSamples(simulator.advance(to: now))
            checkpoints.append(
                Checkpoint(now: now, sampleCount: samples.count, crossing: Self.crossing(of: simulator)))
        }
        self.seed = seed
        plant = simulator.plant
        self.samples = samples
        waterings = WateringDetector.waterings(in: samples)
        truth = simulator.truth
        self.checkpoints = checkpoints
    }

    /// When the soil itself falls below the limit if nobody waters and no rain falls.
    private static func crossing(of simulator: PlantSimulator) -> Int64? {
        var alone = simulator
        alone.isCaredFor = false
        alone.isRainy = false
        alone.hasTroubles = false
        while alone.now < simulator.now + 120 * dayLength {
            _ = alone.advance(to: alone.now + alone.pace)
            if alone.moisturePercent < alone.plant.limits.low { return alone.now }
        }
        return nil
    }
}
