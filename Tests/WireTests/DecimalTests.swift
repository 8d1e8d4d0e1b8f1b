import TestInstruments
import Testing
import Wire

/// A number of the text, by the module under test.
private func parsed(_ text: String) -> Double? {
    decimal(Array(text.utf8).span)
}

@Suite("Decimal text")
struct DecimalTests {
    @Test(
        "What a sensor sends is read exactly",
        arguments: [
            "0", "-0", "41.5", "-21.50", "+3", ".5", "5.", "0.1", "0.3", "1795220639132", "999999999999999",
            "0.000000000000001", "123456.789012345", "1e3", "1E-3", "6.02e23", "4.35", "2.675", "1e22",
            "9007199254740991",
        ])
    func exact(text: String) throws {
        let expected = try #require(Double(text.hasPrefix("+") ? String(text.dropFirst()) : text))
        #expect(parsed(text)?.bitPattern == expected.bitPattern)
    }

    @Test(
        "What is no plain decimal number is none",
        arguments: [
            "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "nan", "inf", "-Infinity", "0x10",
            "1_000", "--1", "1-", "١",
        ])
    func refused(text: String) {
        #expect(parsed(text) == nil)
    }

    @Test("A number too large is none, one too small is zero")
    func range() {
        #expect(parsed("1e309") == nil)
        #expect(parsed("1e999999999999999999999") == nil)
        #expect(parsed("1" + String(repeating: "0", count: 400)) == nil)
        #expect(parsed("1e-999999999999999999999") == 0)
        #expect(parsed("0e999999999") == 0)
        #expect(parsed("0." + String(repeating: "0", count: 4_000) + "1") == 0)
    }

    @Test("Up to fifteen digits every number is read exactly", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func property(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let digits = Int.random(in: 1...15, using: &random)
            var text = Bool.random(using: &random) ? "-" : ""
            let point = Int.random(in: 0...digits, using: &random)
            for place in 0..<digits {
                if place == point { text += "." }
                text += "\(Int.random(in: 0...9, using: &random))"
            }
            #expect(parsed(text)?.bitPattern == Double(text.replacingLeadingPoint)?.bitPattern, "\(text)")
        }
    }

    @Test("Beyond fifteen digits a number is at most a few units in the last place away")
    func long() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<5_000 {
            var text = "1"
            for _ in 0..<Int.random(in: 15...60, using: &random) { text += "\(Int.random(in: 0...9, using: &random))" }
            text += "e\(Int.random(in: -250...200, using: &random))"
            let expected = try #require(Double(text))
            let value = try #require(parsed(text))
            #expect((value - expected).magnitude <= 8 * expected.ulp, "\(text)")
        }
    }

    @Test("Whole and fixed-point numbers are read without rounding anything")
    func fixed() {
        func fixed(_ text: String, _ places: Int) -> Int64? { fixedPoint(Array(text.utf8).span, places: places) }
        #expect(fixed("41.5", 2) == 4_150)
        #expect(fixed("-41.505", 2) == nil)
        #expect(fixed("-41.500", 2) == -4_150)
        #expect(fixed("9223372036854775807", 0) == .max)
        #expect(fixed("-9223372036854775808", 0) == .min)
        #expect(fixed("9223372036854775808", 0) == nil)
        #expect(fixed("922337203685477580.8", 1) == nil)
        #expect(fixed("5", 18) == 5_000_000_000_000_000_000)
        #expect(fixed("", 0) == nil)
        #expect(fixed("-", 0) == nil)
        #expect(fixed("1e3", 0) == nil)
        #expect(integer(Array("-17".utf8).span) == -17)
    }
}

extension String {
    /// Swift's own reader wants a digit before the point and one after it.
    fileprivate var replacingLeadingPoint: String {
        var text = self
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
        return text
    }
}
