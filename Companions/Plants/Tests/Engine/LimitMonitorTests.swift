import Testing

@testable import PlantsEngine

@Suite("Limits besides moisture")
struct LimitMonitorTests {
    private func bands(_ values: [Double], low: Double?, high: Double?) -> [LimitBand] {
        var monitor = LimitMonitor(limits: QuantityLimits(low: low, high: high))
        return values.enumerated().map { index, value in
            monitor.handle(value, at: Int64(index))
            return monitor.band
        }
    }

    @Test("Who was too cold is well again 5 % of the distance between the limits above the lower one")
    func hysteresis() {
        // 15 to 35: a degree.
        #expect(bands([16, 14.9, 15.5, 15.99, 16, 15.1], low: 15, high: 35) == [.ok, .low, .low, .low, .ok, .ok])
        #expect(bands([34, 35.1, 34.5, 34, 34.9], low: 15, high: 35) == [.ok, .high, .high, .ok, .ok])
    }

    @Test("With one limit alone it is 5 % of that, below zero too")
    func single() {
        #expect(bands([99, 104.9, 105], low: 100, high: nil) == [.low, .low, .ok])
        #expect(bands([-11, -10, -9.6, -9.5], low: -10, high: nil) == [.low, .low, .low, .ok])
        #expect(bands([7, 1_000], low: nil, high: nil) == [.ok, .ok])
    }

    @Test("Unknown is not well: before the first value, and when the newest is too old")
    func unknown() {
        var monitor = LimitMonitor(limits: QuantityLimits(low: 1, high: 2))
        #expect(monitor.band(now: 0, silentAfter: 100) == .unknown)
        monitor.handle(1.5, at: 1_000)
        #expect(monitor.band(now: 1_100, silentAfter: 100) == .ok)
        #expect(monitor.band(now: 1_101, silentAfter: 100) == .unknown)
    }

    @Test("A value that is older than the newest, or no number, changes nothing")
    func late() {
        var monitor = LimitMonitor(limits: QuantityLimits(low: 1, high: 2))
        monitor.handle(1.5, at: 1_000)
        monitor.handle(9, at: 999)
        monitor.handle(.nan, at: 1_001)
        monitor.handle(.infinity, at: 1_002)
        #expect(monitor.band == .ok && monitor.at == 1_000)
    }

    @Test(
        "Limits that no plant can have are refused, and so are those the wrong way round",
        arguments: [
            (LimitedQuantity.temperature, -20.5, nil, PlantRules.Failure.limitOutOfRange),
            (.temperature, 10, 51, .limitOutOfRange), (.temperature, 20, 20, .limitsTooClose),
            (.temperature, .nan, nil, .limitOutOfRange), (.light, -1, nil, .limitOutOfRange),
            (.light, nil, 150_001, .limitOutOfRange), (.dailyLight, 1, 66, .limitOutOfRange),
            (.conductivity, 2_000, 300, .limitsTooClose), (.conductivity, nil, .infinity, .limitOutOfRange),
        ] as [(LimitedQuantity, Double?, Double?, PlantRules.Failure)])
    func refused(quantity: LimitedQuantity, low: Double?, high: Double?, failure: PlantRules.Failure) {
        #expect(throws: failure) { try PlantRules.check(quantity, low: low, high: high) }
    }
}
