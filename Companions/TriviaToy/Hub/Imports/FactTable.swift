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
        fileprivate var fields: [String]
    }

    /// The most rows above the names, such as a title.
    private static let mostRowsAbove = 10

    private var names: [String] = []
    /// The rows that hold anything.
    private(set) var rows: [Row] = []

    /// Reads the first table of a file that has facts.
    ///
    /// - Throws: what is no such file, with what to do.
    init(_ file: [UInt8]) throws(Problem) {
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
        for table in tables where take(table.text) { return }
        throw .field("file", "The first row names the columns, and one of them is called “text”. Nothing was stored.")
    }

    /// Takes the rows of a table.
    ///
    /// - Returns: whether it has a column `text`.
    private mutating func take(_ table: TableText) -> Bool {
        let text = table.bytes.span
        var reader = TableRows(table)
        var above = 0
        while names.isEmpty, above < Self.mostRowsAbove, let row = reader.next(in: text) {
            if row.isEmpty { continue }
            above += 1
            let found = Self.fields(of: row, in: text).map { $0.trimmingWhiteSpace().lowercased() }
            if found.contains("text") { names = found }
        }
        guard !names.isEmpty else { return false }
        while let row = reader.next(in: text) {
            if row.isEmpty { continue }
            rows.append(Row(number: row.number, isOpen: row.isOpen, fields: Self.fields(of: row, in: text)))
        }
        return true
    }

    private static func fields(of row: TableRows.Row, in text: Span<UInt8>) -> [String] {
        row.cells.map { String(decoding: TableRows.content(of: $0, in: text), as: UTF8.self) }
    }

    /// The text in the column of a name; of several columns of the name the first that holds anything. Nil without one.
    func field(_ name: String, of row: Row) -> String? {
        var found: String?
        for (place, column) in names.enumerated() where column == name && place < row.fields.count {
            if !row.fields[place].trimmingWhiteSpace().isEmpty { return row.fields[place] }
            if found == nil { found = row.fields[place] }
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
