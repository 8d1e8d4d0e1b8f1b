import HubKit
import Wire

/// A table of facts in a file that somebody chose: a text, or the sheet of a workbook or the text in a ZIP file that
/// has a column `text`.
struct FactTable {
    /// A row below the names.
    struct Row {
        /// The number of the row, from 1 on, as a spreadsheet counts them.
        var number: Int
        /// Whether a quotation mark of it is never closed.
        var isOpen: Bool
        /// The cells of ``FactTable/columns``, as far as the row goes.
        fileprivate var fields: [String]
    }

    /// The most rows above the names, such as a title.
    private static let mostRowsAbove = 10
    /// The most columns that are looked at.
    private static let mostColumns = 64
    /// The names of columns that are read. Of the others nothing is kept.
    private static let known: Set = ["text", "category", "difficulty", "age", "language", "source", "url"]

    private var columns: [(name: String, place: Int)] = []
    /// The rows that hold anything.
    private(set) var rows: [Row] = []

    /// Reads the first table of a file that has facts.
    ///
    /// - Parameter mostRows: the most facts that there may be. A file of some kilobytes unfolds to millions of rows.
    /// - Throws: what is no such file, with what to do.
    init(_ file: [UInt8], atMost mostRows: Int) throws(Problem) {
        let tables: [TableFile.Table]
        do throws(TableFileError) {
            tables = try TableFile(file).tables
        } catch {
            switch error {
            case .packed, .noTable:
                throw .field(
                    "file",
                    "This packed file (ZIP or Excel) cannot be read: it is incomplete or locked, or there is no table in it. Save it again, or as CSV, then try again."
                )
            case .tooLarge: throw .field("file", "This packed file unfolds to more than the hub reads.")
            case .oldWorkbook:
                throw .field(
                    "file", "This is a workbook of an old Excel (.xls). Save it as .xlsx or as CSV, then try again.")
            }
        }
        for table in tables where try take(table.text, atMost: mostRows) { return }
        // The first line may be a title, which does not tell what stands between cells.
        for table in tables {
            for separator in TableText.usualSeparators where separator != table.text.separator {
                if try take(table.text.separated(by: separator), atMost: mostRows) { return }
            }
        }
        throw .field("file", "The first row names the columns, and one of them is called “text”. Nothing was stored.")
    }

    /// Takes the rows of a table.
    ///
    /// - Returns: whether it has a column `text`.
    private mutating func take(_ table: TableText, atMost mostRows: Int) throws(Problem) -> Bool {
        let text = table.bytes.span
        var reader = TableRows(table)
        var above = 0
        while columns.isEmpty, above < Self.mostRowsAbove, let row = reader.next(in: text) {
            if row.isEmpty { continue }
            above += 1
            var found: [(name: String, place: Int)] = []
            for (place, cell) in row.cells.prefix(Self.mostColumns).enumerated() {
                let name = String(decoding: columnName(TableRows.content(of: cell, in: text)), as: UTF8.self)
                    .lowercased()
                if Self.known.contains(name) { found.append((name, place)) }
            }
            if found.contains(where: { $0.name == "text" }) { columns = found }
        }
        guard !columns.isEmpty else { return false }
        while let row = reader.next(in: text) {
            if row.isEmpty { continue }
            guard rows.count < mostRows else {
                throw Problem(
                    .conflict, "No room",
                    "This file has more rows than the \(mostRows) facts that a household may have. Nothing was stored.")
            }
            var fields: [String] = []
            for (_, place) in columns where place < row.cells.count {
                fields.append(Self.content(of: row.cells[place], in: text))
            }
            rows.append(Row(number: row.number, isOpen: row.isOpen, fields: fields))
        }
        return true
    }

    private static func content(of cell: TableRows.Cell, in text: Span<UInt8>) -> String {
        String(decoding: TableRows.content(of: cell, in: text), as: UTF8.self)
    }

    /// The text in the column of a name; of several columns of the name the first that holds anything. Nil without one.
    func field(_ name: String, of row: Row) -> String? {
        var found: String?
        // Columns stand in the order of their places: those that the row has are the first.
        for (column, field) in zip(columns, row.fields) where column.name == name {
            if !field.trimmingWhiteSpace().isEmpty { return field }
            if found == nil { found = field }
        }
        return found
    }
}

extension String {
    fileprivate func trimmingWhiteSpace() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
