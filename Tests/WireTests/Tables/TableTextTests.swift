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

    // As Unicode's chapter 23.8 has them, with their mark.
    private static func utf32(_ text: String, isLittle: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).unicodeScalars.flatMap { scalar in
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
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
            utf32(table, isLittle: true), utf32(table, isLittle: false), windows,
        ])
    func encodings(file: [UInt8]) {
        let table = TableText(file)
        #expect(Self.string(table) == Self.table)
        #expect(table.separator == UInt8(ascii: ";"))
    }

    private static let words = "text;age\nFür den Bären, schön süß;6\n"

    // Python's codecs mac_roman, cp850, cp437 and cp1252, as Excel's “CSV (Macintosh)”, “CSV (MS-DOS)” and “CSV” write it.
    @Test(
        "Letters of the Macintosh and of DOS are known by standing within words, and signs of Windows stay signs",
        arguments: [
            ([0x9F], [0x8A], [0x9A], [0x9F, 0xA7]), ([0x81], [0x84], [0x94], [0x81, 0xE1]),
            ([0xFC], [0xE4], [0xF6], [0xFC, 0xDF]),
        ] as [([UInt8], [UInt8], [UInt8], [UInt8])])
    func oldLetters(u: [UInt8], a: [UInt8], o: [UInt8], us: [UInt8]) {
        var file = Array("text;age\nF".utf8) + u + Array("r den B".utf8) + a + Array("ren, sch".utf8) + o
        file += Array("n s".utf8) + us + Array(";6\n".utf8)
        #expect(Self.string(TableText(file)) == Self.words)
    }

    // Python: bytes.decode("mac_roman"), and "cp1252" for the last three.
    @Test(
        "A file of few letters is the Macintosh's where only that or DOS has one there, and else Windows's",
        arguments: [
            (Array("B".utf8) + [0x8A] + Array("r".utf8), "Bär"),
            (Array("caf".utf8) + [0x8E] + Array("s".utf8), "cafés"),
            (Array("rot".utf8) + [0x96] + Array("gr".utf8) + [0xFC] + Array("n".utf8), "rot–grün"),
            (Array("c".utf8) + [0x9C] + Array("ur".utf8), "cœur"),
            (Array("du".utf8) + [0x9A] + Array("an".utf8), "dušan"),
        ] as [([UInt8], String)])
    func fewLetters(file: [UInt8], text: String) { #expect(Self.string(TableText(file)) == text) }

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
            // Of awk, psql and Markdown, which have a bar.
            ("a|b|c\n1|2|3", "|"), ("a|b,c", ","), ("\"a|b\"\nc", ","),
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
        // Half of a pair, a number behind the last, and the rest of one that is cut off, in UTF-32.
        let odd: [UInt8] = [0, 0, 0xFE, 0xFF, 0, 0, 0xD8, 0, 0, 0x11, 0, 0, 0, 0, 0, 0x41, 0, 0]
        #expect(utf8Text(of: odd) == Array("\u{FFFD}\u{FFFD}A".utf8))
        #expect(utf8Text(ofUTF16: Array("plain".utf8)) == nil && utf8Text(ofUTF16: [0, 0, 0, 0]) == nil)
    }

    @Test("Any bytes are some text", arguments: 0...255)
    func anyByte(byte: Int) {
        let bytes = [UInt8(byte), 0x2C, UInt8(byte)]
        let text = TableText(bytes).bytes
        #expect(String(validating: text, as: UTF8.self) != nil)
    }
}
