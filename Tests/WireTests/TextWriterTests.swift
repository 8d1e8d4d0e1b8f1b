import TestInstruments
import Testing
import Wire

@Suite("Text as bytes")
struct TextWriterTests {
    private func written(_ write: (inout TextWriter) -> Void) -> String {
        var text = TextWriter()
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("Whole numbers", arguments: [0, 7, -7, 10, 1_795_220_639_132, .max, .min] as [Int64])
    func integers(value: Int64) {
        #expect(written { $0.write(value) } == "\(value)")
    }

    @Test(
        "Fixed-point numbers",
        arguments: [
            (4_150, 2, false, "41.50"), (4_150, 2, true, "41.5"), (4_100, 2, true, "41"), (5, 2, false, "0.05"),
            (-5, 2, false, "-0.05"), (0, 3, false, "0.000"), (0, 3, true, "0"),
            (.min, 1, false, "-922337203685477580.8"),
        ] as [(Int64, Int, Bool, String)])
    func fixedPoint(value: Int64, places: Int, trimming: Bool, expected: String) {
        #expect(written { $0.write(fixedPoint: value, places: places, trimmingZeros: trimming) } == expected)
    }

    @Test(
        "Decimal numbers are rounded to their places, without trailing zeros",
        arguments: [
            (41.5, 1, "41.5"), (41.0, 1, "41"), (-0.04, 1, "0"), (0.05, 1, "0.1"), (-2.5, 0, "-3"),
            (1e15, 3, "1000000000000000"),
            (0.1, 9, "0.1"), (1.0 / 3, 4, "0.3333"),
        ])
    func decimals(value: Double, places: Int, expected: String) {
        #expect(written { $0.write(decimal: value, places: places) } == expected)
    }

    @Test("What is not finite, or too large, writes nothing", arguments: [Double.nan, .infinity, -.infinity, 1e19])
    func notWritable(value: Double) {
        var text = TextWriter()
        let isWritten = text.write(decimal: value, places: 3)
        #expect(!isWritten)
        #expect(text.bytes.isEmpty)
    }

    @Test("JSON strings are escaped as RFC 8259, section 7, demands")
    func json() {
        let text = Array("a\"b\\c/\u{8}\t\n\u{C}\r\u{1}é🌱".utf8)
        #expect(written { $0.write(jsonString: text.span) } == #""a\"b\\c/\b\t\n\f\r\u0001é🌱""#)
        #expect(
            written { $0.write(jsonString: text.span, asciiOnly: true) }
                == #""a\"b\\c/\b\t\n\f\r\u0001\u00e9\ud83c\udf31""#)
    }

    @Test(
        "Broken UTF-8 becomes replacement characters",
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func brokenUTF8(bytes: [UInt8]) {
        let text = written { $0.write(jsonString: bytes.span) }
        #expect(text == "\"" + String(repeating: "\u{FFFD}", count: bytes.count) + "\"")
        let isText = isUTF8(bytes.span)
        #expect(!isText)
    }

    @Test("UTF-8 is judged as the standard library judges it")
    func utf8() {
        var random = SeededGenerator(seed: 4)
        let pieces: [[UInt8]] = [
            [0x41], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x8C, 0xB1], [0x80], [0xED], [0xF4, 0x8F],
        ]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...5, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            let judged = isUTF8(bytes.span)
            let valid = String(validating: bytes, as: UTF8.self)
            #expect(judged == (valid != nil), "\(bytes)")
            if let valid {
                let count = scalarCount(bytes.span)
                #expect(count == valid.unicodeScalars.count)
            }
        }
    }
}
