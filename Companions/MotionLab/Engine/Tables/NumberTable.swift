import Wire

/// A table of numbers from a file, as phones export them: names in the first line, encoding and separator as ``TableText``
/// tells them, cells as ``TableRows`` finds them, numbers as ``tableNumber(_:isCommaSeparated:)`` reads them.
public struct NumberTable: Sendable, Equatable {
    /// The limits of a file.
    public struct Limits: Sendable, Equatable {
        /// The most bytes: an hour of an accelerometer at 100 Hz is 30 MB.
        public var bytes = 64 << 20
        /// The most columns.
        public var columns = 64
        /// The most rows.
        public var rows = 2_000_000
        /// The most cells of all columns, which the memory depends on: four hours of three axes at 50 Hz.
        public var cells = 4_000_000
        /// The most bytes of a column's name.
        public var nameBytes = 200

        /// The default limits.
        public init() {}
    }

    /// The names of the columns, from the first line.
    public var names: [[UInt8]]
    /// The values of each column, as many as there are rows; nil where there is no number.
    public var columns: [[Double?]]
    /// The table's own text.
    public var text: [UInt8]
    /// The places in ``text`` of the cells of one column, for what a `Double` does not hold: whole numbers of more digits,
    /// and words.
    public var exactColumn: [Range<Int>]
    /// The index of the column that ``exactColumn`` has the cells of.
    public private(set) var exactPlace = 0
    /// The number of lines with more or fewer cells than names; the cells that are there count.
    public var ragged = 0
    /// Whether commas stand between the cells, and none in a number.
    private var isCommaSeparated: Bool

    /// The number of lines after the first.
    public var rowCount: Int { exactColumn.count }

    /// The index of a column by its name, in letters of either size; of several the first with a number in it. Nil where
    /// there is none.
    public func place(of name: StaticString) -> Int? { preferred(places(of: name)) }

    private func places(of name: StaticString) -> [Int] {
        var places: [Int] = []
        for (place, own) in names.enumerated() where matchesIgnoringCase(own.span, name) { places.append(place) }
        return places
    }

    /// The first of these columns with a number in it; the first where none has one.
    func preferred(_ places: [Int]) -> Int? {
        places.first { place in columns[place].contains { $0 != nil } } ?? places.first
    }

    /// The text of a row's cell in the exact column, without white space around it; a decimal comma of a number is a point.
    public func exact(_ row: Int) -> [UInt8] {
        let whole = Array(text[exactColumn[row]])
        var cell: [UInt8] = []
        for index in trimmedRange(whole.span) {
            if cell.isEmpty, whole[index] == UInt8(ascii: "'") { continue }
            cell.append(!isCommaSeparated && whole[index] == UInt8(ascii: ",") ? UInt8(ascii: ".") : whole[index])
        }
        return cell
    }

    /// Reads a file that is one table.
    ///
    /// - Parameter exact: the name of the column whose cells are kept as they are written; without such a column the first.
    public init(_ bytes: [UInt8], exact: StaticString = "", limits: Limits = Limits()) throws(TableError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge }
        guard !PackedFiles.isPacked(bytes) else { throw .packed }
        try self.init(TableText(bytes), exact: exact, limits: limits)
    }

    /// Reads a table.
    ///
    /// - Parameter exact: the name of the column whose cells are kept as they are written; without such a column the first.
    public init(_ table: TableText, exact: StaticString = "", limits: Limits = Limits()) throws(TableError) {
        guard table.bytes.count <= limits.bytes else { throw .tooLarge }
        self.text = table.bytes
        isCommaSeparated = table.separator == UInt8(ascii: ",")
        let text = table.bytes.span
        var rows = TableRows(table)
        guard let header = Self.header(&rows, text) else { throw .empty }
        let isRemark = TableText.isRemark(text, from: header.cells[0].bounds.lowerBound)
        names = []
        for cell in header.cells {
            var content = TableRows.content(of: cell, in: text)
            if isRemark, names.isEmpty { content.removeFirst() }
            let name = Self.name(content)
            guard name.count <= limits.nameBytes, isUTF8(name.span) else { throw .names }
            names.append(name)
        }
        // Spreadsheets add columns without names.
        while let last = names.last, last.isEmpty { names.removeLast() }
        guard !names.isEmpty, names.count <= limits.columns else { throw .names }
        columns = [[Double?]](repeating: [], count: names.count)
        exactColumn = []
        // Which of several columns of the name it is, the values tell.
        var exactPlaces = exact.withUTF8Buffer { $0.isEmpty } ? [] : places(of: exact)
        if exactPlaces.isEmpty { exactPlaces = [0] }
        var exactColumns = [[Range<Int>]](repeating: [], count: exactPlaces.count)
        var count = 0
        while let row = rows.next(in: text) {
            if row.isEmpty { continue }
            guard count < limits.rows, (count + 1) * names.count <= limits.cells else { throw .tooLarge }
            count += 1
            if row.cells.count != names.count { ragged += 1 }
            for place in names.indices {
                columns[place].append(place < row.cells.count ? number(row.cells[place], text) : nil)
            }
            let start = row.cells[0].bounds.lowerBound
            for (number, place) in exactPlaces.enumerated() {
                exactColumns[number].append(place < row.cells.count ? row.cells[place].bounds : start..<start)
            }
        }
        guard count > 0 else { throw .empty }
        exactPlace = preferred(exactPlaces) ?? 0
        exactColumn = exactColumns[exactPlaces.firstIndex(of: exactPlace) ?? 0]
    }

    /// The row with the names: the first that is not empty and no remark.
    ///
    /// Some programs put the sign of a remark before the names, too (`# time,x`, NumPy's `savetxt`): then numbers are in the
    /// row below, which names are not.
    private static func header(_ rows: inout TableRows, _ text: Span<UInt8>) -> TableRows.Row? {
        var remark: TableRows.Row?
        while true {
            let here = rows
            guard let row = rows.next(in: text) else { return nil }
            if row.isEmpty { continue }
            if TableText.isRemark(text, from: row.cells[0].bounds.lowerBound) {
                remark = row
                continue
            }
            guard let remark, remark.cells.count == row.cells.count,
                row.cells.contains(where: { tableNumber(TableRows.content(of: $0, in: text).span) != nil })
            else { return row }
            rows = here
            return remark
        }
    }

    private func number(_ cell: TableRows.Cell, _ text: Span<UInt8>) -> Double? {
        guard cell.isPlain else {
            return tableNumber(TableRows.content(of: cell, in: text).span, isCommaSeparated: isCommaSeparated)
        }
        return tableNumber(text.extracting(cell.bounds), isCommaSeparated: isCommaSeparated)
    }

    /// A name without white space around it and the apostrophe that keeps it a text, and with U+00B5 for micro, for which
    /// some programs write the Greek letter U+03BC, or the letter that is on each keyboard; and a power behind `^`.
    private static func name(_ text: [UInt8]) -> [UInt8] {
        var one = Array(text[trimmedRange(text.span)])
        if one.first == UInt8(ascii: "'") { one.removeFirst() }
        for index in one.indices.dropFirst() where one[index - 1] == 0xCE && one[index] == 0xBC {
            (one[index - 1], one[index]) = (0xC2, 0xB5)
        }
        for (written, known) in unitSpellings {
            let end = written.utf8CodeUnitCount
            guard one.count > end, matches(one.span.extracting(one.count - end..<one.count), written) else { continue }
            one.removeLast(end)
            known.withUTF8Buffer { letters in
                for letter in letters { one.append(letter) }
            }
        }
        return one
    }

    /// The ends of names by which programs write a unit, and how each is written here.
    private static var unitSpellings: [(StaticString, StaticString)] {
        [("(uT)", "(µT)"), ("(m/s²)", "(m/s^2)"), ("(m/s2)", "(m/s^2)"), ("(m/s/s)", "(m/s^2)")]
    }
}

/// The reason why a file cannot be imported.
public enum TableError: Error, Sendable, Equatable {
    /// The file has no line of numbers.
    case empty
    /// The file is too large.
    case tooLarge
    /// The first line has too many names, or one that is not text.
    case names
    /// No column is a time.
    case noTime
    /// No column is of a sensor that the lab knows.
    case noSensor
    /// The file is packed and cannot be unpacked, or holds no table.
    case packed
    /// The file is a workbook of an Excel before 2007.
    case oldWorkbook

    init(_ error: TableFileError) {
        switch error {
        case .packed, .noTable: self = .packed
        case .tooLarge: self = .tooLarge
        case .oldWorkbook: self = .oldWorkbook
        }
    }

    /// The number of the error, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .empty: 1
        case .tooLarge: 2
        case .names: 3
        case .noTime: 4
        case .noSensor: 5
        case .packed: 6
        case .oldWorkbook: 7
        }
    }
}
