import HubKit

/// The troubles of a sensor and of its way to the hub, in the ways in which real ones fail.
struct SimulatedTrouble: Sendable {
    /// The state of trouble at a moment.
    struct Moment: Sendable {
        /// Whether nothing arrives at the hub: no radio, or no power.
        var isOffline = false
        /// The bus to the probe does not answer.
        var isDisconnected = false
        /// The probe keeps saying what it said first.
        var isStuck = false
        /// The probe lies in the air.
        var isOutside = false
        /// The error of one reading that is plainly wrong, percent to add.
        var error = 0.0
    }

    /// The battery's charge, percent.
    private(set) var battery: Double

    private var random: SeededRandom
    private let drainPerDay: Double
    private var offlineUntil = Int64.min
    private var disconnectedUntil = Int64.min
    private var stuckUntil = Int64.min
    private var outsideUntil = Int64.min

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, stream: 3)
        battery = random.between(60, 100)
        drainPerDay = random.between(0.5, 1.1)
    }

    /// The troubles at `at`, after a step of `hours`.
    mutating func step(at: Int64, hours: Double) -> Moment {
        battery -= drainPerDay * hours / 24
        // Somebody changes it, sooner or later.
        if battery < 8, random.once(every: 48 / hours) || battery <= 0.5 { battery = 100 }
        let stepsADay = 24 / hours
        Self.begin(&random, &offlineUntil, at, every: 14 * stepsADay, from: 1, to: 22)
        Self.begin(&random, &disconnectedUntil, at, every: 30 * stepsADay, from: 0.5, to: 6)
        Self.begin(&random, &stuckUntil, at, every: 40 * stepsADay, from: 2, to: 9)
        Self.begin(&random, &outsideUntil, at, every: 45 * stepsADay, from: 0.4, to: 2.5)
        var moment = Moment()
        moment.isOffline = at < offlineUntil
        moment.isDisconnected = at < disconnectedUntil
        moment.isStuck = at < stuckUntil
        moment.isOutside = at < outsideUntil
        let wrong = random.between(-45, 45)
        if random.once(every: 9 * stepsADay) { moment.error = wrong }
        return moment
    }

    private static func begin(
        _ random: inout SeededRandom, _ until: inout Int64, _ at: Int64, every: Double, from: Double, to: Double
    ) {
        let length = random.between(from, to)
        if random.once(every: every), at >= until { until = at + Int64(length * 3_600_000) }
    }
}
