import Wire

/// Reads a binary property list: "bplist00", the objects, a table of their offsets, and a trailer of 32 bytes, as in
/// Apple's CFBinaryPList.c.
///
/// Objects name each other by number, so that a few bytes can unfold into more than any machine holds, or into
/// themselves. Each object is read once and shared by all that name it; what it unfolds to is counted, and so are the
/// bytes that objects take, which are more than the file has where objects lie upon each other.
///
/// An object that cannot be read costs what names it: it is ``PropertyList/unreadable(_:)`` there, and so is one that names
/// itself, or none. A file of which no value is read whole is refused with its first error.
struct BinaryPropertyListReader {
    /// An array or dictionary of which not all parts are read.
    private struct Frame {
        let object: Int
        let isDictionary: Bool
        /// The number of a dictionary's pairs, or of an array's values.
        let items: Int
        /// The offset of its first reference.
        let place: Int
        var next = 0
        var keys: [[UInt8]] = []
        var values: [PropertyList] = []
        var size = 1
        var height = 0
        /// The reason why it has a key that is none.
        var fault: PropertyListError.Kind?

        /// The number of references: a dictionary has its keys first, then its values.
        var references: Int { isDictionary ? 2 * items : items }
    }

    private let bytes: [UInt8]
    private let depth: Int
    private let unfolded: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let table: Int
    private let top: Int
    /// The bytes that objects may still take, of twice the file's.
    private var untaken: Int
    private var stack: [Frame] = []
    /// The value of each object that was read.
    private var values: [PropertyList?]
    /// The size that each object unfolds to, in values and bytes of text; -1 while it is being read.
    private var sizes: [Int]
    /// The depth of nesting inside each object, 0 for one that holds none. An object that is met again is not read
    /// anew, and may be met deeper than before.
    private var heights: [UInt8]
    /// The first error that did not end the reading.
    private var firstFailure: PropertyListError?

    /// Reads the trailer.
    ///
    /// - Throws: for a trailer that names places outside of the file, or more objects than it has room for.
    init(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) {
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw PropertyListError(.cutOff, at: bytes.count) }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        // Every object has a byte of its own, an offset, and a number that a reference can hold.
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), count > 0, top < count, table >= 8, table <= trailer,
            count <= (trailer - table) / offsetSize, count <= table - 8,
            Self.fits(count - 1, in: offsetSize), Self.fits(count - 1, in: referenceSize)
        else { throw PropertyListError(.place, at: trailer) }
        self.bytes = bytes
        (self.offsetSize, self.referenceSize) = (offsetSize, referenceSize)
        (self.top, self.table) = (top, table)
        depth = min(limits.depth, Int(UInt8.max))
        unfolded = limits.unfolded(ofBytes: bytes.count)
        // One that says a wrong length takes nothing from the others.
        untaken = 2 * table
        values = Array(repeating: nil, count: count)
        sizes = Array(repeating: 0, count: count)
        heights = Array(repeating: 0, count: count)
    }

    mutating func read() throws(PropertyListError) -> PropertyList {
        while true {
            guard let last = stack.indices.last else {
                if let value = values[top] { return try checked(value) }
                try openOrMark(top)
                continue
            }
            let (next, place) = (stack[last].next, stack[last].place + stack[last].next * referenceSize)
            guard next < stack[last].references else {
                close()
                continue
            }
            guard let item = Self.number(bytes, place, referenceSize), item < values.count else {
                add(unreadable(.place, at: place), size: 1, height: 0)
                continue
            }
            guard let value = values[item] else {
                if sizes[item] == -1 {
                    // One that is open already holds itself.
                    add(unreadable(.unfolds, at: place), size: 1, height: 0)
                } else {
                    // A value that holds no others is there now; another is read first, and then looked at again.
                    try openOrMark(item)
                }
                continue
            }
            guard stack.count + Int(heights[item]) <= depth, sizes[item] <= unfolded - stack[last].size else {
                throw PropertyListError(.unfolds, at: place)
            }
            add(value, size: sizes[item], height: Int(heights[item]))
        }
    }

    /// Adds the next value, or key, to the innermost array or dictionary.
    private mutating func add(_ value: PropertyList, size: Int, height: Int) {
        guard let last = stack.indices.last else { return }
        if stack[last].isDictionary, stack[last].next < stack[last].items {
            if case .text(let key) = value {
                stack[last].keys.append(key)
            } else {
                stack[last].keys.append([])
                stack[last].fault = .archive
                firstFailure = firstFailure ?? PropertyListError(.archive, at: stack[last].place)
            }
        } else {
            stack[last].values.append(value)
        }
        stack[last].size += size
        stack[last].height = max(stack[last].height, height + 1)
        stack[last].next += 1
    }

    private mutating func unreadable(_ kind: PropertyListError.Kind, at place: Int) -> PropertyList {
        firstFailure = firstFailure ?? PropertyListError(kind, at: place)
        return .unreadable(kind)
    }

    /// Reads an object, or begins one that holds others; one that cannot be read is marked as such.
    ///
    /// - Throws: where the file unfolds to more than it may.
    private mutating func openOrMark(_ object: Int) throws(PropertyListError) {
        do throws(PropertyListError) {
            try open(object)
        } catch {
            guard error.kind != .unfolds else { throw error }
            values[object] = unreadable(error.kind, at: error.offset)
            (sizes[object], heights[object]) = (1, 0)
        }
    }

    /// The outcome of a file.
    ///
    /// - Throws: the first error, where it left nothing whole.
    private func checked(_ whole: PropertyList) throws(PropertyListError) -> PropertyList {
        guard let firstFailure else { return whole }
        guard case .array(let values) = whole, values.contains(where: { Self.isWhole($0) }) else { throw firstFailure }
        return whole
    }

    /// Whether nothing in a value, or in the values that it holds, is unreadable.
    private static func isWhole(_ value: PropertyList) -> Bool {
        func isRead(_ value: PropertyList) -> Bool { if case .unreadable = value { false } else { true } }
        switch value {
        case .array(let values): return values.allSatisfy(isRead)
        case .dictionary(let entries): return entries.allSatisfy { isRead($0.value) }
        default: return isRead(value)
        }
    }

    /// Closes the innermost array or dictionary, of which all is read.
    private mutating func close() {
        guard let frame = stack.popLast() else { return }
        values[frame.object] =
            frame.fault.map { .unreadable($0) }
            ?? (frame.isDictionary
                ? .dictionary(zip(frame.keys, frame.values).map { PropertyList.Entry(key: $0, value: $1) })
                : .array(frame.values))
        sizes[frame.object] = frame.size
        heights[frame.object] = UInt8(clamping: frame.height)
    }

    /// Reads an object, or begins one that holds others.
    private mutating func open(_ object: Int) throws(PropertyListError) {
        guard var place = Self.number(bytes, table + object * offsetSize, offsetSize), (8..<table).contains(place)
        else {
            throw PropertyListError(.place, at: table + object * offsetSize)
        }
        let start = place
        let kind = bytes[start] >> 4
        var items = Int(bytes[start] & 0xF)
        place += 1
        // The kinds that say how many they hold: data, texts, arrays, dictionaries.
        if (4...7).contains(kind) || kind == 0xA || kind == 0xD, items == 0xF {
            guard place < table, bytes[place] >> 4 == 1, bytes[place] & 0xF <= 3 else {
                throw PropertyListError(.place, at: place)
            }
            let width = 1 << Int(bytes[place] & 0xF)
            guard let number = Self.number(bytes, place + 1, width) else { throw PropertyListError(.place, at: place) }
            items = number
            place += 1 + width
        }
        switch kind {
        case 0xA, 0xD:
            guard stack.count <= depth else { throw PropertyListError(.unfolds, at: start) }
            try take(items, of: kind == 0xD ? 2 * referenceSize : referenceSize, at: place)
            sizes[object] = -1
            stack.append(Frame(object: object, isDictionary: kind == 0xD, items: items, place: place))
            return
        case 4, 5, 6, 7:
            let width = kind == 6 ? 2 : 1
            try take(items, of: width, at: place)
            let content = Array(bytes[place..<place + width * items])
            values[object] = try Self.text(content, ofKind: kind, at: start)
            sizes[object] = 1 + items
            return
        case 0 where bytes[start] == 8 || bytes[start] == 9: values[object] = .boolean(bytes[start] == 9)
        case 1 where items <= 4:
            try take(1, of: 1 << items, at: place)
            values[object] = .integer(try integer(at: place, width: 1 << items))
        case 2 where items == 2 || items == 3, 3 where items == 3:
            try take(1, of: 1 << items, at: place)
            let bits = Self.bits(bytes, place, 1 << items)
            let number = items == 2 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
            values[object] = kind == 2 ? .real(number) : .date(.seconds(number))
        default: throw PropertyListError(.archive, at: start)
        }
        sizes[object] = 1
    }

    /// Counts bytes of the file as taken by one object.
    private mutating func take(_ items: Int, of width: Int, at place: Int) throws(PropertyListError) {
        guard place <= table, items <= (table - place) / width, items * width <= untaken else {
            throw PropertyListError(.place, at: place)
        }
        untaken -= items * width
    }

    private static func text(_ content: [UInt8], ofKind kind: UInt8, at start: Int) throws(PropertyListError)
        -> PropertyList
    {
        switch kind {
        case 4: return .data(content)
        case 5:
            guard !content.contains(where: { $0 >= 0x80 }) else { throw PropertyListError(.notUTF8, at: start) }
            return .text(content)
        case 7:
            guard isUTF8(content.span) else { throw PropertyListError(.notUTF8, at: start) }
            return .text(content)
        default: return .text(utf8(ofUTF16: content))
        }
    }

    /// Converts UTF-16, the higher byte first, to UTF-8. Half of a surrogate pair becomes U+FFFD, as in Foundation.
    private static func utf8(ofUTF16 content: [UInt8]) -> [UInt8] {
        var writer = TextWriter()
        var place = 0
        func unit(_ place: Int) -> UInt32? {
            place + 1 < content.count ? UInt32(content[place]) << 8 | UInt32(content[place + 1]) : nil
        }
        while let first = unit(place) {
            place += 2
            guard first & 0xF800 == 0xD800 else {
                writer.write(scalar: first)
                continue
            }
            guard first < 0xDC00, let second = unit(place), second & 0xFC00 == 0xDC00 else {
                writer.write(scalar: 0xFFFD)
                continue
            }
            place += 2
            writer.write(scalar: 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        }
        return writer.bytes
    }

    /// Reads an integer: one to four bytes hold no sign, eight do; sixteen are for numbers that eight with a sign do
    /// not hold.
    private func integer(at place: Int, width: Int) throws(PropertyListError) -> Int64 {
        if width == 16 {
            guard Self.bits(bytes, place, 8) == 0, let number = Int64(exactly: Self.bits(bytes, place + 8, 8)) else {
                throw PropertyListError(.number, at: place)
            }
            return number
        }
        return Int64(bitPattern: Self.bits(bytes, place, width))
    }

    private static func fits(_ number: Int, in width: Int) -> Bool { width >= 8 || number >> (8 * width) == 0 }

    /// Reads a number, the highest byte first.
    ///
    /// - Returns: nil outside of the bytes, and for more than an `Int` holds.
    private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int? {
        guard place >= 0, width <= 8, place <= bytes.count - width else { return nil }
        return Int(exactly: bits(bytes, place, width))
    }

    /// Reads at most eight bytes that are known to be there, the highest first.
    private static func bits(_ bytes: [UInt8], _ place: Int, _ width: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in place..<place + width { bits = bits << 8 | UInt64(bytes[index]) }
        return bits
    }
}
