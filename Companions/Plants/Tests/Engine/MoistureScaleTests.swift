import PlantsEngine
import Testing

@Suite("What a probe's raw values mean")
struct MoistureScaleTests {
    private func scale(_ dry: Double, _ wet: Double) throws(MoistureScale.Failure) -> MoistureScale {
        try MoistureScale(dry: dry, wet: wet, usual: .seesaw, plausible: 0...4_095)
    }

    @Test(
        "Dry is nothing, wet is all, and between is straight, whether a probe counts up or down",
        arguments: [(320.0, 820.0), (2_900, 1_300), (0, 4_095)])
    func straight(dry: Double, wet: Double) throws {
        let scale = try scale(dry, wet)
        #expect(scale.percent(raw: dry) == 0)
        #expect(scale.percent(raw: wet) == 100)
        #expect(scale.percent(raw: (dry + wet) / 2) == 50)
        // Drier than air and wetter than water is still dry and wet.
        #expect(scale.percent(raw: dry - (wet - dry)) == 0)
        #expect(scale.percent(raw: wet + (wet - dry)) == 100)
        #expect(scale.raw(percent: scale.percent(raw: (dry + wet) / 2)) == (dry + wet) / 2)
    }

    @Test("A tenth of the usual span is enough, and a little less is not", arguments: [1.0, -1])
    func near(direction: Double) throws {
        #expect(throws: Never.self) { try scale(500, 500 + 70 * direction) }
        #expect(throws: MoistureScale.Failure.tooNear) { try scale(500, 500 + 69.9 * direction) }
        #expect(throws: MoistureScale.Failure.tooNear) { try scale(500, 500) }
    }

    @Test(
        "What no probe says makes no scale",
        arguments: [(-1.0, 500.0), (300, 4_096), (.nan, 500), (300, .infinity)])
    func implausible(dry: Double, wet: Double) {
        #expect(throws: MoistureScale.Failure.outOfRange) { try scale(dry, wet) }
    }
}
