/// The sheets of a workbook of a spreadsheet program, each as a table's text: Excel's (ECMA-376, part 1, section 18: `.xlsx`)
/// and LibreOffice's (OpenDocument 1.3, part 3, section 9: `.ods`).
///
/// A row of the sheet is a row of the text, with its number, and a cell stands in its column. Numbers stand as the file has
/// them, with a point, however they are shown.
public struct Workbook: Sendable, Equatable {
    /// A sheet.
    public struct Sheet: Sendable, Equatable {
        /// The name, UTF-8.
        public var name: [UInt8]
        /// The cells.
        public var table: TableText
    }

    /// The sheets in their order.
    public private(set) var sheets: [Sheet] = []

    /// The most columns of a row that are read.
    static let mostColumns = 256
    /// The most empty rows between two.
    static let mostEmptyRows = 1_000
    /// The last row and column that a sheet of Excel's has (XFD1048576). A place beyond it is none.
    static let lastRow = 1_048_576
    static let lastColumn = 16_384

    /// Whether the packed files are those of a workbook.
    public static func isWorkbook(_ files: PackedFiles) -> Bool {
        files.files.contains { matches($0.name.span, "content.xml") || hasPrefix($0.name.span, "xl/") }
    }

    /// Reads the sheets. One that cannot be read is left out, where another can be.
    public init(_ packed: PackedFiles) throws(PackedFilesError) {
        if let content = packed.files.first(where: { matches($0.name.span, "content.xml") }) {
            var reader = OpenDocumentReader(utf8Text(of: try packed.content(of: content)))
            sheets = reader.sheets()
            return
        }
        var texts: [[UInt8]] = []
        if let file = packed.files.first(where: { matches($0.name.span, "xl/sharedStrings.xml") }) {
            texts = sharedTexts(utf8Text(of: try packed.content(of: file)))
        }
        var failure: PackedFilesError?
        for (name, path) in Self.places(packed) {
            guard let file = packed.files.first(where: { $0.name == path }) else { continue }
            do throws(PackedFilesError) {
                let xml = utf8Text(of: try packed.content(of: file))
                sheets.append(Sheet(name: name, table: sheetTable(xml, texts)))
            } catch {
                failure = error
            }
        }
        if sheets.isEmpty { throw failure ?? .damaged }
    }

    /// The names of the sheets with the paths of their files: as the workbook says, else all that lie where sheets do.
    private static func places(_ packed: PackedFiles) -> [(name: [UInt8], path: [UInt8])] {
        func content(_ path: StaticString) -> [UInt8]? {
            guard let file = packed.files.first(where: { matches($0.name.span, path) }),
                let bytes = try? packed.content(of: file)
            else { return nil }
            return utf8Text(of: bytes)
        }
        var places: [(name: [UInt8], path: [UInt8])] = []
        if let book = content("xl/workbook.xml"), let relations = content("xl/_rels/workbook.xml.rels") {
            var targets: [(id: [UInt8], path: [UInt8])] = []
            eachElement("Relationship", relations) { attributes, text in
                guard let id = XMLTokens.attribute("Id", of: attributes, in: text),
                    var path = XMLTokens.attribute("Target", of: attributes, in: text)
                else { return }
                if path.first == UInt8(ascii: "/") {
                    path.removeFirst()
                } else {
                    var whole: [UInt8] = [UInt8(ascii: "x"), UInt8(ascii: "l"), UInt8(ascii: "/")]
                    whole += path
                    path = whole
                }
                targets.append((id, path))
            }
            eachElement("sheet", book) { attributes, text in
                // `r:id`; and `sheetId` is another.
                guard let id = XMLTokens.attribute("id", of: attributes, in: text),
                    let target = targets.first(where: { $0.id == id })
                else { return }
                places.append((XMLTokens.attribute("name", of: attributes, in: text) ?? [], target.path))
            }
        }
        if places.isEmpty {
            for file in packed.files where hasPrefix(file.name.span, "xl/worksheets/sheet") {
                places.append(([], file.name))
            }
        }
        return places
    }
}

/// Calls a function with the attributes of each element of a name.
private func eachElement(_ name: StaticString, _ xml: [UInt8], _ body: (Range<Int>, Span<UInt8>) -> Void) {
    let text = xml.span
    var tokens = XMLTokens()
    while true {
        switch tokens.next(in: text) {
        case .open(let found, let attributes, _):
            if matches(text.extracting(found), name) { body(attributes, text) }
        case .end: return
        default: continue
        }
    }
}

/// The texts that cells name by their number (18.4.8): of each the runs of its letters, without how they are pronounced.
private func sharedTexts(_ xml: [UInt8]) -> [[UInt8]] {
    let text = xml.span
    var texts: [[UInt8]] = []
    var tokens = XMLTokens()
    var (isText, isSound) = (false, false)
    while true {
        switch tokens.next(in: text) {
        case .open(let name, _, let isEmpty):
            let name = text.extracting(name)
            if matches(name, "si") {
                texts.append([])
            } else if matches(name, "t") {
                isText = !isEmpty
            } else if matches(name, "rPh") {
                isSound = !isEmpty
            }
        case .close(let name):
            if matches(text.extracting(name), "t") { isText = false }
            if matches(text.extracting(name), "rPh") { isSound = false }
        case .text(let range):
            if isText, !isSound, !texts.isEmpty { texts[texts.count - 1] += XMLTokens.unescaped(range, in: text) }
        case .literal(let range):
            if isText, !isSound, !texts.isEmpty { for place in range { texts[texts.count - 1].append(text[place]) } }
        case .end: return texts
        }
    }
}

/// The cells of a sheet (18.3.1.73): numbers, texts of their own and shared ones, truths; of an error nothing is left.
private func sheetTable(_ xml: [UInt8], _ texts: [[UInt8]]) -> TableText {
    let text = xml.span
    var lines = SheetLines()
    var tokens = XMLTokens()
    var kind: [UInt8] = []
    var value: [UInt8] = []
    var (isCell, isValue, isSound) = (false, false, false)
    func endCell() {
        if isCell { lines.add(content(value, kind, texts)) }
        (isCell, isValue, isSound, value) = (false, false, false, [])
    }
    while true {
        switch tokens.next(in: text) {
        case .open(let name, let attributes, let isEmpty):
            let name = text.extracting(name)
            if matches(name, "row") {
                endCell()
                lines.beginRow(number: XMLTokens.attribute("r", of: attributes, in: text).flatMap { rowNumber($0) })
            } else if matches(name, "c") {
                endCell()
                kind = XMLTokens.attribute("t", of: attributes, in: text) ?? []
                lines.beginCell(column: XMLTokens.attribute("r", of: attributes, in: text).flatMap { column($0) })
                isCell = true
                if isEmpty { endCell() }
            } else if matches(name, "v") || matches(name, "t") {
                isValue = !isEmpty
            } else if matches(name, "rPh") {
                isSound = !isEmpty
            }
        case .close(let name):
            let name = text.extracting(name)
            if matches(name, "v") || matches(name, "t") { isValue = false }
            if matches(name, "rPh") { isSound = false }
            if matches(name, "c") { endCell() }
        case .text(let range):
            if isCell, isValue, !isSound { value += XMLTokens.unescaped(range, in: text) }
        case .literal(let range):
            if isCell, isValue, !isSound { for place in range { value.append(text[place]) } }
        case .end:
            endCell()
            return lines.table
        }
    }
}

/// The text of a cell, by its kind (18.18.11).
private func content(_ value: [UInt8], _ kind: [UInt8], _ texts: [[UInt8]]) -> [UInt8] {
    if matches(kind.span, "s") {
        guard let number = wholeNumber(value), number < texts.count else { return [] }
        return texts[number]
    }
    if matches(kind.span, "e") { return [] }
    if matches(kind.span, "b") {
        var text = TextWriter()
        text.write(value.first == UInt8(ascii: "1") ? "TRUE" : "FALSE")
        return text.bytes
    }
    return value
}

private func wholeNumber(_ text: [UInt8]) -> Int? {
    guard let number = integer(text.span.extracting(trimmedRange(text.span))), number >= 0 else { return nil }
    return Int(exactly: number)
}

/// The number of a row, from 1 on; nil for one that no sheet has.
private func rowNumber(_ text: [UInt8]) -> Int? {
    guard let number = wholeNumber(text), number >= 1, number <= Workbook.lastRow else { return nil }
    return number
}

/// The column of a cell such as `AB12`, from 0 on; nil for one that no sheet has.
private func column(_ reference: [UInt8]) -> Int? {
    var column = 0
    for byte in reference {
        let letter = byte | 0x20
        guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { break }
        column = column * 26 + Int(letter - UInt8(ascii: "a")) + 1
        if column > Workbook.lastColumn { return nil }
    }
    return column > 0 ? column - 1 : nil
}

/// The lines of a sheet's table, tabs between their cells.
struct SheetLines {
    private var text = TextWriter()
    private var row = 0
    private var written = -1
    private var column = 0

    /// Begins a row, which is the next where it does not say its number, from 1 on.
    mutating func beginRow(number: Int?) {
        let gap = (number ?? row + 1) - row
        for _ in 0..<min(max(gap - 1, 0), Workbook.mostEmptyRows) { text.write("\n") }
        if row > 0 { text.write("\n") }
        row = max(number ?? row + 1, row + 1)
        (written, column) = (-1, 0)
    }

    /// Begins a cell, which is the next where it does not say its column, from 0 on.
    mutating func beginCell(column: Int?) { if let column { self.column = column } }

    /// Adds what stands in the cell that was begun, a number of times.
    mutating func add(_ content: [UInt8], times: Int = 1) {
        if content.isEmpty {
            // No further than a sheet goes: the sum of what a file says has no end.
            column = min(column + min(max(times, 1), Workbook.lastColumn), Workbook.lastColumn)
            return
        }
        // One that stands before the last is nowhere.
        for _ in 0..<min(max(times, 1), Workbook.mostColumns) where column > written && column < Workbook.mostColumns {
            if row == 0 { row = 1 }
            while written < column {
                if written >= 0 { text.write("\t") }
                written += 1
            }
            write(content)
            column += 1
        }
    }

    private mutating func write(_ content: [UInt8]) {
        let isPlain = !content.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\"") }
        if isPlain, content.first != 0x20 {
            text.write(bytes: content)
            return
        }
        text.write("\"")
        for byte in content {
            if byte == UInt8(ascii: "\"") { text.write("\"") }
            text.write(byte: byte)
        }
        text.write("\"")
    }

    /// All of it.
    var table: TableText { TableText(bytes: text.bytes, separator: 0x09) }
}
