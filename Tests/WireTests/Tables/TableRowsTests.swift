import TestInstruments
import Testing
import Wire

@Suite("Rows and cells of tables")
struct TableRowsTests {
    private func rows(_ file: String) -> [(number: Int, cells: [String], isOpen: Bool)] {
        let table = TableText(Array(file.utf8))
        var rows = TableRows(table)
        var found: [(number: Int, cells: [String], isOpen: Bool)] = []
        while let row = rows.next(in: table.bytes.span) {
            if row.isEmpty { continue }
            let cells = row.cells.map {
                String(decoding: TableRows.content(of: $0, in: table.bytes.span), as: UTF8.self)
            }
            found.append((row.number, cells, row.isOpen))
        }
        return found
    }

    // RFC 4180, section 2, and what spreadsheets do beyond it.
    @Test(
        "Cells are what they were before they were written",
        arguments: [
            ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]), ("a;b\r1;2\r", [["a", "b"], ["1", "2"]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]),
            ("\"a\r\nb\",c\n\"d\ne\",f", [["a\r\nb", "c"], ["d\ne", "f"]]),
            ("a,5\" wide,b\n", [["a", "5\" wide", "b"]]), ("a, \"b\" ,c", [["a", "b", "c"]]),
            ("\"a\"b,c", [["ab", "c"]]), ("a,,\n,,\n,\"\",\"b\"", [["a", "", ""], ["", "", "b"]]),
            ("\"a\"\t\"b\tc\"\n", [["a", "b\tc"]]), ("a,\"\"\"\"\n", [["a", "\""]]),
        ])
    func cells(file: String, expected: [[String]]) {
        #expect(rows(file).map(\.cells) == expected)
    }

    @Test("Rows have the numbers that a spreadsheet shows: a line break in a cell is none, an empty row is one")
    func numbers() {
        #expect(rows("a\n\"b\nc\"\n\nd\n").map(\.number) == [1, 2, 4])
    }

    @Test(
        "A quote that is never closed ends with its line, and the rows below are read",
        arguments: [
            ("a,b\n\"open,1\nc,2\nd,3", ["a", "open,1", "c", "d"], [2]),
            ("a\n\"open\nalso\n", ["a", "open", "also"], [2]),
            ("a,\"\"\n\"x\"\"\nb", ["a", "x\"", "b"], [2]),
        ])
    func open(file: String, first: [String], open: [Int]) {
        let found = rows(file)
        #expect(found.compactMap(\.cells.first) == first)
        #expect(found.filter(\.isOpen).map(\.number) == open)
    }

    @Test("Any text is read in time that grows as it does: quotes that are never closed are looked for once")
    func quotes() {
        #expect(rows(String(repeating: "\"a\"\"\n", count: 200_001)).count > 100_000)
    }

    // Excel's specifications and limits: 16,384 columns.
    @Test("A row has no more cells than a sheet has columns, and the row below is read")
    func widest() {
        let found = rows("a" + String(repeating: ",", count: 20_000) + "b\nc,d\n")
        #expect(found.map(\.cells.count) == [16_384, 2] && found[1].cells == ["c", "d"])
    }

    @Test(
        "Numbers as people of many countries write them",
        arguments: [
            ("1.5", 1.5), ("1,5", 1.5), ("-0,25", -0.25), (" 7 ", 7), ("6.0", 6), ("6,0", 6), ("1.234,5", 1_234.5),
            ("1,234.5", 1_234.5), ("1 234,5", 1_234.5), ("1\u{A0}234", 1_234), ("1\u{202F}234\u{A0}", 1_234),
            ("1'234.5", 1_234.5), ("1\u{2019}234", 1_234), ("\u{2212}3,5", -3.5), ("'5", 5), ("1.234.567", 1_234_567),
            ("1,234,567", 1_234_567), ("1,01325E3", 1_013.25), ("1.5e-3", 0.0015), ("+4", 4), ("1,234", 1.234),
        ])
    func number(text: String, value: Double) {
        #expect(tableNumber(Array(text.utf8).span) == value)
    }

    @Test(
        "What may be two numbers, and what is none, is none",
        arguments: [
            "", "-", "1,2,3", "1.2.3", "1 2", "12 34", "NaN", "0x10", "5 %", "1,23.4", "1e", "abc", "1-2", "1 ,5",
        ])
    func noNumber(text: String) { #expect(tableNumber(Array(text.utf8).span) == nil) }

    @Test("Between commas, one in quotes may stand for thousands or be decimal: where that cannot be told, it is none")
    func commas() {
        func value(_ text: String) -> Double? { tableNumber(Array(text.utf8).span, isCommaSeparated: true) }
        #expect(value("1,234") == nil && value("123,456") == nil)
        #expect(
            value("1,5") == 1.5 && value("0,125") == 0.125 && value("1,2345") == 1.2345 && value("1,234.5") == 1_234.5)
    }

    @Test("Remarks above a table do not say its separator, and a column called # is no remark")
    func remarks() {
        let table = TableText(Array("# Inertial correction: x=0; y=0; z=0\n\ntime,ax\n1,2\n".utf8))
        #expect(table.separator == UInt8(ascii: ","))
        #expect(TableText(Array("#;text\n1;a,b,c".utf8)).separator == UInt8(ascii: ";"))
    }

    @Test("A text in UTF-8 of which single bytes are damaged keeps its other letters")
    func damagedLetters() {
        let file = Array("text\nGrün, süß".utf8) + [0xFF, 0x0A] + Array("Bär".utf8)
        #expect(String(decoding: TableText(file).bytes, as: UTF8.self) == "text\nGrün, süß\u{FFFD}\nBär")
        // Windows-1252: nothing of it is UTF-8.
        #expect(String(decoding: TableText([0x42, 0xE4, 0x72, 0x2C, 0xFC]).bytes, as: UTF8.self) == "Bär,ü")
    }

    @Test("Any bytes have rows whose cells lie in the text", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func anyBytes(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let letters = Array("\"\",;\t\r\n a1#'.".utf8) + [0xC2, 0xB5, 0xFF, 0]
        for _ in 0..<20_000 {
            let file = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            let table = TableText(file)
            let text = table.bytes.span
            var rows = TableRows(table)
            var count = 0
            while let row = rows.next(in: text) {
                count += 1
                #expect(!row.cells.isEmpty)
                for cell in row.cells {
                    #expect(cell.bounds.upperBound <= table.bytes.count)
                    _ = tableNumber(TableRows.content(of: cell, in: text).span, isCommaSeparated: count % 2 == 0)
                }
            }
            #expect(count <= table.bytes.count)
        }
    }
}
