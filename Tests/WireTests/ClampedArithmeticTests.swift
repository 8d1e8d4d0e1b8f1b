import Testing
import Wire

@Suite("Sums that never trap")
struct ClampedArithmeticTests {
    @Test("What fits is as it is")
    func fits() {
        #expect(Int64(3).plusClamped(-5) == -2)
        #expect(Int64(3).minusClamped(-5) == 8)
        #expect(Int64(3).timesClamped(-5) == -15)
    }

    @Test("What does not is the nearest there is")
    func clamped() {
        #expect(Int64.max.plusClamped(1) == .max)
        #expect(Int64.min.plusClamped(-1) == .min)
        #expect(Int64.min.minusClamped(1) == .min)
        #expect(Int64(0).minusClamped(.min) == .max)
        #expect(Int64.max.timesClamped(2) == .max)
        #expect(Int64.max.timesClamped(-2) == .min)
        #expect(Int64.min.timesClamped(-1) == .max)
    }
}
