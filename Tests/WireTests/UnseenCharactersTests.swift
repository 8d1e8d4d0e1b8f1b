import Foundation
import TestInstruments
import Testing

@testable import Wire

@Suite("Characters that nobody sees")
struct UnseenCharactersTests {
    private static func removed(_ text: String) -> String {
        String(decoding: UnseenCharacters.removed(from: Array(text.utf8)), as: UTF8.self)
    }

    private static func removed(json: String, keepingControls: Bool = false) -> String {
        String(
            decoding: UnseenCharacters.removed(fromJSON: Array(json.utf8), keepingControls: keepingControls),
            as: UTF8.self)
    }

    // PropList.txt of Unicode 16, Bidi_Control: 061C, 200E..200F, 202A..202E, 2066..2069.
    @Test("They are the twelve that turn a text’s direction, and the controls without tab and line ends")
    func sets() {
        let directions = (0...0x10FFFF as ClosedRange<UInt32>).filter { UnseenCharacters.isDirection($0) }
        #expect(
            directions == [
                0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069,
            ])
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = scalar.properties.generalCategory == .control && ![0x09, 0x0A, 0x0D].contains(value)
            #expect(UnseenCharacters.isControl(value) == isControl)
            // DerivedCoreProperties.txt, as Swift's library has it: nothing of it is seen by itself.
            guard scalar.properties.isDefaultIgnorableCodePoint else { continue }
            #expect(
                UnseenCharacters.isDirection(value) || UnseenCharacters.isWithoutWidth(value)
                    || UnseenCharacters.isNothingAlone(value), "\(String(value, radix: 16))")
        }
    }

    @Test(
        "A text comes without them, and with all else as it was",
        arguments: [
            ("Mila", "Mila"), ("Mi\u{0}la", "Mila"), ("\u{202E}aliM\u{202C}", "aliM"), ("a\u{61C}b\u{200F}c", "abc"),
            ("\u{2066}x\u{2069}\u{85}\u{9F}\u{7F}", "x"), ("two\nlines\tand\r\nmore", "two\nlines\tand\r\nmore"),
            (
                "\u{1F469}\u{200D}\u{1F373} می\u{200C}خواهم Ünder “é”",
                "\u{1F469}\u{200D}\u{1F373} می\u{200C}خواهم Ünder “é”"
            ),
            ("Mi\u{200B}la\u{FEFF}", "Mila"), ("\u{2060}a\u{2064}b", "ab"), ("\u{1B}[31mred", "[31mred"), ("", ""),
            ("Mi\u{AD}la\u{180E}\u{34F}", "Mila"), ("\u{3164}\u{2800}\u{E0001}", ""), ("❤\u{FE0F}", "❤\u{FE0F}"),
            ("\u{2028}\u{E2}\u{C2}\u{D8}", "\u{2028}\u{E2}\u{C2}\u{D8}"),
        ])
    func text(text: String, expected: String) {
        #expect(Self.removed(text) == expected)
    }

    @Test(
        "Bytes that are no UTF-8 stay",
        arguments: [[0xE2], [0xE2, 0x80], [0xC2], [0xD8, 0x41], [0xE2, 0x80, 0xFF], [0xFF]])
    func noText(bytes: [UInt8]) {
        #expect(UnseenCharacters.removed(from: bytes) == bytes)
    }

    @Test(
        "Strings of JSON come without them, escaped or not, in names too",
        arguments: [
            (#"{"name":"Mi\u0000la"}"#, #"{"name":"Mila"}"#),
            (#"{"a":"\u202ex","b":["\u2066\u2069y"]}"#, #"{"a":"x","b":["y"]}"#),
            ("{\"a\":\"\u{202E}x\u{7F}\"}", #"{"a":"x"}"#),
            (#"{"a":"\b\f\n\t\r\u001b\u000A"}"#, #"{"a":"\n\t\r\u000A"}"#),
            (#"{"a\u200f":"\ud83d\ude00\u061Cé\\u0000\"\/"}"#, #"{"a":"\ud83d\ude00é\\u0000\"\/"}"#),
            (#"{"name":"Mi\u200b\uFEFFla"}"#, #"{"name":"Mila"}"#),
            (#"[1,true,null,"\u00e9"]"#, #"[1,true,null,"\u00e9"]"#), ("", ""),
        ])
    func json(json: String, expected: String) {
        #expect(Self.removed(json: json) == expected)
    }

    @Test("Passwords stay as somebody chose them, and other members after them do not")
    func passwords() {
        let json =
            #"{"password":"a\u0000b","name":"a\u0000b","newPassword" : "\u202e","oldPASSWORD":"\u0007","x":"\u0007"}"#
        #expect(
            Self.removed(json: json)
                == #"{"password":"a\u0000b","name":"ab","newPassword" : "\u202e","oldPASSWORD":"\u0007","x":""}"#)
    }

    @Test("Controls stay for whoever refuses them in words of their own, and directions go")
    func controls() {
        #expect(
            Self.removed(json: #"{"note":"a\u0007\u202eb"}"#, keepingControls: true) == #"{"note":"a\u0007b"}"#)
    }

    @Test("Bytes that are no UTF-8 come back as they are, so that nothing is put together by what goes")
    func putTogether() {
        let json: [UInt8] = [0x22, 0xE2] + Array("\\u0000".utf8) + [0x80, 0xAE, 0x22]
        #expect(UnseenCharacters.removed(fromJSON: json) == json)
    }

    @Test("What is no JSON stays none: a control as it is in a string, a string without end, half an escape")
    func noJSON() throws {
        for json in [
            "{\"a\":\"\u{0}\"}", "{\"a\":\"", "\"\\", "{\"a\":\"\\u20", "{\"a\":\"\\uzzzz\"}", "\"\\u0000",
            "\"\\u20\\u00002e\"", "\"\\u\\u0000202e\"", "\"\\\u{202E}u202e\"", "\"\\x\"",
        ] {
            let cleaned = Self.removed(json: json)
            #expect((try? JSONSerialization.jsonObject(with: Data(cleaned.utf8), options: .fragmentsAllowed)) == nil)
        }
    }

    @Test("Whatever bytes come, nothing traps and nothing grows")
    func anything() {
        let parts: [[UInt8]] = [
            Array("\"".utf8), Array("\\".utf8), Array("\\u202e".utf8), Array("\\u0000".utf8), [0xE2, 0x80, 0xAE],
            [0xC2, 0x85],
            [0xD8, 0x9C], Array("{}[]:,".utf8), Array("password".utf8), [0xE2], [0x00], [0xFF], Array("é😀".utf8),
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                parts.randomElement(using: &random) ?? []
            }
            let text = UnseenCharacters.removed(from: bytes)
            let json = UnseenCharacters.removed(fromJSON: bytes)
            #expect(text.count <= bytes.count && json.count <= bytes.count)
            let string = try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) as? String
            #expect(string?.unicodeScalars.contains { UnseenCharacters.isDirection($0.value) } != true)
        }
    }
}
