import Wire

/// Reads an XML property list, of the XML that Apple's writers and their kin use: a declaration, a document type without
/// parts of its own, comments, CDATA in texts, the five named entities of XML and those by number. UTF-8 alone, whatever the
/// declaration says: that is the file's before it was made UTF-8, or before an editor saved it.
///
/// An error in one value costs that value alone: a text with an `&` that begins nothing is ``PropertyList/unreadable(_:)``, and
/// so is what a key without a value has; a value without a key is nobody's.
///
/// An error in the tags costs what it stands in of the outermost array: that is unreadable, and the reading goes on at the next
/// `<dict>` or behind the next `</dict>`, for a file of the original is an array of dictionaries that hold none. A `</dict>`
/// that is missing is where the next one begins, or the array ends; one too many, and an end of the array that is missing, cost
/// nothing. What is not whole at the file's end, and what stands behind it, is an unreadable value at the end. A file of which
/// no such value is read is refused with its first error.
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
    /// The first error that did not end the reading.
    private var firstFailure: PropertyListError?
    /// The places where the value of the outermost array that is being read begins, and the tag that was met last.
    private var (valueStart, tagStart) = (0, 0)
    /// Whether a comment or a CDATA is not closed from here on to the end: it is looked for once.
    private var (isCommentOpen, isDataOpen) = (false, false)

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
        try passDeclarations()
        guard case .start(.plist, isEmpty: false) = try markup() else { throw PropertyListError(.tag, at: offset) }
        var whole: PropertyList?
        while true {
            valueStart = offset
            do throws(PropertyListError) {
                if try readNext(&whole), let whole { return try checked(whole) }
            } catch {
                firstFailure = firstFailure ?? error
                if stack.isEmpty, case .array(let values)? = whole {
                    // All was read; that only the end is cut off costs nothing.
                    return try checked(.array(error.kind == .cutOff ? values : values + [.unreadable(error.kind)]))
                }
                guard stack.first?.element == .array else { throw error }
                stack.removeLast(stack.count - 1)
                stack[0].values.append(.unreadable(error.kind))
                resume()
                if offset == bytes.count { return try checked(.array(stack[0].values)) }
            }
        }
    }

    /// The outcome of a file.
    ///
    /// - Throws: the first error, where it left nothing.
    private func checked(_ whole: PropertyList) throws(PropertyListError) -> PropertyList {
        guard let firstFailure, case .array(let values) = whole else { return whole }
        let isAnyRead = values.contains { if case .unreadable = $0 { false } else { true } }
        guard isAnyRead else { throw firstFailure }
        return whole
    }

    /// Goes on to where the next value of the outermost array may begin: a `<dict>`, behind a `</dict>`, or the end of all.
    private mutating func resume() {
        // The tag at which the error was seen may be the next value's own.
        offset = max(offset, valueStart)
        if tagStart > valueStart { offset = tagStart }
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<") else {
                offset += 1
                continue
            }
            if isTagAhead("<dict") || isTagAhead("</plist") || isTagAhead("</array") && isLastArrayAhead() { return }
            if isTagAhead("</dict") {
                while offset < bytes.count, bytes[offset] != UInt8(ascii: ">") { offset += 1 }
                offset = min(offset + 1, bytes.count)
                return
            }
            offset += 1
        }
    }

    private func isTagAhead(_ tag: StaticString) -> Bool {
        let end = offset + tag.utf8CodeUnitCount
        guard isAhead(tag), end < bytes.count else { return false }
        return [UInt8(ascii: ">"), UInt8(ascii: "/")].contains(bytes[end]) || isASCIISpace(bytes[end])
    }

    /// Whether an end of an array is here, behind which nothing comes but the end of the list or of the file.
    private func isLastArrayAhead() -> Bool {
        var place = offset + 7
        while place < bytes.count, isASCIISpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: ">") else { return false }
        return isEndAhead(from: place + 1)
    }

    private func isEndAhead(from start: Int) -> Bool {
        var place = start
        while place < bytes.count, isASCIISpace(bytes[place]) { place += 1 }
        return place >= bytes.count || hasPrefix(bytes.span.extracting(place..<bytes.count), "</plist")
    }

    /// Reads the next tag, with the text that it has.
    ///
    /// - Parameter whole: the outermost value, once it was read.
    /// - Returns: whether the list has ended.
    private mutating func readNext(_ whole: inout PropertyList?) throws(PropertyListError) -> Bool {
        let start = offset
        switch try markup() {
        case .end(.plist):
            if stack.count == 1, stack[0].element == .array {
                // The end of the array is missing.
                firstFailure = firstFailure ?? PropertyListError(.tag, at: start)
                try close(at: start, &whole)
            }
            guard stack.isEmpty, whole != nil else { throw PropertyListError(.tag, at: start) }
            try passSpaceAndComments()
            // The filling of a block on a tape or a disk.
            while offset < bytes.count, bytes[offset] == 0 { offset += 1 }
            guard offset == bytes.count else { throw PropertyListError(.misplaced, at: offset) }
            return true
        case .end(let element):
            guard let last = stack.last else { throw PropertyListError(.tag, at: start) }
            if last.element != element {
                let isOfArray = stack[0].element == .array
                if isOfArray, stack.count == 1, element == .dict {
                    firstFailure = firstFailure ?? PropertyListError(.tag, at: start)
                    return false
                }
                guard isOfArray, stack.count == 2, element == .array, isEndAhead(from: offset) else {
                    throw PropertyListError(.tag, at: start)
                }
                try close(at: start, &whole)
            }
            try close(at: start, &whole)
        case .start(.key, let isEmpty):
            guard let last = stack.indices.last, stack[last].element == .dict else {
                throw PropertyListError(.tag, at: start)
            }
            stack[last].endKey()
            stack[last].key = isEmpty ? [] : try text(in: .key)
        case .start(.plist, _): throw PropertyListError(.tag, at: start)
        case .start(let element, let isEmpty) where element == .array || element == .dict:
            if element == .dict, stack.count == 2, stack[0].element == .array, stack[1].element == .dict,
                stack[1].key == nil, !stack[1].entries.isEmpty
            {
                // The end of the one before is missing.
                try close(at: start, &whole)
            }
            guard stack.count < depth else { throw PropertyListError(.tooDeep, at: start) }
            guard !isEmpty else {
                try take(element == .array ? .array([]) : .dictionary([]), at: start, &whole)
                return false
            }
            stack.append(Frame(element: element))
        case .start(let element, let isEmpty):
            try take(try leaf(element, isEmpty: isEmpty, at: start), at: start, &whole)
        }
        return false
    }

    /// Closes the innermost array or dictionary.
    private mutating func close(at start: Int, _ whole: inout PropertyList?) throws(PropertyListError) {
        guard var frame = stack.popLast() else { throw PropertyListError(.tag, at: start) }
        frame.endKey()
        try take(frame.element == .array ? .array(frame.values) : .dictionary(frame.entries), at: start, &whole)
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
        tagStart = offset
        if stack.count == 1 { valueStart = offset }
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
                try passComment()
            } else if !stack.isEmpty, isAhead("<?") {
                // For some other program: a processing instruction (XML 1.0, 2.6).
                try pass(after: "?>")
            } else {
                return
            }
        }
    }

    private mutating func passComment() throws(PropertyListError) {
        let start = offset
        offset += 4
        guard !isCommentOpen else { throw PropertyListError(.cutOff, at: bytes.count) }
        do throws(PropertyListError) {
            try pass(after: "-->")
        } catch {
            (isCommentOpen, offset) = (true, start + 4)
            throw error
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
            if quote != nil, byte != UInt8(ascii: "<") {
                // No value of an attribute has a `<` in it (XML 1.0, 2.3): a quote was not closed.
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == end {
                offset += 1
                return
            } else if byte == other || quote != nil {
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
                guard !isDataOpen else { throw PropertyListError(.cutOff, at: bytes.count) }
                do throws(PropertyListError) {
                    try pass(after: "]]>")
                } catch {
                    (isDataOpen, offset) = (true, content)
                    throw error
                }
                writer.write(bytes: bytes.span.extracting(content..<offset - 3))
            } else if isAhead("<!--") {
                try passComment()
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
        guard end < limit, let scalar = xmlEntity(named: bytes[start..<end]) else { return nil }
        offset = end + 1
        return scalar
    }
}
