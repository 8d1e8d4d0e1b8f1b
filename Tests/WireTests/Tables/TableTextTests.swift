import Testing
import Wire

@Suite("Tables as spreadsheets and apps write them")
struct TableTextTests {
    private static func string(_ table: TableText) -> String { String(decoding: table.bytes, as: UTF8.self) }
    private static let table = "name;µ\r\nIgel – Bär;1,5\r\n"

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap {
            isLittle
                ? [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }
    }

    // "name;µ\r\nIgel – Bär;1,5\r\n".encode("cp1252") of Python.
    private static let windows: [UInt8] =
        Array("name;".utf8) + [0xB5, 0x0D, 0x0A] + Array("Igel ".utf8) + [0x96] + Array(" B".utf8) + [0xE4]
        + Array("r;1,5\r\n".utf8)

    @Test(
        "Every encoding that they write is read",
        arguments: [
            Array(table.utf8), [0xEF, 0xBB, 0xBF] + Array(table.utf8), utf16("\u{FEFF}" + table, isLittle: true),
            utf16("\u{FEFF}" + table, isLittle: false), utf16(table, isLittle: true), utf16(table, isLittle: false),
            windows,
        ])
    func encodings(file: [UInt8]) {
        let table = TableText(file)
        #expect(Self.string(table) == Self.table)
        #expect(table.separator == UInt8(ascii: ";"))
    }

    @Test(
        "A line that names the separator is believed, and is no part of the table",
        arguments: [
            ("sep=;\r\na,b;c\n", ";", "a,b;c\n"), ("SEP=,\na;b,c", ",", "a;b,c"), ("sep=\t\ra,b\tc", "\t", "a,b\tc"),
            ("\"sep=;\"\r\na;b", ";", "a;b"), ("sep=;;;\r\na;b", ";", "a;b"), ("\u{FEFF}sep=|\na|b", "|", "a|b"),
            ("sep=;", ";", ""),
        ])
    func declared(file: String, separator: String, rest: String) {
        let table = TableText(Array(file.utf8))
        #expect(Self.string(table) == rest && table.separator == separator.utf8.first)
    }

    @Test(
        "Else it is what comes most often in the first line, outside of quotes",
        arguments: [
            ("a,b,c\n1;2", ","), ("a;b;c\n1,2,3,4,5", ";"), ("a\tb\n1,2,3", "\t"), ("\"a,b,c,d\";b\n", ";"),
            ("a\rb,c", ","),
            ("", ","), ("separate=1,b", ","), ("sep=ab\nc;d", ","), ("a;b,c;d", ";"),
        ])
    func usual(file: String, separator: String) {
        #expect(TableText(Array(file.utf8)).separator == separator.utf8.first)
    }

    @Test("A pair of UTF-16 is one sign, and half of one is U+FFFD; an odd byte at the end is nothing")
    func pairs() {
        #expect(
            utf8Text(ofUTF16: Self.utf16("\u{FEFF}a🥁", isLittle: true) + [0x41]).map {
                String(decoding: $0, as: UTF8.self)
            } == "a🥁")
        #expect(utf8Text(ofUTF16: [0xFF, 0xFE, 0x41, 0, 0x3E, 0xD8]) == Array("A\u{FFFD}".utf8))
        #expect(utf8Text(ofUTF16: [0xFF, 0xFE, 0x3E, 0xDC, 0x41, 0]) == Array("\u{FFFD}A".utf8))
        #expect(utf8Text(ofUTF16: Array("plain".utf8)) == nil && utf8Text(ofUTF16: [0, 0, 0, 0]) == nil)
    }

    @Test("Any bytes are some text", arguments: 0...255)
    func anyByte(byte: Int) {
        let bytes = [UInt8(byte), 0x2C, UInt8(byte)]
        let text = TableText(bytes).bytes
        #expect(String(validating: text, as: UTF8.self) != nil)
    }
}
