import Wire

extension ReadingBlock {
    private static let version: UInt8 = 1

    /// The encoding of the values: 0 to 6 for whole multiples of a tenth to that power, or one of these.
    private enum Form {
        /// Indices into a sorted table of the distinct values.
        static let table = 7
        /// The changed bits of each value, as in Gorilla.
        static let bits = 8
    }

    /// The number of decimals that are tried.
    private static let mostDecimals = 6
    /// The power of ten. A switch, since a table would be in every page's WebAssembly, used or not.
    private static func scale(_ decimals: Int) -> Double {
        switch decimals {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1_000
        case 4: 10_000
        case 5: 100_000
        default: 1_000_000
        }
    }
    /// The greatest number up to which whole numbers and halves are exact in a `Double`.
    private static let greatestMultiple: Double = 4_503_599_627_370_496
    /// The number of distinct values in a table, at most.
    private static let mostEntries = 4_096

    /// The encoded block: the version (1), then as bits the encoding of the values in eight and the count minus one in
    /// 16, the first time, the other times (``RiceChunks``) and the values; at the end, after the last byte is filled
    /// up, the CRC-32 of everything before.
    public var encoded: [UInt8] {
        var bytes = smallest
        bytes.append(littleEndian: crc32(bytes[...]))
        return bytes
    }

    private var smallest: [UInt8] {
        // Decimals are what sensors send; where they fit, nothing else is tried.
        if let (decimals, multiples) = multiples {
            return encoded(as: decimals) { writer in writer.putAll(multiples) }
        }
        let bits = encoded(as: Form.bits) { writer in writer.putBits(of: values) }
        guard let (table, places) = table else { return bits }
        let other = encoded(as: Form.table) { writer in
            writer.put(UInt64(table.count), count: 16)
            for entry in table { writer.putWide(entry, count: 64) }
            writer.putAll(places)
        }
        return other.count < bits.count ? other : bits
    }

    private func encoded(as form: Int, _ putValues: (inout BitWriter) -> Void) -> [UInt8] {
        var writer = BitWriter(after: [Self.version])
        writer.put(UInt64(form), count: 8)
        writer.put(UInt64(count - 1), count: 16)
        writer.putAll(times)
        putValues(&writer)
        return writer.finish()
    }

    /// The fewest decimals with which each value is restored exactly, and the values as multiples of the last one; nil
    /// if there are too many.
    private var multiples: (decimals: Int, [Int64])? {
        var decimals = 0
        for value in values {
            while Self.multiple(of: value, decimals) == nil {
                decimals += 1
                guard decimals <= Self.mostDecimals else { return nil }
            }
        }
        var multiples: [Int64] = []
        multiples.reserveCapacity(count)
        for value in values {
            guard let multiple = Self.multiple(of: value, decimals) else { return nil }
            multiples.append(multiple)
        }
        return (decimals, multiples)
    }

    private static func multiple(of value: Double, _ decimals: Int) -> Int64? {
        let scaled = value * scale(decimals)
        guard scaled > -greatestMultiple, scaled < greatestMultiple else { return nil }
        let multiple = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
        return (Double(multiple) / scale(decimals)).bitPattern == value.bitPattern ? multiple : nil
    }

    /// The distinct values in order, and the index of each value among them; nil if there are too many to be worth it.
    private var table: ([UInt64], [Int64])? {
        var keys: [UInt64] = []
        keys.reserveCapacity(count)
        for value in values { keys.append(value.orderedBits) }
        var sorted = keys
        sorted.sort()
        var table: [UInt64] = []
        for key in sorted where table.last != key { table.append(key) }
        guard table.count <= min(count / 4, Self.mostEntries) else { return nil }
        var places: [Int64] = []
        places.reserveCapacity(count)
        for key in keys {
            var (low, high) = (0, table.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if table[middle] < key { low = middle + 1 } else { high = middle }
            }
            places.append(Int64(low))
        }
        return (table, places)
    }

    /// Decodes bytes of ``encoded``.
    ///
    /// - Throws: `ReadingBlockError.damaged` for any other bytes.
    public init(encoded bytes: [UInt8]) throws(ReadingBlockError) {
        guard let block = bytes.withUnsafeBytes({ Self.decoded($0) }) else { throw .damaged }
        self = block
    }

    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> ReadingBlock? {
        let end = bytes.count - 4
        guard end > 1, bytes[0] == version else { return nil }
        let seal = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
        guard SlicedChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == seal else { return nil }
        var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[1..<end]))
        let form = Int(reader.take(8))
        let count = Int(reader.take(16)) + 1
        guard let times = reader.takeAll(count), rise(times), let values = values(count, form, &reader),
            (0..<8).contains(reader.remaining)
        else { return nil }
        return ReadingBlock(unchecked: times, values)
    }

    private static func values(_ count: Int, _ form: Int, _ reader: inout BitReader) -> [Double]? {
        switch form {
        case 0...mostDecimals:
            let scale = scale(form)
            return reader.takeAll(count)?.map { Double($0) / scale }
        case Form.table: return tableValues(count, &reader)
        case Form.bits: return reader.takeBits(count)
        default: return nil
        }
    }

    private static func tableValues(_ count: Int, _ reader: inout BitReader) -> [Double]? {
        let entries = Int(reader.take(16))
        guard entries > 0, entries <= mostEntries else { return nil }
        var table: [Double] = []
        table.reserveCapacity(entries)
        for _ in 0..<entries { table.append(Double(orderedBits: reader.takeWide(64))) }
        guard let places = reader.takeAll(count) else { return nil }
        var values: [Double] = []
        values.reserveCapacity(count)
        for place in places {
            guard place >= 0, place < Int64(entries) else { return nil }
            values.append(table[Int(place)])
        }
        return values
    }
}

extension Double {
    /// The bits of the number, changed so that they order as the numbers do.
    fileprivate var orderedBits: UInt64 { bitPattern >> 63 == 0 ? bitPattern | 1 << 63 : ~bitPattern }

    fileprivate init(orderedBits bits: UInt64) {
        self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}

extension BitWriter {
    /// Appends the first number, and the others relative to it.
    fileprivate mutating func putAll(_ numbers: [Int64]) {
        put(signed: numbers[0])
        put(Array(numbers.dropFirst()), after: numbers[0])
    }

    /// Appends the first value, and for each other the change of its bits: 0 for none; 10, and the bits within the same
    /// leading and trailing zeros as in the change before; or 11, the number of leading zeros in six bits, the number
    /// of the other bits minus one in six, and these (T. Pelkonen et al., *Gorilla: A Fast, Scalable, In-Memory Time
    /// Series Database*, VLDB 2015).
    fileprivate mutating func putBits(of values: [Double]) {
        putWide(values[0].bitPattern, count: 64)
        var window: (lead: Int, length: Int)?
        for index in 1..<max(values.count, 1) {
            let change = values[index].bitPattern ^ values[index - 1].bitPattern
            guard change != 0 else {
                put(0, count: 1)
                continue
            }
            let (lead, trail) = (change.leadingZeroBitCount, change.trailingZeroBitCount)
            if let known = window, lead >= known.lead, trail >= 64 - known.lead - known.length {
                put(0b10, count: 2)
                putWide(change >> UInt64(64 - known.lead - known.length), count: known.length)
            } else {
                let length = 64 - lead - trail
                put(0b11, count: 2)
                put(UInt64(lead), count: 6)
                put(UInt64(length - 1), count: 6)
                putWide(change >> UInt64(trail), count: length)
                window = (lead, length)
            }
        }
    }
}

extension BitReader {
    /// Reads numbers; nil if the bits are not such numbers.
    fileprivate mutating func takeAll(_ count: Int) -> [Int64]? {
        guard let first = signed() else { return nil }
        var numbers = [Int64](repeating: first, count: count)
        return numbers.withUnsafeMutableBufferPointer { takeNumbers(into: $0) } ? numbers : nil
    }

    /// Reads values; nil if the bits are not such values.
    fileprivate mutating func takeBits(_ count: Int) -> [Double]? {
        var bits = takeWide(64)
        var values: [Double] = []
        values.reserveCapacity(count)
        values.append(Double(bitPattern: bits))
        var (lead, length) = (0, 0)
        for _ in 1..<max(count, 1) {
            if take(1) == 1 {
                if take(1) == 1 {
                    lead = Int(take(6))
                    length = Int(take(6)) + 1
                }
                guard length > 0, lead + length <= 64 else { return nil }
                bits ^= takeWide(length) << UInt64(64 - lead - length)
            }
            values.append(Double(bitPattern: bits))
        }
        return values
    }
}
