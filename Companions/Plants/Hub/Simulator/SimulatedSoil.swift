import HubKit
import PlantsEngine

/// The soil of one pot and the person who waters it.
struct SimulatedSoil: Sendable {
    /// An event of the soil in a step.
    enum Event: Equatable, Sendable {
        case watered
        case rained
        case repotted
    }

    /// The water in the soil, percent of what the probe can tell.
    private(set) var percent: Double
    /// The time until which the probe lies beside the pot, UTC milliseconds.
    private(set) var probeOutUntil = Int64.min

    private let plant: PlantPersonality
    private let utcOffset: Int64
    private var random: SeededRandom
    /// The water that has been poured and still seeps in, percent.
    private var seeping = 0.0
    private var dryingFactor: Double
    private var checkedDay = Int64.min
    private var waterAt = Int64.max
    private var repotAt = Int64.max
    private var waterAfterRepotting = false
    private var lastRain: Int64 = 0
    private var rainSum = 0.0

    init(seed: UInt64, plant: PlantPersonality, utcOffset: Int64) {
        self.plant = plant
        self.utcOffset = utcOffset
        random = SeededRandom(seed: seed, stream: 2)
        percent = random.between(plant.limits.low + 10, plant.limits.high)
        dryingFactor = random.between(0.85, 1.2)
    }

    /// A step of `hours` up to `at`.
    /// - Parameter isCaredFor: false when nobody comes near the plant.
    mutating func step(
        at: Int64, hours: Double, _ weather: SimulatedWeather.Moment, isCaredFor: Bool
    ) -> [Event] {
        var events: [Event] = []
        let stress = min(max((percent - 4) / (plant.bend - 4), 0.03), 1)
        let thirst = vapourPressureDeficit(celsius: weather.celsius, humidityPercent: weather.humidity)
        let demand = 0.35 + 0.45 * min(thirst / 1.2, 2) + 1.1 * min(weather.lux / max(plant.daylight, 0.05) / 20_000, 1)
        percent -= plant.dryingPerDay * dryingFactor * demand * stress * hours / 24
        // Above what the soil can hold, water drains away.
        let holds = plant.limits.high - 2
        if percent > holds { percent -= (percent - holds) * min(hours / 5, 1) }
        if weather.rain > 0 {
            if at - lastRain > 6 * 3_600_000 { rainSum = 0 }
            let before = rainSum
            rainSum += weather.rain * hours
            lastRain = at
            percent += weather.rain * hours
            if before < 5, rainSum >= 5 { events.append(.rained) }
        }
        if isCaredFor { events += care(at: at) }
        let seeped = min(seeping, max(seeping * 0.6, 3))
        seeping -= seeped
        percent = min(max(percent + seeped, 0), 96)
        return events
    }

    /// Pours as much water as brings it near its upper limit.
    mutating func pour() {
        seeping += max(plant.limits.high - 5 - percent - seeping, 8)
    }

    private mutating func care(at: Int64) -> [Event] {
        var events: [Event] = []
        let local = at + utcOffset
        let today = local / 86_400_000
        if today != checkedDay {
            checkedDay = today
            plan(today)
        }
        if at >= repotAt {
            repotAt = .max
            percent = random.between(38, 60)
            dryingFactor = random.between(0.75, 1.3)
            seeping = 0
            probeOutUntil = at + Int64(random.between(25, 90)) * 60_000
            if waterAfterRepotting { waterAt = probeOutUntil + Int64(random.between(5, 30)) * 60_000 }
            events.append(.repotted)
        }
        if at >= waterAt {
            waterAt = .max
            let target = random.between(plant.limits.high - 8, plant.limits.high + 10)
            seeping += max(target - percent, 8)
            events.append(.watered)
        }
        return events
    }

    /// Looks at the plant once a day, and decides about it.
    private mutating func plan(_ today: Int64) {
        let midnight = today * 86_400_000 - utcOffset
        let hour = random.unit() < 0.6 ? random.between(7, 9.5) : random.between(17, 20)
        let looks = random.unit() < 0.82
        let wants = plant.limits.low - plant.neglect + random.normal() * 4
        let moves = random.once(every: 75)
        waterAfterRepotting = random.unit() < 0.7
        let repotHour = random.between(10, 16)
        if moves {
            repotAt = midnight + Int64(repotHour * 3_600_000)
        } else if looks, percent < wants {
            waterAt = midnight + Int64(hour * 3_600_000)
        }
    }
}
