import Wire

/// A table of numbers from a file, as phones export them: names in the first line, separated by commas, semicolons or
/// tabs, with a decimal point or a decimal comma.
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
    /// The text of the first column, for whole numbers of more digits than a `Double` holds.
    public var firstColumn: [Range<Int>]
    /// The number of lines with more or fewer cells than names; the cells that are there count.
    public var ragged = 0

    /// The number of lines after the first.
    public var rowCount: Int { firstColumn.count }

    /// The index of a column by its name; nil where there is none.
    public func place(of name: StaticString) -> Int? {
        names.firstIndex { matches($0.span, name) }
    }

    /// Reads a file (RFC 4180, with the separators and decimal commas that phones of many countries write).
    ///
    /// Where columns are separated by commas, a comma is not a decimal point. A byte order mark is skipped.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(TableError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge }
        let text = bytes.span
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let header = Self.line(text, &start), !header.isEmpty else { throw .empty }
        let separator = Self.separator(text.extracting(header))
        names = []
        for cell in Self.cells(text, header, separator) {
            let name = Self.unquoted(text, cell)
            guard name.count <= limits.nameBytes, isUTF8(name.span) else { throw .names }
            names.append(name)
        }
        guard names.count <= limits.columns else { throw .names }
        columns = [[Double?]](repeating: [], count: names.count)
        firstColumn = []
        let hasDecimalComma = separator != UInt8(ascii: ",")
        while let line = Self.line(text, &start) {
            if line.isEmpty { continue }
            guard firstColumn.count < limits.rows, (firstColumn.count + 1) * names.count <= limits.cells else {
                throw .tooLarge
            }
            let cells = Self.cells(text, line, separator)
            if cells.count != names.count { ragged += 1 }
            for place in names.indices {
                columns[place].append(place < cells.count ? Self.number(text, cells[place], hasDecimalComma) : nil)
            }
            firstColumn.append(cells.first ?? line.lowerBound..<line.lowerBound)
        }
        guard !firstColumn.isEmpty else { throw .empty }
    }

    /// The next line without its end; nil at the end of the text.
    private static func line(_ text: Span<UInt8>, _ start: inout Int) -> Range<Int>? {
        guard start < text.count else { return nil }
        var end = start
        while end < text.count, text[end] != 0x0A { end += 1 }
        let next = end + 1
        var from = start
        while from < end, text[from] == 0x0D { from += 1 }
        while end > from, text[end - 1] == 0x0D { end -= 1 }
        start = next
        return from..<end
    }

    /// The separator of the names: the most frequent one outside of quotes.
    private static func separator(_ header: Span<UInt8>) -> UInt8 {
        var counts = (comma: 0, semicolon: 0, tab: 0)
        var isQuoted = false
        for index in 0..<header.count {
            switch header[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: counts.comma += 1
            case UInt8(ascii: ";") where !isQuoted: counts.semicolon += 1
            case 0x09 where !isQuoted: counts.tab += 1
            default: continue
            }
        }
        if counts.tab > 0, counts.tab >= counts.semicolon, counts.tab >= counts.comma { return 0x09 }
        return counts.semicolon > 0 && counts.semicolon >= counts.comma ? UInt8(ascii: ";") : UInt8(ascii: ",")
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

    /// The number of the error, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .empty: 1
        case .tooLarge: 2
        case .names: 3
        case .noTime: 4
        case .noSensor: 5
        }
    }
}
