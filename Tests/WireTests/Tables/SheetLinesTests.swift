import Testing
import Wire

/// What a workbook's own words make of its sheets. The expected sizes are counted from the rule: a tab between cells, a line
/// feed between rows.
@Suite("Sheets that are longer than their files")
struct SheetLinesTests {
    private func limits(_ bytes: Int, files: Int = 1_000) -> PackedFiles.Limits {
        var limits = PackedFiles.Limits()
        (limits.bytes, limits.files) = (bytes, files)
        return limits
    }

    private func zip(_ files: [(String, String)]) -> [UInt8] {
        var zip = StoredZip()
        for (name, text) in files { zip.add(name, Array(text.utf8)) }
        return zip.file
    }

    private func excel(_ sheets: [String], shared: String = "") -> [UInt8] {
        var files = [("xl/sharedStrings.xml", "<sst><si><t>\(shared)</t></si></sst>")]
        for (place, rows) in sheets.enumerated() {
            files.append(
                ("xl/worksheets/sheet\(place + 1).xml", "<worksheet><sheetData>\(rows)</sheetData></worksheet>"))
        }
        return zip(files)
    }

    private func openDocument(_ tables: String) -> [UInt8] { zip([("content.xml", tables)]) }

    private func cells(naming shared: Int, times: Int) -> String {
        String(repeating: "<row><c t='s'><v>\(shared)</v></c></row>", count: times)
    }

    @Test("A text that many cells name is written as often, until there is more than is read")
    func sharedText() throws {
        let text = String(repeating: "x", count: 2_000)
        let fits = try TableFile(excel([cells(naming: 0, times: 500)], shared: text), limits: limits(1 << 20))
        #expect(fits.tables[0].text.bytes.count == 500 * 2_000 + 499)
        let more = excel([cells(naming: 0, times: 600)], shared: text)
        #expect(throws: TableFileError.tooLarge) { try TableFile(more, limits: limits(1 << 20)) }
        // 20 kB named by 20,000 cells are 400 MB, of 128 MB that are read (`PackedFiles.Limits`).
        let longest = excel(
            [cells(naming: 0, times: 20_000)], shared: String(repeating: "x", count: 20_000))
        #expect(longest.count < 1 << 20)
        #expect(throws: TableFileError.tooLarge) { try TableFile(longest) }
    }

    @Test("All sheets have the room of one file, and those of a workbook in a ZIP file, too")
    func allSheets() throws {
        let sheet = cells(naming: 0, times: 300)
        let text = String(repeating: "x", count: 2_000)
        #expect(try TableFile(excel([sheet], shared: text), limits: limits(1 << 20)).tables.count == 1)
        let two = excel([sheet, sheet], shared: text)
        #expect(throws: TableFileError.tooLarge) { try TableFile(two, limits: limits(1 << 20)) }
        var nested = StoredZip()
        for name in ["a.xlsx", "b.xlsx"] { nested.add(name, excel([sheet], shared: text)) }
        let file = nested.file
        #expect(throws: TableFileError.tooLarge) { try TableFile(file, limits: limits(1 << 20)) }
    }

    @Test("A sheet that a workbook lists again and again is read once")
    func listedAgain() throws {
        let file = zip([
            ("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>"),
            ("xl/worksheets/sheet2.xml", "<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>"),
            (
                "xl/workbook.xml",
                "<workbook><sheets>" + String(repeating: "<sheet name='a' r:id='a'/>", count: 500)
                    + "<sheet name='b' r:id='b'/><sheet name='c' r:id='c'/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id='a' Target='worksheets/sheet1.xml'/><Relationship Id='b' Target='worksheets/sheet2.xml'/><Relationship Id='c' Target='/xl/worksheets/sheet1.xml'/></Relationships>"
            ),
        ])
        let tables = try TableFile(file).tables
        #expect(tables.map(\.name) == [Array("a".utf8), Array("b".utf8)])
        #expect(tables.map(\.text.bytes) == [Array("1".utf8), Array("2".utf8)])
    }

    // OpenDocument 1.3 part 3, 19.675 table:number-columns-repeated.
    @Test("A cell that is repeated is written as often, until there is more than is read")
    func repeatedCells() throws {
        func file(_ times: Int) -> [UInt8] {
            openDocument(
                "<table:table><table:table-row><table:table-cell table:number-columns-repeated='\(times)'><text:p>"
                    + String(repeating: "x", count: 8_000)
                    + "</text:p></table:table-cell></table:table-row></table:table>")
        }
        let fits = try TableFile(file(100), limits: limits(1 << 20))
        #expect(fits.tables[0].text.bytes.count == 100 * 8_000 + 99)
        #expect(throws: TableFileError.tooLarge) { try TableFile(file(200), limits: limits(1 << 20)) }
    }

    // OpenDocument 1.3 part 3, 19.677 table:number-rows-repeated; a sheet of LibreOffice's ends with a million empty rows.
    @Test("A row that is repeated comes as often, an empty one is counted, and those at the end cost nothing")
    func repeatedRows() throws {
        func row(_ text: String, _ times: Int) -> String {
            let cell =
                text.isEmpty ? "<table:table-cell/>" : "<table:table-cell><text:p>\(text)</text:p></table:table-cell>"
            return "<table:table-row table:number-rows-repeated='\(times)'>\(cell)<table:table-cell/></table:table-row>"
        }
        func text(_ rows: String, _ bytes: Int) throws -> String {
            let file = openDocument("<table:table>\(rows)</table:table>")
            return String(decoding: try TableFile(file, limits: limits(bytes)).tables[0].text.bytes, as: UTF8.self)
        }
        let rows = row("a", 3) + row("", 2) + row("b", 1) + row("", 1) + row("c", 2) + row("", 1_048_567)
        #expect(try text(rows, 1 << 12) == "a\na\na\n\n\nb\n\nc\nc")
        // Those that are nothing, however many they are said to be, below and between.
        #expect(try text(row("", Int.max) + row("", Int.max), 1 << 12) == "")
        #expect(throws: TableFileError.tooLarge) { try text(row("a", Int.max), 1 << 12) }
        #expect(throws: TableFileError.tooLarge) { try text(row("a", 3_000), 1 << 12) }
        #expect(try text(row("a", 2_000), 1 << 12).utf8.count == 2 * 2_000 - 1)
    }

    @Test("Rows that a file leaves out are counted as it counts them, until there are more than are read")
    func gaps() throws {
        func file(_ rows: Int) -> [UInt8] {
            excel([(1...rows).map { "<row r='\($0 * 1_000)'><c><v>1</v></c></row>" }.joined()])
        }
        let fits = try TableFile(file(90), limits: limits(100_000))
        #expect(fits.tables[0].text.bytes.count == 90 * 1_000 - 1 + 90)
        #expect(throws: TableFileError.tooLarge) { try TableFile(file(101), limits: limits(100_000)) }
    }

    @Test("A spreadsheet has no more sheets than a file may have files")
    func sheets() throws {
        let table = "<table:table><table:table-row><table:table-cell/></table:table-row></table:table>"
        let fits = openDocument(String(repeating: table, count: 20))
        #expect(try TableFile(fits, limits: limits(1 << 20, files: 20)).tables.count == 20)
        let more = openDocument(String(repeating: table, count: 21))
        #expect(throws: TableFileError.tooLarge) { try TableFile(more, limits: limits(1 << 20, files: 20)) }
    }
}
