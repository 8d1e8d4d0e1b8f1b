/// The rows of a table's text, one after the other (RFC 4180): cells between separators, a row a line, and in quotes
/// whatever a cell may hold, line breaks too.
///
/// Files of the world are read as they were meant:
/// - A line ends as on any system, and a quote counts where a cell begins; elsewhere it is a letter.
/// - A quote that is never closed ends with its own line, and the row says so: the others are read on.
public struct TableRows: Sendable {
    /// A cell of a row: where its text stands, and whether that stands in quotes of another kind than two around it.
    public struct Cell: Sendable, Equatable {
        /// The place of the text in the table's, without the quotes around it.
        public var bounds: Range<Int>
        /// Whether quotes within it are written twice, or letters follow the closing one.
        fileprivate var isWoven = false
        /// Whether its text stands at its place as it is.
        public var isPlain: Bool { !isWoven }
    }

    /// A row.
    public struct Row: Sendable, Equatable {
        /// The number of the row, from 1 on, as a spreadsheet counts them.
        public var number: Int
        /// The cells, one at least.
        public var cells: [Cell]
        /// Whether a quote of it is never closed.
        public var isOpen = false
        /// Whether no cell holds anything but white space.
        public var isEmpty: Bool
    }

    /// The most cells of a row, which are the columns of Excel's sheets; those behind them are passed over. A cell takes
    /// more memory than the separator that makes it.
    public static let mostCells = 16_384

    private let separator: UInt8
    private var index = 0
    private var number = 0
    /// Whether a quote was never closed: from there on each one ends with its line.
    private var isLineBound = false

    /// The rows of a table from its first one on.
    public init(_ table: TableText) { separator = table.separator }

    /// The next row; nil at the end.
    ///
    /// - Parameter text: the table's own, ``TableText/bytes``.
    public mutating func next(in text: Span<UInt8>) -> Row? {
        guard index < text.count else { return nil }
        number += 1
        let start = index
        if let row = row(in: text) { return row }
        // Once more, and this time no further than the line.
        isLineBound = true
        index = start
        var row = row(in: text)
        row?.isOpen = true
        return row
    }

    /// A row; nil where a quote of it is never closed.
    private mutating func row(in text: Span<UInt8>) -> Row? {
        var row = Row(number: number, cells: [], isEmpty: true)
        while true {
            guard let cell = cell(in: text, &row) else { return nil }
            if row.cells.count < Self.mostCells { row.cells.append(cell) }
            if row.isEmpty {
                for place in cell.bounds where !isASCIISpace(text[place]) {
                    row.isEmpty = false
                    break
                }
            }
            guard index < text.count else { return row }
            if text[index] == separator {
                index += 1
                continue
            }
            // The line's end.
            if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { index += 1 }
            index += 1
            return row
        }
    }

    private func isEnd(_ text: Span<UInt8>, _ place: Int) -> Bool {
        place >= text.count || text[place] == separator || text[place] == 0x0A || text[place] == 0x0D
    }

    /// A cell, behind which the reading stands; nil where its quote is never closed.
    private mutating func cell(in text: Span<UInt8>, _ row: inout Row) -> Cell? {
        let start = index
        var quote = start
        while quote < text.count, text[quote] == 0x20, text[quote] != separator { quote += 1 }
        guard quote < text.count, text[quote] == UInt8(ascii: "\"") else {
            while !isEnd(text, index) { index += 1 }
            return Cell(bounds: start..<index)
        }
        var place = quote + 1
        var isWoven = false
        while true {
            guard place < text.count, !isLineBound || text[place] != 0x0A && text[place] != 0x0D else {
                guard isLineBound else { return nil }
                row.isOpen = true
                index = place
                return Cell(bounds: (quote + 1)..<place, isWoven: isWoven)
            }
            guard text[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            guard place + 1 < text.count, text[place + 1] == UInt8(ascii: "\"") else { break }
            isWoven = true
            place += 2
        }
        index = place + 1
        while !isEnd(text, index), text[index] == 0x20 { index += 1 }
        if isEnd(text, index) { return Cell(bounds: (quote + 1)..<place, isWoven: isWoven) }
        while !isEnd(text, index) { index += 1 }
        return Cell(bounds: (quote + 1)..<index, isWoven: true)
    }

    /// The text of a cell, UTF-8.
    public static func content(of cell: Cell, in text: Span<UInt8>) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(cell.bounds.count)
        var place = cell.bounds.lowerBound
        while place < cell.bounds.upperBound {
            if cell.isWoven, text[place] == UInt8(ascii: "\"") {
                // One of two; or the closing one, behind which letters stand.
                if place + 1 < cell.bounds.upperBound, text[place + 1] == UInt8(ascii: "\"") {
                    content.append(text[place])
                    place += 1
                }
            } else {
                content.append(text[place])
            }
            place += 1
        }
        return content
    }
}
