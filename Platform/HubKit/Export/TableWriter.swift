import Wire

/// The form in which a table is written: for a program, or for the spreadsheet of a country.
///
/// A spreadsheet takes a file without a byte order mark for the letters of its own system, and expects the separator that
/// goes with its decimal sign: Excel in German, French or Italian puts `1,5` and `a;b`, and shows a table with commas in one
/// column.
public enum TableForm: String, Sendable, Codable, CaseIterable {
    /// Commas, decimal points and no byte order mark (RFC 4180), for programs.
    case plain
    /// Commas and decimal points behind a byte order mark.
    case comma
    /// Semicolons and decimal commas behind a byte order mark.
    case semicolon

    /// The query parameter that chooses between the forms for spreadsheets.
    public static let query = QueryParameter(
        "spreadsheet",
        "Writes a table for a spreadsheet, with a byte order mark: `comma` with decimal points, or `semicolon` with decimal commas. For programs where it is left out.",
        values: [comma, semicolon].map(\.rawValue))

    /// The separator of its cells.
    package var separator: UInt8 { self == .semicolon ? UInt8(ascii: ";") : UInt8(ascii: ",") }
    var decimalSign: UInt8 { self == .semicolon ? UInt8(ascii: ",") : UInt8(ascii: ".") }
    /// U+FEFF as UTF-8, or nothing.
    var mark: [UInt8] { self == .plain ? [] : [0xEF, 0xBB, 0xBF] }
}

/// A cell of a table.
public enum TableCell: Sendable, ExpressibleByStringLiteral {
    /// A text, which no spreadsheet takes for a formula.
    case text(String)
    /// A number with a decimal point, `-1.5`, which is written with the form's decimal sign.
    case number(String)
    /// A cell without anything in it.
    case empty

    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A number; nothing for nil.
    public init<Number: CustomStringConvertible & Numeric>(_ number: Number?) {
        self = number.map { .number($0.description) } ?? .empty
    }
}

/// A writer of a table's lines, the one of all exports. It keeps what was written until it is taken.
public struct TableWriter: Sendable {
    /// The form of the table.
    public let form: TableForm
    private let lineEnd: StaticString
    private var text = TextWriter()
    private var isLineBegun = false

    /// A writer at the beginning of a table: the byte order mark of its form is the first that is written.
    ///
    /// - Parameters:
    ///   - isContinued: whether a part of the same table was written before this one, mark and all.
    ///   - lineEnd: CR LF, as RFC 4180 has it, where nothing else was written so far.
    public init(_ form: TableForm = .plain, isContinued: Bool = false, lineEnd: StaticString = "\r\n") {
        self.form = form
        self.lineEnd = lineEnd
        if !isContinued { text.write(bytes: form.mark) }
    }

    /// The number of bytes that were written and not taken.
    public var count: Int { text.bytes.count }

    /// The bytes that were written since the last time.
    public mutating func take() -> [UInt8] {
        defer { text = TextWriter() }
        return text.bytes
    }

    /// Adds a text to the line.
    public mutating func add(_ words: String) {
        beginCell()
        text.write(bytes: Array(CSV.field(words, in: form).utf8))
    }

    /// Adds a whole number to the line.
    public mutating func add(_ number: Int64) {
        beginCell()
        text.write(number)
    }

    /// Adds a number that is written with a decimal point, in the form's own way.
    public mutating func add(number: some Collection<UInt8>) {
        beginCell()
        // The quick way, for exports of a hundred million lines.
        guard form == .semicolon else { return text.write(bytes: Array(number)) }
        for byte in number { text.write(byte: byte == UInt8(ascii: ".") ? form.decimalSign : byte) }
    }

    /// Adds a number to the line, in units of ten to the minus `places`, without zeros at its end.
    public mutating func add(fixedPoint value: Int64, places: Int) {
        var digits = TextWriter()
        digits.write(fixedPoint: value, places: places, trimmingZeros: true)
        add(number: digits.bytes)
    }

    /// Adds nothing to the line, a number of times.
    public mutating func addEmpty(_ count: Int = 1) { for _ in 0..<count { beginCell() } }

    /// Adds cells that were written by ``cells(_:in:)``.
    public mutating func add(prepared: [UInt8]) {
        beginCell()
        text.write(bytes: prepared)
    }

    /// Texts as cells with their separators, for what is the same in many lines.
    public static func cells(_ words: [String], in form: TableForm) -> [UInt8] {
        Array(words.map { CSV.field($0, in: form) }.joined(separator: form == .semicolon ? ";" : ",").utf8)
    }

    /// Ends the line.
    public mutating func endLine() {
        text.write(lineEnd)
        isLineBegun = false
    }

    /// Adds a whole line.
    public mutating func line(_ cells: [TableCell]) {
        for cell in cells {
            switch cell {
            case .text(let words): add(words)
            case .number(let digits): add(number: digits.utf8)
            case .empty: addEmpty()
            }
        }
        endLine()
    }

    /// Adds a whole line of texts, such as the names of the columns.
    public mutating func line(_ words: [String]) { line(words.map(TableCell.text)) }

    private mutating func beginCell() {
        if isLineBegun { text.write(byte: form.separator) }
        isLineBegun = true
    }
}

extension APIRequest {
    /// The form of table that was asked for: by ``TableForm/query``, and for programs without it.
    ///
    /// - Throws: a 422 problem for a form that there is not.
    public func tableForm() throws -> TableForm {
        guard let asked = query(TableForm.query) else { return .plain }
        guard let form = TableForm(rawValue: asked), form != .plain else {
            throw Problem.field("spreadsheet", "A spreadsheet’s table has comma or semicolon between its cells.")
        }
        return form
    }
}
