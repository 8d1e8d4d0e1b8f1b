import Testing
import Wire

@Suite("Names of columns as they were meant")
struct ColumnNameTests {
    // U+FEFF is EF BB BF (RFC 3629, 6). Python: those bytes are "ï»¿" in cp1252, "´╗┐" in cp850 and "Ôªø" in mac_roman.
    @Test(
        "What nobody sees is no part of a name",
        arguments: [
            "text", " text ", "\u{FEFF}text", "\u{FEFF}\u{FEFF}text", "ï»¿text", "ï»¿\u{FEFF}ï»¿text",
            "\"\u{FEFF}text\"",
            "´╗┐text", "Ôªøtext", "te\u{200B}xt", "\u{200C}text\u{200D}", "te\u{AD}xt", "\u{A0}text\u{3000}",
            "\u{202E}text", "text\u{0}",
        ])
    func unseen(name: String) { #expect(columnName(Array(name.utf8)) == Array("text".utf8)) }

    @Test("What is seen stays", arguments: ["", "µ", "ï»", "m/s²", "a\" b", "\"\"", "1 000"])
    func seen(name: String) { #expect(columnName(Array(name.utf8)) == Array(name.utf8)) }

    @Test(
        "A text begins behind each of its byte order marks, and in quotes where it has them",
        arguments: [
            [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], Array("ï»¿".utf8), Array("\u{FEFF}ï»¿\u{FEFF}".utf8),
            Array("\u{200B}".utf8),
        ])
    func marks(mark: [UInt8]) {
        let table = TableText(mark + Array("\"a;b\";c\n".utf8))
        #expect(table.bytes == Array("\"a;b\";c\n".utf8) && table.separator == UInt8(ascii: ";"))
        #expect(TableText(mark + Array("sep=|\na|b".utf8)).bytes == Array("a|b".utf8))
    }

    // Python: "für".encode("cp1252").
    @Test("A mark before another encoding than it says hides nothing")
    func wrongMark() {
        let file: [UInt8] = [0xEF, 0xBB, 0xBF, 0x66, 0xFC, 0x72]
        #expect(utf8Text(of: file) == Array("für".utf8))
    }

    @Test("Any bytes are some name", arguments: UInt8.min...UInt8.max)
    func anyByte(byte: UInt8) {
        for bytes in [[byte], [byte, byte], [0xEF, 0xBB, byte], [0x22, byte, 0x22], [0xE2, 0x80, byte, 0x20]] {
            #expect(columnName(bytes).count <= bytes.count)
        }
    }
}
