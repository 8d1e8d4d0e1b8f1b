import Foundation
import TestInstruments
import Testing
import Wire

@Suite("JSON from bytes")
struct JSONReaderTests {
    /// The tokens as text, or what is wrong.
    private func tokens(_ text: String, depthLimit: Int = 16, sizeLimit: Int = 1_000) -> String {
        tokens(Array(text.utf8), depthLimit: depthLimit, sizeLimit: sizeLimit)
    }

    private func tokens(_ bytes: [UInt8], depthLimit: Int = 16, sizeLimit: Int = 1 << 20) -> String {
        var reader = JSONReader(depthLimit: depthLimit, sizeLimit: sizeLimit)
        var out: [String] = []
        func text(_ range: Range<Int>) -> String {
            String(decoding: JSONReader.unescaped(range, in: bytes.span), as: UTF8.self)
        }
        do throws(JSONError) {
            while true {
                switch try reader.next(in: bytes.span) {
                case .objectStart: out.append("{")
                case .objectEnd: out.append("}")
                case .arrayStart: out.append("[")
                case .arrayEnd: out.append("]")
                case .key(let range): out.append("key(\(text(range)))")
                case .string(let range): out.append("string(\(text(range)))")
                case .number(let range): out.append(text(range))
                case .bool(let value): out.append("\(value)")
                case .null: out.append("null")
                case .end: return out.joined(separator: " ")
                }
            }
        } catch {
            return "\(error.kind) at \(error.offset)"
        }
    }

    @Test(
        "Well-formed text gives its tokens",
        arguments: [
            ("41.5", "41.5"), (" null ", "null"), ("[]", "[ ]"), ("{}", "{ }"), ("[[],{}]", "[ [ ] { } ]"),
            ("{\"value\": 41.5, \"at\":1}", "{ key(value) 41.5 key(at) 1 }"),
            ("[true,false,null]", "[ true false null ]"),
            ("[0,-0,1e5,1E-5,-1.25e+2]", "[ 0 -0 1e5 1E-5 -1.25e+2 ]"), ("\"\"", "string()"),
            (#""\"\\\/\b\f\n\r\t""#, "string(\"\\/\u{8}\u{C}\n\r\t)"), (#""\u00e9\ud83c\udf31""#, "string(é🌱)"),
            (#""\ud83c""#, "string(\u{FFFD})"), (#""\ud83cx""#, "string(\u{FFFD}x)"),
            (#""\udf31\ud83c""#, "string(\u{FFFD}\u{FFFD})"),
            ("\"é🌱\"", "string(é🌱)"), ("{\"a\":{\"b\":[1]},\"a\":2}", "{ key(a) { key(b) [ 1 ] } key(a) 2 }"),
        ])
    func wellFormed(text: String, expected: String) {
        #expect(tokens(text) == expected)
    }

    @Test(
        "Anything else is refused, with the place",
        arguments: [
            ("", "unexpectedEnd at 0"), ("  ", "unexpectedEnd at 2"), ("nul", "unexpectedByte at 0"),
            ("1 2", "unexpectedByte at 2"),
            ("[1", "unexpectedEnd at 2"), ("[1,]", "unexpectedByte at 3"), ("[,1]", "unexpectedByte at 1"),
            ("{\"a\"}", "unexpectedByte at 4"),
            ("{\"a\":}", "unexpectedByte at 5"), ("{\"a\":1,}", "unexpectedByte at 7"),
            ("{a:1}", "unexpectedByte at 1"),
            ("{1:2}", "unexpectedByte at 1"), ("[1}", "unexpectedByte at 2"), ("{\"a\":1]", "unexpectedByte at 6"),
            ("]", "unexpectedByte at 0"),
            ("01", "badNumber at 0"), ("-", "badNumber at 0"), ("1.", "badNumber at 0"), ("1e", "badNumber at 0"),
            (".5", "unexpectedByte at 0"),
            ("+1", "unexpectedByte at 0"), ("NaN", "unexpectedByte at 0"), ("\"a", "unexpectedEnd at 2"),
            (#""\x""#, "badString at 2"),
            (#""\u12"#, "unexpectedEnd at 5"), (#""\u12g4""#, "badString at 5"), ("\"\n\"", "badString at 1"),
            ("'a'", "unexpectedByte at 0"),
            ("[1 2]", "unexpectedByte at 3"), ("{\"a\" 1}", "unexpectedByte at 5"),
            ("{\"a\":1 \"b\":2}", "unexpectedByte at 7"), ("// x", "unexpectedByte at 0"),
        ])
    func malformed(text: String, expected: String) {
        #expect(tokens(text) == expected)
    }

    @Test("Strings that are no UTF-8 are refused")
    func notUTF8() {
        #expect(tokens([0x22, 0xFF, 0x22]) == "notUTF8 at 1")
        #expect(tokens([0x22, 0xED, 0xA0, 0x80, 0x22]) == "notUTF8 at 1")
    }

    @Test("Depth and size have limits")
    func limits() {
        #expect(tokens("[[[]]]", depthLimit: 3) == "[ [ [ ] ] ]")
        #expect(tokens("[[[[]]]]", depthLimit: 3) == "tooDeep at 3")
        #expect(tokens(String(repeating: "[", count: 900), depthLimit: 1_000) == "tooDeep at 64")
        #expect(tokens("[1,2]", sizeLimit: 5) == "[ 1 2 ]")
        #expect(tokens("[1,2] ", sizeLimit: 5) == "tooLarge at 5")
    }

    @Test("A value is skipped whole")
    func skipping() throws {
        let bytes = Array(#"{"skip":[1,{"a":[]},"]"],"keep":7}"#.utf8)
        var reader = JSONReader()
        var token = try reader.next(in: bytes.span)
        token = try reader.next(in: bytes.span)
        token = try reader.next(in: bytes.span)
        try reader.skipValue(after: token, in: bytes.span)
        token = try reader.next(in: bytes.span)
        #expect(token == .key(26..<30))
        token = try reader.next(in: bytes.span)
        try reader.skipValue(after: token, in: bytes.span)
        #expect(token == .number(32..<33))
        #expect(try reader.next(in: bytes.span) == .objectEnd)
        #expect(try reader.next(in: bytes.span) == .end)
        #expect(try reader.next(in: bytes.span) == .end)
    }

    @Test(
        "Random text never traps, and what is accepted Foundation accepts too",
        arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func fuzz(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"a\"", "\"\\n\"", "\"\\u00e9\"", "1", "-2.5e-3", "true", "null", " ", "\"",
            "\\", "0", "é", "x",
        ]
        var accepted = 0
        for round in 0..<30_000 {
            var text = ""
            if round % 2 == 0 {
                for _ in 0..<Int.random(in: 0...9, using: &random) {
                    text += pieces.randomElement(using: &random) ?? ""
                }
            } else {
                text = "{\"a\":[1,{\"b\":\"c\"},null],\"d\":-2.5}"
                let place = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
                text.replaceSubrange(place...place, with: pieces.randomElement(using: &random) ?? "")
            }
            let result = tokens(text)
            guard !result.contains(" at ") else { continue }
            accepted += 1
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(object != nil, "\(text)")
        }
        #expect(accepted > 500)
    }
}
