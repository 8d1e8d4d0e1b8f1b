import Wire

/// A table of numbers from a file, as phones export them: a line of names, encoding and separator as ``TableText`` tells
/// them, cells as ``TableRows`` finds them, numbers as ``tableNumber(_:isCommaSeparated:)`` reads them.
///
/// The names stand in the first line; or below a title that somebody has put above them, where they are those lines before
/// the first numbers that have most in them.
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
    /// The first cell of each column that holds something and no number, for words about it; empty where there is none.
    public private(set) var firstWords: [[UInt8]] = []
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
        guard places.isEmpty else { return places }
        for (place, own) in names.enumerated() {
            guard let unit = Self.timeUnit(own) else { continue }
            if matchesIgnoringCase(own.span.extracting(0..<unit), name) { places.append(place) }
        }
        return places
    }

    /// The index of the column that has one of these names, of which the first counts most, alone or with a unit in brackets
    /// behind it: `time (ns)`. Of several the first with a number in it, else the first that holds anything.
    func place(ofAny known: [StaticString]) -> Int? {
        var places: [Int] = []
        for name in known { for place in self.places(of: name) { places.append(place) } }
        return preferred(places)
    }

    /// The first of these columns with a number in it; else the first that holds anything; else the first.
    func preferred(_ places: [Int]) -> Int? {
        places.first { place in columns[place].contains { $0 != nil } } ?? places.first { !firstWords[$0].isEmpty }
            ?? places.first
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
    /// - Parameters:
    ///   - exact: the name of the column whose cells are kept as they are written; without such a column the first.
    ///   - others: the names that it may have instead, the likeliest first.
    public init(
        _ written: TableText, exact: StaticString = "", or others: [StaticString] = [], limits: Limits = Limits()
    ) throws(TableError) {
        guard written.bytes.count <= limits.bytes else { throw .tooLarge }
        let table = Self.separated(written)
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
        for other in others { for place in places(of: other) { exactPlaces.append(place) } }
        firstWords = [[UInt8]](repeating: [], count: names.count)
        if exactPlaces.isEmpty { exactPlaces = [0] }
        var exactColumns = [[Range<Int>]](repeating: [], count: exactPlaces.count)
        var count = 0
        while let row = rows.next(in: text) {
            if row.isEmpty { continue }
            guard count < limits.rows, (count + 1) * names.count <= limits.cells else { throw .tooLarge }
            count += 1
            if row.cells.count != names.count { ragged += 1 }
            for place in names.indices {
                let value = place < row.cells.count ? number(row.cells[place], text) : nil
                columns[place].append(value)
                if value == nil, place < row.cells.count, firstWords[place].isEmpty {
                    firstWords[place] = Self.words(row.cells[place], text)
                }
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

    /// The table with the separator by which its names are most, where the one of its first line finds a single name or no
    /// number below: that line may be a title.
    private static func separated(_ table: TableText) -> TableText {
        func names(_ table: TableText) -> (count: Int, haveNumbers: Bool) {
            let text = table.bytes.span
            var rows = TableRows(table)
            guard let header = header(&rows, text) else { return (0, false) }
            var looked = 0
            while looked < mostRowsAbove, let row = rows.next(in: text) {
                looked += 1
                if hasNumber(row, text) { return (filled(header, text), true) }
            }
            return (filled(header, text), false)
        }
        let own = names(table)
        guard own.count == 1 || !own.haveNumbers else { return table }
        var (best, most) = (table, own.haveNumbers ? own.count : 1)
        for separator in TableText.usualSeparators where separator != table.separator {
            let other = table.separated(by: separator)
            let found = names(other)
            if found.haveNumbers, found.count > most { (best, most) = (other, found.count) }
        }
        return best
    }

    /// The most rows above the first numbers that are looked at for the names.
    private static let mostRowsAbove = 20

    /// The row with the names: of those before the first numbers, save remarks, the first that has most in it. A title has
    /// less.
    ///
    /// Some programs put the sign of a remark before the names, too (`# time,x`, NumPy's `savetxt`): then numbers are in the
    /// row below, which names are not.
    private static func header(_ rows: inout TableRows, _ text: Span<UInt8>) -> TableRows.Row? {
        var remark: (row: TableRows.Row, rest: TableRows)?
        var names: (row: TableRows.Row, rest: TableRows)?
        var most = 0
        var looked = 0
        while looked < mostRowsAbove, let row = rows.next(in: text) {
            if row.isEmpty { continue }
            looked += 1
            if names == nil, TableText.isRemark(text, from: row.cells[0].bounds.lowerBound) {
                remark = (row, rows)
                continue
            }
            let hasNumber = hasNumber(row, text)
            if hasNumber, names == nil, let remark, remark.row.cells.count == row.cells.count {
                names = remark
                break
            }
            if hasNumber, names != nil { break }
            let count = filled(row, text)
            if count > most { (names, most) = ((row, rows), count) }
        }
        guard let names else { return nil }
        rows = names.rest
        return names.row
    }

    private static func hasNumber(_ row: TableRows.Row, _ text: Span<UInt8>) -> Bool {
        row.cells.contains { tableNumber(TableRows.content(of: $0, in: text).span) != nil }
    }

    /// The number of a row's cells that hold anything.
    private static func filled(_ row: TableRows.Row, _ text: Span<UInt8>) -> Int {
        row.cells.count { !trimmedRange(text.extracting($0.bounds)).isEmpty }
    }

    /// The beginning of a cell's text, for words about it.
    private static func words(_ cell: TableRows.Cell, _ text: Span<UInt8>) -> [UInt8] {
        let bounds = cell.bounds
        let content = text.extracting(bounds.lowerBound..<min(bounds.upperBound, bounds.lowerBound + 64))
        var words: [UInt8] = []
        var place = trimmedRange(content).lowerBound
        while place < trimmedRange(content).upperBound, words.count < 24 {
            let (scalar, length) = decodedScalar(content, at: place)
            // Half a letter at the cut is none.
            if scalar != 0xFFFD {
                for index in place..<min(place + max(length, 1), content.count) { words.append(content[index]) }
            }
            place += max(length, 1)
        }
        return words
    }

    private func number(_ cell: TableRows.Cell, _ text: Span<UInt8>) -> Double? {
        guard cell.isPlain else {
            return tableNumber(TableRows.content(of: cell, in: text).span, isCommaSeparated: isCommaSeparated)
        }
        return tableNumber(text.extracting(cell.bounds), isCommaSeparated: isCommaSeparated)
    }

    /// A name as it was meant (``columnName(_:)``), without the apostrophe that keeps it a text, and with U+00B5 for micro,
    /// for which some programs write the Greek letter U+03BC, or the letter that is on each keyboard; and a power behind `^`.
    private static func name(_ text: [UInt8]) -> [UInt8] {
        var one = columnName(text)
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

    /// The place where the name ends before a unit of time in brackets behind it, `time (ns)` or `time [s]`; nil without one. What the
    /// unit is, the values tell.
    private static func timeUnit(_ name: [UInt8]) -> Int? {
        guard let last = name.last, last == UInt8(ascii: ")") || last == UInt8(ascii: "]"),
            let open = name.lastIndex(of: last == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "["))
        else { return nil }
        let unit = name.span.extracting((open + 1)..<(name.count - 1))
        guard matchesIgnoringCase(unit, oneOf: ["ns", "s", "ms", "us", "µs", "UTC", "ns since 1970", "epoch", "unix"])
        else { return nil }
        return trimmedRange(name.span.extracting(0..<open)).upperBound
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
