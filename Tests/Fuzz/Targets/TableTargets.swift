import Wire

extension FuzzTarget {
    /// Readers of the files that spreadsheets and apps save.
    static var tables: [FuzzTarget] {
        [
            FuzzTarget(
                "inflate",
                // "a" ten times and nothing, by zlib; a stored block (RFC 1951, 3.2.4).
                seeds: [[0x4B, 0x84, 0x03, 0x00], [0x03, 0x00], [0x01, 0x01, 0x00, 0xFE, 0xFF, 0x61]]
            ) { bytes throws(BrokenProperty) in
                guard let some = try? inflated(bytes.span, upTo: 1 << 16) else { return }
                try require(some.count <= 1 << 16, "never more than was allowed")
            },
            FuzzTarget(
                "zip",
                dictionary: [
                    "PK\\x01\\x02", "PK\\x03\\x04", "PK\\x05\\x06", "PK\\x06\\x06", "PK\\x06\\x07",
                    "\\xff\\xff\\xff\\xff",
                ],
                seeds: [stored([("a.csv", Array("a,b\n1,2\n".utf8))])]
            ) { bytes throws(BrokenProperty) in
                var limits = PackedFiles.Limits()
                (limits.files, limits.bytes) = (20, 1 << 20)
                guard let files = try? PackedFiles(bytes, limits: limits) else { return }
                try require(files.files.count <= 20, "there are no more files than are read")
                try require(
                    files.files.reduce(0) { $0 + $1.bytes } <= 1 << 20, "all of them unfold to no more than allowed")
                for file in files.files {
                    guard let content = try? files.content(of: file) else { continue }
                    try require(content.count == file.bytes, "a file unfolds to what it says")
                }
            },
            FuzzTarget(
                "workbook",
                dictionary: [
                    "<row r='2'>", "<c r='B2' t='s'>", "<v>0</v>", "<is><t>", "</c>", "<si>", "&#x41;", "<![CDATA[",
                    "]]>",
                    "<table:table-cell", "number-columns-repeated='3'", "<text:p>", "<!--",
                ],
                seeds: [
                    "<si><t>a</t></si><row><c t='s'><v>0</v></c><c r='D1'><v>1.5</v></c></row>",
                    "<table:table table:name='a'><table:table-row><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkWorkbook(bytes) },
            FuzzTarget(
                "table-rows", dictionary: ["\\x22\\x22", "\\x0d\\x0a", "sep=;", "\\xef\\xbb\\xbf", "\\xff\\xfe"],
                seeds: ["a,b\n\"1,5\",\"c\"\"d\"\n", "sep=;\na;b\n1.234,5;2"].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkRows(TableText(bytes), bytes.count * 3 + 3) },
        ]
    }

    /// The same XML as every part of both kinds of workbook.
    private static func checkWorkbook(_ xml: [UInt8]) throws(BrokenProperty) {
        for names in [
            ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"],
            ["content.xml"],
        ] {
            var limits = PackedFiles.Limits()
            limits.bytes = 1 << 18
            guard let tables = try? TableFile(stored(names.map { ($0, xml) }), limits: limits) else { continue }
            for table in tables.tables { try checkRows(table.text, limits.bytes) }
            try require(
                tables.tables.reduce(0) { $0 + $1.text.bytes.count } <= limits.bytes,
                "all sheets of a workbook are no longer than allowed")
        }
    }

    private static func checkRows(_ table: TableText, _ mostBytes: Int) throws(BrokenProperty) {
        try require(isUTF8(table.bytes.span), "a table is UTF-8")
        try require(table.bytes.count <= mostBytes, "a table is no longer than it may be")
        let text = table.bytes.span
        var rows = TableRows(table)
        var last = 0
        while let row = rows.next(in: text) {
            try require(row.number == last + 1 && !row.cells.isEmpty, "rows are counted, and have cells")
            last = row.number
            for cell in row.cells {
                try require(cell.bounds.upperBound <= table.bytes.count, "a cell lies in the text")
                if let number = tableNumber(TableRows.content(of: cell, in: text).span) {
                    try require(number.isFinite, "a number is finite")
                }
            }
        }
    }

    /// A ZIP file without compression.
    private static func stored(_ files: [(String, [UInt8])]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var content: [UInt8] = []
        var directory: [UInt8] = []
        for (name, bytes) in files {
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
        }
        var file = content
        file += directory
        file += [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        file += little(files.count, 2)
        file += little(files.count, 2)
        file += little(directory.count, 4)
        file += little(content.count, 4)
        file += [0, 0]
        return file
    }
}
