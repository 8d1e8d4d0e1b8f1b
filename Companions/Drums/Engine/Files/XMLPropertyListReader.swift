import Wire

/// Reads an XML property list, of the XML that Apple's writers and their kin use: a declaration, a document type without
/// parts of its own, comments, CDATA in texts, the five named entities of XML and those by number. UTF-8 alone, whatever the
/// declaration says: that is the file's before it was made UTF-8, or before an editor saved it.
///
/// An error in one value costs that value alone: a text with an `&` that begins nothing is ``PropertyList/unreadable(_:)``, and
/// so is what a key without a value has; a value without a key is nobody's. Of a file that ends within its outermost array all that was whole is read, with an unreadable value behind it.
///
/// One pass from front to back, with the open arrays and dictionaries on a stack of its own.
struct XMLPropertyListReader {
    private enum Element {
        case plist, array, dict, key, string, integer, real, `true`, `false`, date, data
    }

    private enum Markup {
        case start(Element, isEmpty: Bool)
        case end(Element)
    }

    /// An array or dictionary that is open.
    private struct Frame {
        let element: Element
        var values: [PropertyList] = []
        var entries: [PropertyList.Entry] = []
        /// A key that waits for its value.
        var key: [UInt8]?

        /// Gives a key that got no value one that is unreadable: the next key has come, or the end.
        mutating func endKey() {
            guard let key else { return }
            entries.append(PropertyList.Entry(key: key, value: .unreadable(.tag)))
            self.key = nil
        }
    }

    private let bytes: [UInt8]
    private let depth: Int
    private var offset = 0
    private var stack: [Frame] = []
    /// Whether the text that was read last has an `&` that begins nothing.
    private var hasStrayAmpersand = false

    /// Begins to read a file.
    ///
    /// - Throws: where it is not XML in UTF-8 at all.
    init(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) {
        self.bytes = bytes
        depth = limits.depth
        // U+FEFF, which some editors put in front.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        while offset < bytes.count, isASCIISpace(bytes[offset]) { offset += 1 }
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "<") else {
            throw PropertyListError(.otherForm, at: offset)
        }
        guard isUTF8(bytes.span) else { throw PropertyListError(.notUTF8, at: 0) }
    }

    mutating func read() throws(PropertyListError) -> PropertyList {
        do throws(PropertyListError) {
            return try readWhole()
        } catch {
            guard error.kind == .cutOff, let outermost = stack.first, outermost.element == .array,
                !outermost.values.isEmpty
            else { throw error }
            return .array(outermost.values + [.unreadable(.cutOff)])
        }
    }

    private mutating func readWhole() throws(PropertyListError) -> PropertyList {
        try passDeclarations()
        guard case .start(.plist, isEmpty: false) = try markup() else { throw PropertyListError(.tag, at: offset) }
        var whole: PropertyList?
        while true {
            let start = offset
            switch try markup() {
            case .end(.plist):
                guard stack.isEmpty, let whole else { throw PropertyListError(.tag, at: start) }
                try passSpaceAndComments()
                // What fills up a block on a tape or a disk.
                while offset < bytes.count, bytes[offset] == 0 { offset += 1 }
                guard offset == bytes.count else { throw PropertyListError(.misplaced, at: offset) }
                return whole
            case .end(let element):
                guard var frame = stack.popLast(), frame.element == element else {
                    throw PropertyListError(.tag, at: start)
                }
                frame.endKey()
                try take(element == .array ? .array(frame.values) : .dictionary(frame.entries), at: start, &whole)
            case .start(.key, let isEmpty):
                guard let last = stack.indices.last, stack[last].element == .dict else {
                    throw PropertyListError(.tag, at: start)
                }
                stack[last].endKey()
                stack[last].key = isEmpty ? [] : try text(in: .key)
            case .start(.plist, _): throw PropertyListError(.tag, at: start)
            case .start(let element, let isEmpty) where element == .array || element == .dict:
                guard stack.count < depth else { throw PropertyListError(.tooDeep, at: start) }
                guard !isEmpty else {
                    try take(element == .array ? .array([]) : .dictionary([]), at: start, &whole)
                    continue
                }
                stack.append(Frame(element: element))
            case .start(let element, let isEmpty):
                try take(try leaf(element, isEmpty: isEmpty, at: start), at: start, &whole)
            }
        }
    }

    /// Adds a value to the open array or dictionary, or makes it the file's own.
    private mutating func take(_ value: PropertyList, at start: Int, _ whole: inout PropertyList?)
        throws(PropertyListError)
    {
        guard let last = stack.indices.last else {
            guard whole == nil else { throw PropertyListError(.tag, at: start) }
            whole = value
            return
        }
        guard stack[last].element == .dict else {
            stack[last].values.append(value)
            return
        }
        // A value without a key belongs to no entry, and costs none.
        guard let key = stack[last].key else { return }
        stack[last].entries.append(PropertyList.Entry(key: key, value: value))
        stack[last].key = nil
    }

    private mutating func leaf(_ element: Element, isEmpty: Bool, at start: Int) throws(PropertyListError)
        -> PropertyList
    {
        hasStrayAmpersand = false
        switch element {
        case .true, .false:
            if !isEmpty {
                guard case .end(element) = try markup() else { throw PropertyListError(.tag, at: start) }
            }
            return .boolean(element == .true)
        case .string:
            let content = isEmpty ? [] : try text(in: .string)
            return hasStrayAmpersand ? .unreadable(.misplaced) : .text(content)
        default: break
        }
        let content = isEmpty ? [] : try text(in: element)
        guard !hasStrayAmpersand else { return .unreadable(.misplaced) }
        let trimmed = Array(content[trimmedRange(content.span)])
        switch element {
        case .integer:
            return Wire.integer(trimmed.span).map { .integer($0) } ?? .unreadable(.number)
        case .real:
            return decimal(trimmed.span).map { .real($0) } ?? .unreadable(.number)
        case .date:
            return PropertyListDate(trimmed).map { .date($0) } ?? .unreadable(.date)
        default:
            return base64(content).map { .data($0) } ?? .unreadable(.data)
        }
    }

    // MARK: Markup

    /// The next tag; only spaces and comments may be before it.
    private mutating func markup() throws(PropertyListError) -> Markup {
        try passSpaceAndComments()
        guard offset < bytes.count else { throw PropertyListError(.cutOff, at: offset) }
        guard bytes[offset] == UInt8(ascii: "<") else { throw PropertyListError(.misplaced, at: offset) }
        offset += 1
        let isEnd = offset < bytes.count && bytes[offset] == UInt8(ascii: "/")
        if isEnd { offset += 1 }
        let element = try self.element()
        if isEnd {
            while offset < bytes.count, isASCIISpace(bytes[offset]) { offset += 1 }
            guard offset < bytes.count else { throw PropertyListError(.cutOff, at: offset) }
            guard bytes[offset] == UInt8(ascii: ">") else { throw PropertyListError(.tag, at: offset) }
            offset += 1
            return .end(element)
        }
        try pass(until: UInt8(ascii: ">"), butNot: UInt8(ascii: "<"), otherwise: .tag)
        return .start(element, isEmpty: bytes[offset - 2] == UInt8(ascii: "/"))
    }

    private mutating func element() throws(PropertyListError) -> Element {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { throw PropertyListError(.cutOff, at: offset) }
        let isWhole = [UInt8(ascii: ">"), UInt8(ascii: "/")].contains(bytes[offset]) || isASCIISpace(bytes[offset])
        guard isWhole, let element = Self.element(named: bytes[start..<offset]) else {
            throw PropertyListError(.tag, at: start)
        }
        return element
    }

    private static func element(named slice: ArraySlice<UInt8>) -> Element? {
        let name = slice.span
        if matches(name, "integer") { return .integer }
        if matches(name, "string") { return .string }
        if matches(name, "key") { return .key }
        if matches(name, "array") { return .array }
        if matches(name, "dict") { return .dict }
        if matches(name, "real") { return .real }
        if matches(name, "true") { return .true }
        if matches(name, "false") { return .false }
        if matches(name, "date") { return .date }
        if matches(name, "data") { return .data }
        return matches(name, "plist") ? .plist : nil
    }

    /// Skips all before the first tag: `<?xml ...?>`, `<!DOCTYPE ...>`, comments.
    private mutating func passDeclarations() throws(PropertyListError) {
        while true {
            try passSpaceAndComments()
            if isAhead("<?") {
                try pass(after: "?>")
            } else if isAhead("<!DOCTYPE") {
                try pass(until: UInt8(ascii: ">"), butNot: UInt8(ascii: "["), otherwise: .ownTypes)
            } else {
                return
            }
        }
    }

    private mutating func passSpaceAndComments() throws(PropertyListError) {
        while offset < bytes.count {
            if isASCIISpace(bytes[offset]) {
                offset += 1
            } else if isAhead("<!--") {
                offset += 4
                try pass(after: "-->")
            } else {
                return
            }
        }
    }

    private func isAhead(_ word: StaticString) -> Bool { hasPrefix(bytes.span.extracting(offset..<bytes.count), word) }

    private mutating func pass(after word: StaticString) throws(PropertyListError) {
        while !isAhead(word) {
            guard offset < bytes.count else { throw PropertyListError(.cutOff, at: offset) }
            offset += 1
        }
        offset += word.utf8CodeUnitCount
    }

    /// Skips until after a byte that is not in quotes.
    private mutating func pass(until end: UInt8, butNot other: UInt8, otherwise kind: PropertyListError.Kind)
        throws(PropertyListError)
    {
        var quote: UInt8?
        while offset < bytes.count {
            let byte = bytes[offset]
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == end {
                offset += 1
                return
            } else if byte == other {
                throw PropertyListError(kind, at: offset)
            }
            offset += 1
        }
        throw PropertyListError(.cutOff, at: offset)
    }

    // MARK: Text

    /// The text of an element up to and with its end tag.
    private mutating func text(in element: Element) throws(PropertyListError) -> [UInt8] {
        var writer = TextWriter()
        while offset < bytes.count {
            let start = offset
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "<"), bytes[offset] != UInt8(ascii: "&") {
                offset += 1
            }
            if offset > start { writer.write(bytes: bytes.span.extracting(start..<offset)) }
            if isAhead("&") {
                if let scalar = entity() {
                    writer.write(scalar: scalar)
                } else {
                    hasStrayAmpersand = true
                    offset += 1
                }
            } else if isAhead("<![CDATA[") {
                offset += 9
                let content = offset
                try pass(after: "]]>")
                writer.write(bytes: bytes.span.extracting(content..<offset - 3))
            } else if isAhead("<!--") {
                offset += 4
                try pass(after: "-->")
            } else if offset < bytes.count {
                guard case .end(element) = try markup() else { throw PropertyListError(.tag, at: offset) }
                return writer.bytes
            }
        }
        throw PropertyListError(.cutOff, at: offset)
    }

    /// `&amp;`, `&#65;`, `&#x41;`; nil, and nothing read, for what is none.
    private mutating func entity() -> UInt32? {
        let start = offset + 1
        // The longest is `&#x10FFFF;`.
        let limit = min(bytes.count, start + 9)
        var end = start
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit, let scalar = Self.scalar(named: bytes[start..<end]) else { return nil }
        offset = end + 1
        return scalar
    }

    private static func scalar(named slice: ArraySlice<UInt8>) -> UInt32? {
        let name = slice.span
        if matches(name, "amp") { return 0x26 }
        if matches(name, "lt") { return 0x3C }
        if matches(name, "gt") { return 0x3E }
        if matches(name, "quot") { return 0x22 }
        if matches(name, "apos") { return 0x27 }
        guard hasPrefix(name, "#") else { return nil }
        let isHexadecimal = hasPrefix(name, "#x")
        let digits = name.extracting((isHexadecimal ? 2 : 1)..<name.count)
        guard !digits.isEmpty else { return nil }
        var scalar: UInt32 = 0
        for index in digits.indices {
            guard let digit = hexValue(digits[index]), isHexadecimal || digit < 10 else { return nil }
            scalar = scalar * (isHexadecimal ? 16 : 10) + UInt32(digit)
        }
        // What XML calls a character, save what Unicode leaves undefined.
        guard scalar > 0, scalar <= 0x10FFFF, scalar & 0xFFFFF800 != 0xD800 else { return nil }
        return scalar
    }
}
