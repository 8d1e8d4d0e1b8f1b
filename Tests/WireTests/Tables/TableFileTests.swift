import TestInstruments
import Testing
import Wire

/// Workbooks in the forms that programs write (ECMA-376 part 1, OpenDocument 1.3 part 3), packed by Python's zipfile.
@Suite("Workbooks, and tables that are packed")
struct TableFileTests {
    private func packed(_ files: [(String, String)], nested: String? = nil) throws -> [UInt8] {
        try PythonZip.file(files, nested: nested)
    }

    /// The lines of a table, a bar between cells.
    private func lines(_ table: TableText) -> [String] {
        var rows = TableRows(table)
        var lines: [String] = []
        while let row = rows.next(in: table.bytes.span) {
            lines.append(
                row.cells.map { String(decoding: TableRows.content(of: $0, in: table.bytes.span), as: UTF8.self) }
                    .joined(separator: "|"))
        }
        return lines
    }

    private func name(_ table: TableFile.Table) -> String { String(decoding: table.name, as: UTF8.self) }

    private let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

    @Test(
        "A workbook of Excel's: shared texts, formatted ones, places that say where they are, truths, and an error is empty"
    )
    func excel() throws {
        let file = try packed([
            ("[Content_Types].xml", "<Types/>"),
            (
                "xl/workbook.xml",
                "<workbook xmlns='\(main)' xmlns:r='r'><sheets><sheet name='Zweites &amp; Blatt' sheetId='7' r:id='rId9'/><sheet name=\"Facts\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Target='worksheets/sheet1.xml' Id='rId1'/><Relationship Id='rId9' Target='/xl/worksheets/other.xml'/></Relationships>"
            ),
            (
                "xl/sharedStrings.xml",
                "<sst xmlns='\(main)' count='4'><si><t>text</t></si><si><t>age</t></si><si><r><rPr><b/></rPr><t>Ein </t></r><r><t xml:space='preserve'>Igel &#8211; \"nachts\"</t></r><rPh sb='0' eb='1'><t>yomi</t></rPh></si><si><t/></si></sst>"
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<?xml version='1.0'?><worksheet xmlns='\(main)'><dimension ref='A1:C5'/><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='s'><v>1</v></c></row><row r='3'><c r='A3' t='s'><v>2</v></c><c r='B3' t='s'><v>3</v></c><c r='C3'><v>6</v></c></row><row r='4'><c r='A4' t='b'><v>1</v></c><c r='B4' t='e'><v>#REF!</v></c><c r='C4' t='str'><f>1+1</f><v>2,5</v></c></row></sheetData></worksheet>"
            ),
            ("xl/worksheets/other.xml", "<worksheet><sheetData/></worksheet>"),
        ])
        let tables = try TableFile(file).tables
        #expect(tables.map(name) == ["Zweites & Blatt", "Facts"])
        #expect(lines(tables[0].text) == [])
        #expect(lines(tables[1].text) == ["text||age", "", "Ein Igel – \"nachts\"||6", "TRUE||2,5"])
    }

    // phyphox-android, XlsxWriter.java: inline texts, and no cell says where it is. A prefix, as Open XML SDK writes it.
    @Test("A workbook of phyphox's, and one with a prefix before each name", arguments: ["", "x:"])
    func phyphox(prefix: String) throws {
        let p = prefix
        let sheet =
            "<\(p)worksheet><\(p)sheetData><\(p)row><\(p)c t=\"inlineStr\" s=\"1\"><\(p)is><\(p)t xml:space=\"preserve\">Time (s)</\(p)t></\(p)is></\(p)c><\(p)c t=\"inlineStr\"><\(p)is><\(p)t>Pressure (hPa)</\(p)t></\(p)is></\(p)c></\(p)row><\(p)row><\(p)c><\(p)v>1.0E-2</\(p)v></\(p)c><\(p)c/></\(p)row><\(p)row><\(p)c><\(p)v>2</\(p)v></\(p)c><\(p)c><\(p)v>1013.25</\(p)v></\(p)c></\(p)row></\(p)sheetData></\(p)worksheet>"
        let file = try packed([
            ("xl/worksheets/sheet1.xml", sheet),
            (
                "xl/workbook.xml",
                "<\(p)workbook><\(p)sheets><\(p)sheet name=\"Raw Data\" sheetId=\"1\" r:id=\"rId1\"/></\(p)sheets></\(p)workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ])
        let tables = try TableFile(file).tables
        #expect(tables.map(name) == ["Raw Data"])
        #expect(lines(tables[0].text) == ["Time (s)|Pressure (hPa)", "1.0E-2", "2|1013.25"])
    }

    @Test("A spreadsheet of LibreOffice's: a number as it is and not as it is shown, repeated cells, breaks and notes")
    func openDocument() throws {
        let content = """
            <?xml version="1.0" encoding="UTF-8"?><office:document-content><office:body><office:spreadsheet>\
            <table:table table:name="Tabelle1"><table:table-column/><table:table-row><table:table-cell office:value-type="string">\
            <text:p>text</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell \
            office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>age</text:p>\
            </table:table-cell><table:table-cell table:number-columns-repeated="16380"/></table:table-row><table:table-row>\
            <table:table-cell office:value-type="string"><text:p>One<text:s/>two</text:p><text:p>three &amp; four</text:p>\
            </table:table-cell><table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="2">\
            <text:p>1,50 €</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="6"><text:p>6</text:p>\
            </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>
            """
        let file = try packed([
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content),
        ])
        let tables = try TableFile(file).tables
        #expect(tables.map(name) == ["Tabelle1"])
        #expect(lines(tables[0].text) == ["text|||age", "One two\nthree & four|1.5|1.5|6"])
    }

    @Test("Tables in a ZIP file, and a workbook in one; what a Mac adds and what is no table is passed over")
    func zip() throws {
        let file = try packed([
            ("walk/Accelerometer.csv", "time,x\n1,2\n"), ("__MACOSX/walk/._Accelerometer.csv", "\u{0}"),
            ("walk/.DS_Store", "x"), ("walk/photo.jpg", "x"), ("walk/Metadata.tsv", "a\tb"),
        ])
        #expect(try TableFile(file).tables.map(name) == ["walk/Accelerometer.csv", "walk/Metadata.tsv"])
        let sheet = "<worksheet><sheetData><row><c><v>5</v></c></row></sheetData></worksheet>"
        let nested = try TableFile(
            try packed([("xl/worksheets/sheet1.xml", sheet)], nested: "Mappe.xlsx"))
        #expect(nested.tables.map { lines($0.text) } == [["5"]])
    }

    @Test("What cannot be read is said: an old workbook, a ZIP without a table, one that was cut")
    func refused() throws {
        // [MS-CFB], 2.2: the header's signature.
        #expect(throws: TableFileError.oldWorkbook) {
            try TableFile([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0])
        }
        let photo = try packed([("photo.jpg", "x")])
        #expect(throws: TableFileError.noTable) { try TableFile(photo) }
        #expect(throws: TableFileError.packed) { try TableFile(Array(photo.dropLast(10))) }
        let empty = try packed([("xl/workbook.xml", "<workbook/>")])
        #expect(throws: TableFileError.packed) { try TableFile(empty) }
    }

    @Test("A workbook that names a cell far away, or a row, fills up no memory")
    func far() throws {
        let sheet =
            "<worksheet><sheetData><row r='1048576'><c r='XFD1048576'><v>1</v></c><c r='A1048576'><v>2</v></c></row><row r='5'><c><v>3</v></c></row></sheetData></worksheet>"
        let tables = try TableFile(try packed([("xl/worksheets/sheet1.xml", sheet)])).tables
        #expect(tables[0].text.bytes.count < 2_000)
    }

    // Excel's specifications and limits: 1,048,576 rows by 16,384 columns, the last of which is XFD.
    @Test(
        "A row or a column that no sheet has is no place: what says so comes next, and no number is too large to read",
        arguments: [
            ("<row r='9223372036854775807'/><row><c><v>1</v></c></row>", ["", "1"]),
            ("<row r='2147483647'/><row><c><v>1</v></c></row>", ["", "1"]),
            ("<row r='1048577'><c><v>1</v></c></row>", ["1"]),
            ("<row r='0'><c><v>1</v></c></row><row r='-9223372036854775808'><c><v>2</v></c></row>", ["1", "2"]),
            (
                "<row><c r='A1'><v>1</v></c><c r='XFE1'><v>2</v></c><c r='ZZZZZZZZZZZZZZZZZZZ1'><v>3</v></c></row>",
                ["1|2|3"]
            ),
            ("<row><c r='A1'><v>1</v></c><c r='XFD1'/><c r='D1'><v>2</v></c></row>", ["1|||2"]),
        ])
    func beyond(rows: String, expected: [String]) throws {
        let file = try packed([
            ("xl/worksheets/sheet1.xml", "<worksheet><sheetData>\(rows)</sheetData></worksheet>")
        ])
        #expect(lines(try TableFile(file).tables[0].text) == expected)
    }

    @Test("Changed XML never traps", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func changed(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let sheet = Array(
            "<row r='2'><c r='B2' t='s'><v>0</v></c><c t=\"inlineStr\"><is><t>a&#x41;&lt;</t></is></c></row>".utf8)
        let letters = Array("<>/'\"= &;#![-]?:".utf8)
        for _ in 0..<200 {
            var copy = sheet
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                copy[Int.random(in: copy.indices, using: &random)] = letters.randomElement(using: &random) ?? 0
            }
            var zip = StoredZip()
            zip.add("xl/worksheets/sheet1.xml", copy)
            zip.add("xl/sharedStrings.xml", copy)
            zip.add("content.xml2", copy)
            #expect((try? TableFile(zip.file)) != nil)
        }
    }
}

/// A ZIP file without compression (APPNOTE.TXT, 4.3.7, 4.3.12, 4.3.16).
struct StoredZip {
    private var content: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) {
        var fields = little(20, 2)
        fields += little(1 << 11, 2)
        fields += little(0, 6)
        fields += little(Int(crc32(bytes[...])), 4)
        fields += little(bytes.count, 4)
        fields += little(bytes.count, 4)
        fields += little(name.utf8.count, 2)
        fields += little(0, 2)
        directory += [0x50, 0x4B, 1, 2, 20, 0]
        directory += fields
        directory += little(0, 10)
        directory += little(content.count, 4)
        directory += Array(name.utf8)
        content += [0x50, 0x4B, 3, 4]
        content += fields
        content += Array(name.utf8)
        content += bytes
        count += 1
    }

    var file: [UInt8] {
        var file = content
        file += directory
        file += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        file += little(count, 2)
        file += little(count, 2)
        file += little(directory.count, 4)
        file += little(content.count, 4)
        file += [0, 0]
        return file
    }
}
