/// A reader of the sheets in the `content.xml` of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, section 9).
struct OpenDocumentReader {
    private let xml: [UInt8]
    private var found: [Workbook.Sheet] = []
    private var name: [UInt8] = []
    private var lines: SheetLines
    private let mostSheets: Int
    /// Lines of a cell that are written as often as it says.
    private var times = 1
    private var value: [UInt8] = []
    /// Whether the cell says its value, so that its text only shows it.
    private var hasValue = false
    private var paragraphs = 0

    init(_ xml: [UInt8], _ limits: PackedFiles.Limits) {
        self.xml = xml
        lines = SheetLines(room: limits.bytes)
        mostSheets = limits.files
    }

    /// The sheets in their order.
    mutating func sheets() throws(PackedFilesError) -> [Workbook.Sheet] {
        // The text is another's, while this changes.
        let xml = xml
        let text = xml.span
        var tokens = XMLTokens()
        var (isCell, isParagraph) = (false, false)
        while true {
            switch tokens.next(in: text) {
            case .open(let range, let attributes, let isEmpty):
                let element = text.extracting(range)
                if matches(element, "table") {
                    name = XMLTokens.attribute("name", of: attributes, in: text) ?? []
                    lines = SheetLines(room: lines.room)
                } else if matches(element, "table-row") {
                    try lines.beginRow(
                        number: nil, times: Self.times("number-rows-repeated", attributes, text))
                } else if matches(element, "table-cell") || matches(element, "covered-table-cell") {
                    begin(attributes, text)
                    isCell = !isEmpty
                    if isEmpty { try lines.add(value, times: times) }
                } else if matches(element, "p") {
                    isParagraph = !isEmpty
                    if isCell, !hasValue, paragraphs > 0 { value.append(0x0A) }
                    paragraphs += 1
                } else if matches(element, "s"), isCell, isParagraph, !hasValue {
                    value.append(0x20)
                } else if matches(element, "annotation") {
                    // A note at the cell is none of what stands in it.
                    isParagraph = false
                    skip("annotation", &tokens, text, isEmpty)
                }
            case .close(let range):
                let element = text.extracting(range)
                if matches(element, "p") { isParagraph = false }
                if matches(element, "table-cell") || matches(element, "covered-table-cell") {
                    if isCell { try lines.add(value, times: times) }
                    isCell = false
                }
                if matches(element, "table") {
                    guard found.count < mostSheets else { throw .tooLarge }
                    found.append(Workbook.Sheet(name: name, table: try lines.table()))
                    lines = SheetLines(room: lines.room)
                }
            case .text(let range):
                if isCell, isParagraph, !hasValue { value += XMLTokens.unescaped(range, in: text) }
            case .literal(let range):
                if isCell, isParagraph, !hasValue { for place in range { value.append(text[place]) } }
            case .end: return found
            }
        }
    }

    private mutating func begin(_ attributes: Range<Int>, _ text: Span<UInt8>) {
        times = Self.times("number-columns-repeated", attributes, text)
        paragraphs = 0
        // A number, a part of a hundred or a sum of money; texts, days and truths are what is shown.
        let kind = XMLTokens.attribute("value-type", of: attributes, in: text) ?? []
        let isNumber = matches(kind.span, "float") || matches(kind.span, "percentage") || matches(kind.span, "currency")
        let said = isNumber ? XMLTokens.attribute("value", of: attributes, in: text) : nil
        (value, hasValue) = (said ?? [], said != nil)
    }

    /// The number of times that a cell or a row comes, as an attribute says it.
    private static func times(_ name: StaticString, _ attributes: Range<Int>, _ text: Span<UInt8>) -> Int {
        guard let times = XMLTokens.attribute(name, of: attributes, in: text), let count = integer(times.span) else {
            return 1
        }
        return Int(clamping: count)
    }

    private func skip(_ name: StaticString, _ tokens: inout XMLTokens, _ text: Span<UInt8>, _ isEmpty: Bool) {
        if isEmpty { return }
        while true {
            switch tokens.next(in: text) {
            case .close(let range): if matches(text.extracting(range), name) { return }
            case .end: return
            default: continue
            }
        }
    }
}
