/// Looks at a binary property list before it is read: its values name each other by number, so that a few bytes can
/// unfold into more than any machine holds, or into themselves. Foundation reads what passes here; sets, and what only
/// archives hold, do not pass: its bridging is not safe with them, and the original writes none.
///
/// The form is that of Apple's CFBinaryPList.c: "bplist00", the objects, a table of their offsets, and a trailer of 32
/// bytes.
struct BinaryPropertyList {
    /// What a binary property list begins with.
    static let mark = Array("bplist".utf8)
    /// The deepest nesting: the original's is three deep.
    static let depth = 16

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let table: Int
    private let count: Int
    private let top: Int
    /// What each object unfolds to; -1 where it has not been looked at.
    private var sizes: [Int]
    /// How deep each object is nested in itself, 0 for one that holds none. An object that is met again is not looked at
    /// anew, and may be met deeper than before: without its height, chains that end in each other would go as deep as the
    /// file is long, and Foundation's bridging overflows its stack some thousands deep.
    private var heights: [Int]

    /// - Returns: nil for what is none, or names places outside of itself.
    init?(_ bytes: [UInt8]) {
        let trailer = bytes.count - 32
        guard bytes.starts(with: Self.mark), trailer >= 8 else { return nil }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), count > 0, top < count, table <= trailer,
            count <= (trailer - table) / offsetSize
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
        sizes = Array(repeating: -1, count: count)
        heights = Array(repeating: 0, count: count)
    }

    /// Whether it holds only what a property list file can, unfolds to no more than so many values and bytes of text
    /// together, and is nested no deeper than ``depth``.
    mutating func isSound(upTo limit: Int) -> Bool {
        guard let size = size(of: top, depth: 0, limit: limit) else { return false }
        return size <= limit
    }

    /// - Returns: nil for what is too deep, too much, of another kind, or outside.
    private mutating func size(of object: Int, depth: Int, limit: Int) -> Int? {
        guard object < count, depth <= Self.depth else { return nil }
        if sizes[object] >= 0 { return depth + heights[object] <= Self.depth ? sizes[object] : nil }
        guard var place = Self.number(bytes, table + object * offsetSize, offsetSize), place < table else { return nil }
        let marker = bytes[place]
        place += 1
        var items = Int(marker & 0xF)
        // The kinds that say how many they hold: data, texts, arrays, sets, dictionaries.
        let hasCount = marker >> 4 >= 4 && marker >> 4 != 8
        if hasCount, items == 0xF {
            guard place < table, bytes[place] >> 4 == 1 else { return nil }
            let width = 1 << Int(bytes[place] & 0xF)
            guard width <= 8, let number = Self.number(bytes, place + 1, width) else { return nil }
            items = number
            place += 1 + width
        }
        var size = 1
        var height = 0
        switch marker >> 4 {
        case 0 where marker == 8 || marker == 9: break
        case 1 where items <= 4, 2 where items == 2 || items == 3, 3 where items == 3: break
        case 0xA, 0xD:
            // A dictionary's keys, then its values.
            let (references, isTooMany) = items.multipliedReportingOverflow(by: marker >> 4 == 0xD ? 2 : 1)
            guard !isTooMany, references <= (table - place) / referenceSize else { return nil }
            for index in 0..<references {
                guard let item = Self.number(bytes, place + index * referenceSize, referenceSize),
                    let held = self.size(of: item, depth: depth + 1, limit: limit)
                else { return nil }
                guard marker >> 4 == 0xA || index >= items || isText(item) else { return nil }
                size += held
                height = max(height, heights[item] + 1)
                guard size <= limit else { return nil }
            }
        case 4, 5, 6, 7:
            guard items <= (table - place) / (marker >> 4 == 6 ? 2 : 1) else { return nil }
            size += items
        default: return nil
        }
        sizes[object] = size
        heights[object] = height
        return size
    }

    /// Whether an object is of one of the kinds of text, as keys are. Only of an object whose size is known.
    private func isText(_ object: Int) -> Bool {
        guard let place = Self.number(bytes, table + object * offsetSize, offsetSize), place < table else {
            return false
        }
        return (5...7).contains(bytes[place] >> 4)
    }

    /// - Returns: nil outside of the bytes, and for more than an `Int` holds.
    private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int? {
        guard place >= 0, width <= 8, place <= bytes.count - width else { return nil }
        let number = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: number)
    }
}
