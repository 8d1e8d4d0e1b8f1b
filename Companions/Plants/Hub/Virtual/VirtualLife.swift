import HubKit
import PlantsEngine

/// The life of a virtual sensor: its past as it would have kept it, and its present between two simulated steps.
///
/// Played again from the same record and the same waterings by hand, it is the same life.
struct VirtualLife: Sendable {
    /// The values of a sensor at one moment.
    struct Message: Equatable, Sendable {
        var at: Int64
        /// The names and values, in the order in which the sensor measures.
        var values: [(quantity: String, value: Double)]

        /// The message as it is published to `tandem/<id>/readings`.
        var payload: String {
            "{" + values.map { "\"\($0.quantity)\":\(PlantNumber.text($0.value))" }.joined(separator: ",")
                + ",\"at\":\(at)}"
        }

        static func == (left: Message, right: Message) -> Bool { left.payload == right.payload }
    }

    private var record: VirtualPlantRecord
    private var simulator: PlantSimulator
    /// The waterings by hand that are still to come, oldest first.
    private var pours: ArraySlice<Int64>
    /// The newest step, and what the sensor will say at the one after it.
    private var last: Message?
    private var next: Message?
    private var lastStep: Int64

    /// Begins the life of a virtual plant.
    ///
    /// - Parameters:
    ///   - pours: when it was watered by hand, UTC milliseconds.
    ///   - utcOffset: of the place where it stands, milliseconds.
    init(_ record: VirtualPlantRecord, pours: [Int64], utcOffset: Int64) {
        self.record = record
        self.pours = pours.sorted()[...]
        simulator = PlantSimulator(
            seed: UInt64(bitPattern: record.seed), plant: record.art.personality, start: record.startedAt,
            utcOffset: utcOffset)
        lastStep = record.startedAt
    }

    /// The true moisture now, percent.
    var moisturePercent: Double { simulator.moisturePercent }

    /// The same life, in which from here on nobody comes to water it.
    var uncared: VirtualLife {
        var life = self
        life.record.caredUntil = simulator.now
        return life
    }

    /// Runs the life on up to `time`, UTC milliseconds, and returns what the sensor measured on its way.
    mutating func live(to time: Int64) -> [Message] {
        var messages: [Message] = []
        while simulator.now + simulator.pace <= time {
            let message = step()
            if let message { messages.append(message) }
            last = message
            lastStep = simulator.now
            next = nil
        }
        return messages
    }

    /// The sensor's message at `time`, between the last step and the next; nil while it is silent.
    mutating func reading(at time: Int64) -> Message? {
        guard record.silentFrom.map({ time < $0 }) ?? true else { return nil }
        if next == nil {
            var ahead = self
            next = ahead.step()
        }
        guard let next else { return nil }
        guard let last else { return Message(at: time, values: next.values) }
        let part = min(max(Double(time - lastStep) / Double(simulator.pace), 0), 1)
        // Two measurements of one moment are never quite the same.
        var noise = SeededRandom(seed: UInt64(bitPattern: time), stream: 5)
        let values = next.values.map { quantity, value in
            let before = last.values.first { $0.quantity == quantity }?.value ?? value
            let between = before + (value - before) * part
            let scatter = quantity == "moisture" ? 0.15 * noise.normal() : 0
            return (quantity, (min(max(between + scatter, 0), max(between, 100)) * 10).rounded() / 10)
        }
        return Message(at: time, values: values)
    }

    /// Waters the plant now.
    mutating func water(at time: Int64) {
        pours.append(time)
        next = nil
    }

    private mutating func step() -> Message? {
        let end = simulator.now + simulator.pace
        while let pour = pours.first, pour < end {
            pours.removeFirst()
            if pour >= record.startedAt { simulator.water() }
        }
        simulator.isCaredFor = record.caredUntil.map { end < $0 } ?? true
        simulator.hasTroubles = end < record.troubledUntil
        let readings = simulator.advance(to: end)
        guard let at = readings.first?.at, record.silentFrom.map({ at < $0 }) ?? true else { return nil }
        return Message(at: at, values: readings.map { ($0.quantity, $0.value) })
    }
}

extension VirtualLife {
    /// The number of pasts that are tried for a new plant.
    private static let tries = 40
    /// The distance from its limits at which a new plant begins, percent: its sensor is not exact.
    private static let margin = 6.0
    /// The time that it is to stay there, milliseconds.
    private static let settled: Int64 = 6 * 3_600_000

    /// A seed by which a new virtual plant is well when somebody meets it: not dry, and not just watered too much.
    static func freshSeed(
        _ art: PlantArt, limits: MoistureLimits, from start: Int64, to now: Int64, utcOffset: Int64,
        seeds: () -> Int64 = { Int64.random(in: 1...1_000_000) }
    ) -> Int64 {
        // Where the owner's limits are too narrow for a margin, the middle of them is the best that there is.
        let middle = (limits.low + limits.high) / 2
        let margin = min(margin, (limits.high - limits.low) / 4)
        var best = (seed: Int64(1), miss: Double.infinity)
        for _ in 0..<tries {
            let seed = seeds()
            var life = VirtualLife(
                VirtualPlantRecord(
                    device: "", household: "", seed: seed, art: art, startedAt: start, caredUntil: now,
                    troubledUntil: now), pours: [], utcOffset: utcOffset)
            _ = life.live(to: now)
            let first = life.moisturePercent
            _ = life.live(to: now + settled)
            let levels = [first, life.moisturePercent]
            if levels.allSatisfy({ (limits.low + margin...limits.high - margin).contains($0) }) { return seed }
            let miss = levels.map { abs($0 - middle) }.max() ?? .infinity
            if miss < best.miss { best = (seed, miss) }
        }
        return best.seed
    }
}

extension PlantArt {
    var personality: PlantPersonality {
        switch self {
        case .fern: .fern
        case .basil: .basil
        case .monstera: .monstera
        case .chilli: .chilli
        case .lemon: .lemon
        }
    }
}

/// Numbers as sensors send them.
enum PlantNumber {
    /// A number without an exponent and without a needless fraction.
    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
