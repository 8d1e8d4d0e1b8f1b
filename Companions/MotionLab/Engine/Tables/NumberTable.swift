import Wire

/// A table of numbers from a file, as phones export them: names in the first line, encoding and separator as ``TableText``
/// tells them, with a decimal point or a decimal comma.
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
    /// The places in ``text`` of the cells of one column, for whole numbers of more digits than a `Double` holds.
    public var exactColumn: [Range<Int>]
    /// The number of lines with more or fewer cells than names; the cells that are there count.
    public var ragged = 0

    /// The number of lines after the first.
    public var rowCount: Int { exactColumn.count }

    /// The index of a column by its name; nil where there is none.
    public func place(of name: StaticString) -> Int? {
        names.firstIndex { matches($0.span, name) }
    }

    /// Reads a file (RFC 4180, with the separators and decimal commas that phones of many countries write).
    ///
    /// Where columns are separated by commas, a comma is not a decimal point.
    ///
    /// - Parameter exact: the name of the column whose cells are kept as they are written; without such a column the first.
    public init(_ bytes: [UInt8], exact: StaticString = "", limits: Limits = Limits()) throws(TableError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge }
        guard !TableText.isPacked(bytes) else { throw .packed }
        let table = TableText(bytes)
        try self.init(table.bytes, separator: table.separator, exact: exact, limits: limits)
    }

    private init(_ whole: [UInt8], separator: UInt8, exact: StaticString, limits: Limits) throws(TableError) {
        self.text = whole
        let text = whole.span
        var start = 0
        guard let header = Self.line(text, &start), !header.isEmpty else { throw .empty }
        names = []
        for cell in Self.cells(text, header, separator) {
            let name = Self.unquoted(text, cell)
            guard name.count <= limits.nameBytes, isUTF8(name.span) else { throw .names }
            names.append(Self.withOneMicro(name))
        }
        guard names.count <= limits.columns else { throw .names }
        columns = [[Double?]](repeating: [], count: names.count)
        exactColumn = []
        let exactPlace = names.firstIndex { matches($0.span, exact) } ?? 0
        let hasDecimalComma = separator != UInt8(ascii: ",")
        while let line = Self.line(text, &start) {
            if line.isEmpty { continue }
            guard exactColumn.count < limits.rows, (exactColumn.count + 1) * names.count <= limits.cells else {
                throw .tooLarge
            }
            let cells = Self.cells(text, line, separator)
            if cells.count != names.count { ragged += 1 }
            for place in names.indices {
                columns[place].append(place < cells.count ? Self.number(text, cells[place], hasDecimalComma) : nil)
            }
            exactColumn.append(exactPlace < cells.count ? cells[exactPlace] : line.lowerBound..<line.lowerBound)
        }
        guard !exactColumn.isEmpty else { throw .empty }
    }

    /// The next line without its end, of any system; nil at the end of the text. An empty one of `CR LF` is passed over.
    private static func line(_ text: Span<UInt8>, _ start: inout Int) -> Range<Int>? {
        guard start < text.count else { return nil }
        let from = start
        var end = from
        while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
        start = end + 1
        if end + 1 < text.count, text[end] == 0x0D, text[end + 1] == 0x0A { start += 1 }
        return from..<end
    }

    /// A name with U+00B5 for micro, for which some programs write the Greek letter U+03BC.
    private static func withOneMicro(_ name: [UInt8]) -> [UInt8] {
        var one = name
        for index in one.indices.dropFirst() where one[index - 1] == 0xCE && one[index] == 0xBC {
            (one[index - 1], one[index]) = (0xC2, 0xB5)
        }
        return one
    }

    private static func cells(_ text: Span<UInt8>, _ line: Range<Int>, _ separator: UInt8) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        var start = line.lowerBound
        var isQuoted = false
        for index in line {
            if text[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, text[index] == separator else { continue }
            cells.append(start..<index)
            start = index + 1
        }
        cells.append(start..<line.upperBound)
        return cells
    }

    private static func trimmed(_ text: Span<UInt8>, _ cell: Range<Int>) -> Range<Int> {
        let inside = trimmedRange(text.extracting(cell))
        var (start, end) = (cell.lowerBound + inside.lowerBound, cell.lowerBound + inside.upperBound)
        if end - start >= 2, text[start] == UInt8(ascii: "\""), text[end - 1] == UInt8(ascii: "\"") {
            start += 1
            end -= 1
        }
        return start..<end
    }

    private static func unquoted(_ text: Span<UInt8>, _ cell: Range<Int>) -> [UInt8] {
        var name: [UInt8] = []
        for index in trimmed(text, cell) {
            // A quote within quotes is written twice.
            if text[index] == UInt8(ascii: "\""), name.last == UInt8(ascii: "\"") { continue }
            name.append(text[index])
        }
        return name
    }

    private static func number(_ text: Span<UInt8>, _ cell: Range<Int>, _ hasDecimalComma: Bool) -> Double? {
        let cell = trimmed(text, cell)
        if hasDecimalComma {
            for index in cell where text[index] == UInt8(ascii: ",") {
                var copy: [UInt8] = []
                for index in cell { copy.append(text[index] == UInt8(ascii: ",") ? UInt8(ascii: ".") : text[index]) }
                return decimal(copy.span)
            }
        }
        return decimal(text.extracting(cell))
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
    /// The file is packed: a ZIP, or a workbook of Excel.
    case packed

    /// The number of the error, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .empty: 1
        case .tooLarge: 2
        case .names: 3
        case .noTime: 4
        case .noSensor: 5
        case .packed: 6
        }
    }
}
