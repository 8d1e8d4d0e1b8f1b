import PlantsEngine
import Testing

@Suite("Light, air and pace")
struct AtmosphereTests {
    @Test(
        "The vapour pressure deficit agrees with FAO 56, table 2.3, in dry air",
        arguments: [(1.0, 0.657), (10, 1.228), (20, 2.338), (25, 3.168), (30, 4.243)])
    func saturation(celsius: Double, kilopascals: Double) {
        let deficit = vapourPressureDeficit(celsius: celsius, humidityPercent: 0)
        #expect((deficit - kilopascals).magnitude < 0.001)
    }

    @Test("Humid air pulls less, saturated air not at all, and humidity beyond its range is held in it")
    func humidity() {
        let dry = vapourPressureDeficit(celsius: 25, humidityPercent: 0)
        #expect((vapourPressureDeficit(celsius: 25, humidityPercent: 60) - dry * 0.4).magnitude < 1e-12)
        #expect(vapourPressureDeficit(celsius: 25, humidityPercent: 100) == 0)
        #expect(vapourPressureDeficit(celsius: 25, humidityPercent: 140) == 0)
        #expect(vapourPressureDeficit(celsius: 25, humidityPercent: -10) == dry)
    }

    @Test("Ten thousand lux for twelve hours are eight mol a square metre")
    func steadyLight() {
        var light = DailyLight()
        for index in 0...72 { light.handle(lux: 10_000, at: Int64(index) * 600_000) }
        // 10000 lx * 0.0185 * 43200 s / 10^6
        #expect((light.molPerSquareMetre - 7.992).magnitude < 1e-9)
        #expect(light.covered == 12 * 3_600_000)
    }

    @Test("A gap adds nothing, and is not taken for darkness")
    func gap() {
        var light = DailyLight(longestGap: 3_600_000)
        light.handle(lux: 10_000, at: 0)
        light.handle(lux: 10_000, at: 1_800_000)
        light.handle(lux: 10_000, at: 9_000_000)
        light.handle(lux: 10_000, at: 10_800_000)
        #expect(light.covered == 3_600_000)
        #expect((light.molPerSquareMetre - 0.666).magnitude < 1e-9)
    }

    @Test("No day has more than 65 mol, and readings out of order count once")
    func limits() {
        var light = DailyLight()
        for index in 0...144 { light.handle(lux: 200_000, at: Int64(index) * 600_000) }
        #expect(light.molPerSquareMetre == 65)
        var disordered = DailyLight()
        disordered.handle(lux: 100, at: 1_000_000)
        disordered.handle(lux: 100, at: 500_000)
        disordered.handle(lux: 100, at: 1_000_000)
        #expect(disordered.covered == 0)
    }

    @Test("A series is silent after five of its usual intervals, and never within half an hour")
    func staleness() {
        let tenMinutes = (0..<20).map { Int64($0) * 600_000 }
        #expect(Staleness.silentAfter(times: tenMinutes) == 3_000_000)
        #expect(Staleness.silentAfter(times: (0..<20).map { Int64($0) * 10_000 }) == 1_800_000)
        #expect(Staleness.silentAfter(times: tenMinutes.shuffled() + tenMinutes) == 3_000_000)
        // One long gap does not change what is usual.
        #expect(Staleness.silentAfter(times: tenMinutes + [900_000_000]) == 3_000_000)
        #expect(Staleness.silentAfter(times: []) == 7_200_000)
        #expect(Staleness.silentAfter(times: [1, 2, 3]) == 7_200_000)
    }
}
