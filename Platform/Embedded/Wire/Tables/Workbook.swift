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
    ///
    /// - Parameter limits: the most sheets, and the most bytes that the tables of all of them have. A sheet may be far longer
    ///   than its file, which names texts and repeats cells.
    public init(_ packed: PackedFiles, limits: PackedFiles.Limits = .init()) throws(PackedFilesError) {
        if let content = packed.files.first(where: { matches($0.name.span, "content.xml") }) {
            var reader = OpenDocumentReader(utf8Text(of: try packed.content(of: content)), limits)
            sheets = try reader.sheets()
            return
        }
        var texts: [[UInt8]] = []
        if let file = packed.files.first(where: { matches($0.name.span, "xl/sharedStrings.xml") }) {
            texts = sharedTexts(utf8Text(of: try packed.content(of: file)))
        }
        var failure: PackedFilesError?
        var room = limits.bytes
        for (name, path) in Self.places(packed, atMost: limits.files) {
            guard let file = packed.files.first(where: { $0.name == path }) else { continue }
            do throws(PackedFilesError) {
                let xml = utf8Text(of: try packed.content(of: file))
                let table = try sheetTable(xml, texts, room)
                room -= table.bytes.count
                sheets.append(Sheet(name: name, table: table))
            } catch {
                guard error != .tooLarge else { throw error }
                failure = error
            }
        }
        if sheets.isEmpty { throw failure ?? .damaged }
    }

    /// The names of the sheets with the paths of their files, each once: as the workbook says, else all that lie where
    /// sheets do.
    private static func places(_ packed: PackedFiles, atMost count: Int) -> [(name: [UInt8], path: [UInt8])] {
        func content(_ path: StaticString) -> [UInt8]? {
            guard let file = packed.files.first(where: { matches($0.name.span, path) }),
                let bytes = try? packed.content(of: file)
            else { return nil }
            return utf8Text(of: bytes)
        }
        var places: [(name: [UInt8], path: [UInt8])] = []
        if let book = content("xl/workbook.xml"), let relations = content("xl/_rels/workbook.xml.rels") {
            var targets: [(id: [UInt8], path: [UInt8])] = []
            eachElement("Relationship", relations, atMost: count) { attributes, text in
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
            eachElement("sheet", book, atMost: count) { attributes, text in
                // `r:id`; and `sheetId` is another.
                guard let id = XMLTokens.attribute("id", of: attributes, in: text),
                    let target = targets.first(where: { $0.id == id }),
                    !places.contains(where: { $0.path == target.path })
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

/// Calls a function with the attributes of the first elements of a name.
private func eachElement(
    _ name: StaticString, _ xml: [UInt8], atMost count: Int, _ body: (Range<Int>, Span<UInt8>) -> Void
) {
    let text = xml.span
    var tokens = XMLTokens()
    var left = count
    while left > 0 {
        switch tokens.next(in: text) {
        case .open(let found, let attributes, _):
            guard matches(text.extracting(found), name) else { continue }
            left -= 1
            body(attributes, text)
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
private func sheetTable(_ xml: [UInt8], _ texts: [[UInt8]], _ room: Int) throws(PackedFilesError) -> TableText {
    let text = xml.span
    var lines = SheetLines(room: room)
    var tokens = XMLTokens()
    var kind: [UInt8] = []
    var value: [UInt8] = []
    var (isCell, isValue, isSound) = (false, false, false)
    func endCell() throws(PackedFilesError) {
        if isCell { try lines.add(content(value, kind, texts)) }
        (isCell, isValue, isSound, value) = (false, false, false, [])
    }
    while true {
        switch tokens.next(in: text) {
        case .open(let name, let attributes, let isEmpty):
            let name = text.extracting(name)
            if matches(name, "row") {
                try endCell()
                try lines.beginRow(number: XMLTokens.attribute("r", of: attributes, in: text).flatMap { rowNumber($0) })
            } else if matches(name, "c") {
                try endCell()
                kind = XMLTokens.attribute("t", of: attributes, in: text) ?? []
                lines.beginCell(column: XMLTokens.attribute("r", of: attributes, in: text).flatMap { column($0) })
                isCell = true
                if isEmpty { try endCell() }
            } else if matches(name, "v") || matches(name, "t") {
                isValue = !isEmpty
            } else if matches(name, "rPh") {
                isSound = !isEmpty
            }
        case .close(let name):
            let name = text.extracting(name)
            if matches(name, "v") || matches(name, "t") { isValue = false }
            if matches(name, "rPh") { isSound = false }
            if matches(name, "c") { try endCell() }
        case .text(let range):
            if isCell, isValue, !isSound { value += XMLTokens.unescaped(range, in: text) }
        case .literal(let range):
            if isCell, isValue, !isSound { for place in range { value.append(text[place]) } }
        case .end:
            try endCell()
            return try lines.table()
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
