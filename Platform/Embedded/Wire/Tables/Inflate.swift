/// The reason why compressed bytes cannot be unfolded.
public enum InflateError: Error, Sendable, Equatable {
    /// The bytes are not DEFLATE, or end before their end.
    case damaged
    /// The bytes unfold to more than was allowed.
    case tooLarge
}

/// The bytes that a DEFLATE stream (RFC 1951) unfolds to.
///
/// - Parameter limit: the most bytes that may come of it: a thousandth of them is enough to describe them.
public func inflated(_ packed: Span<UInt8>, upTo limit: Int) throws(InflateError) -> [UInt8] {
    var stream = InflateStream()
    return try stream.unfold(packed, limit)
}

/// The state of unfolding: where it stands in the stream, and what came of it.
private struct InflateStream {
    private var position = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// The order in which the lengths of the code of code lengths stand (3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    /// The least length of each symbol from 257 on, and its further bits (3.2.5).
    private static let lengths: [(base: Int, bits: Int)] = [
        (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2),
        (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5),
        (163, 5), (195, 5), (227, 5), (258, 0),
    ]

    mutating func unfold(_ packed: Span<UInt8>, _ limit: Int) throws(InflateError) -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try take(1, packed) == 1
            switch try take(2, packed) {
            case 0: try copyStored(packed, limit)
            case 1:
                var lengths = [UInt8](repeating: 8, count: 144)
                lengths += [UInt8](repeating: 9, count: 112)
                lengths += [UInt8](repeating: 7, count: 24)
                lengths += [UInt8](repeating: 8, count: 8)
                try unfoldBlock(
                    packed, limit, HuffmanCode(lengths[...]), HuffmanCode([UInt8](repeating: 5, count: 30)[...]))
            case 2:
                let (literals, distances) = try codes(packed)
                try unfoldBlock(packed, limit, literals, distances)
            default: throw .damaged
            }
        }
        return output
    }

    private mutating func fill(_ packed: Span<UInt8>) {
        while bitCount <= 56, position < packed.count {
            bits |= UInt64(packed[position]) << UInt64(bitCount)
            bitCount += 8
            position += 1
        }
    }

    private mutating func take(_ count: Int, _ packed: Span<UInt8>) throws(InflateError) -> Int {
        if bitCount < count { fill(packed) }
        guard bitCount >= count else { throw .damaged }
        let value = Int(bits & ((1 << UInt64(count)) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func copyStored(_ packed: Span<UInt8>, _ limit: Int) throws(InflateError) {
        _ = try take(bitCount % 8, packed)
        let count = try take(16, packed)
        guard try take(16, packed) == ~count & 0xFFFF else { throw .damaged }
        // What was read ahead is given back.
        position -= bitCount / 8
        (bits, bitCount) = (0, 0)
        guard count <= packed.count - position else { throw .damaged }
        guard count <= limit - output.count else { throw .tooLarge }
        for index in position..<(position + count) { output.append(packed[index]) }
        position += count
    }

    /// The codes that a block brings (3.2.7).
    private mutating func codes(_ packed: Span<UInt8>) throws(InflateError) -> (HuffmanCode, HuffmanCode) {
        let literalCount = try take(5, packed) + 257
        let distanceCount = try take(5, packed) + 1
        let lengthCount = try take(4, packed) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw .damaged }
        var small = [UInt8](repeating: 0, count: 19)
        for place in 0..<lengthCount { small[Self.order[place]] = UInt8(truncatingIfNeeded: try take(3, packed)) }
        let code = try HuffmanCode(small[...])
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try next(code, packed)
            var (length, count) = (UInt8(truncatingIfNeeded: symbol), 1)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .damaged }
                (length, count) = (last, try take(2, packed) + 3)
            case 17: (length, count) = (0, try take(3, packed) + 3)
            case 18: (length, count) = (0, try take(7, packed) + 11)
            default: break
            }
            guard count <= literalCount + distanceCount - lengths.count else { throw .damaged }
            for _ in 0..<count { lengths.append(length) }
        }
        // Without an end no block ends.
        guard lengths[256] > 0 else { throw .damaged }
        return (try HuffmanCode(lengths[..<literalCount]), try HuffmanCode(lengths[literalCount...]))
    }

    private mutating func unfoldBlock(
        _ packed: Span<UInt8>, _ limit: Int, _ literals: HuffmanCode, _ distances: HuffmanCode
    ) throws(InflateError) {
        while true {
            let symbol = try next(literals, packed)
            if symbol < 256 {
                guard output.count < limit else { throw .tooLarge }
                output.append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengths.count else { throw .damaged }
            let (base, bits) = Self.lengths[symbol - 257]
            let length = base + (try take(bits, packed))
            let code = try next(distances, packed)
            guard code < 30 else { throw .damaged }
            let further = code < 4 ? 0 : code / 2 - 1
            let start = code < 4 ? code : (2 + code % 2) << further
            let distance = 1 + start + (try take(further, packed))
            guard distance <= output.count else { throw .damaged }
            guard length <= limit - output.count else { throw .tooLarge }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// The next symbol of a code.
    private mutating func next(_ code: HuffmanCode, _ packed: Span<UInt8>) throws(InflateError) -> Int {
        if bitCount < HuffmanCode.longest { fill(packed) }
        let found = code.short[Int(bits & UInt64(HuffmanCode.shortCount - 1))]
        if found != 0, Int(found & 0xF) <= bitCount {
            bits >>= UInt64(found & 0xF)
            bitCount -= Int(found & 0xF)
            return Int(found >> 4)
        }
        // Length by length, as the codes were given out (3.2.2).
        var (value, first, index) = (0, 0, 0)
        for length in 1...HuffmanCode.longest {
            guard length <= bitCount else { throw .damaged }
            value = value << 1 | Int(bits >> UInt64(length - 1) & 1)
            let count = code.counts[length]
            if value - first < count {
                bits >>= UInt64(length)
                bitCount -= length
                return Int(code.symbols[index + value - first])
            }
            index += count
            first = (first + count) << 1
        }
        throw .damaged
    }
}

/// A Huffman code, as the lengths of its symbols give it (RFC 1951, 3.2.2).
private struct HuffmanCode {
    /// The most bits of a code.
    static let longest = 15
    private static let shortBits = 9
    /// The number of values of as many bits as are looked up at once.
    static let shortCount = 1 << shortBits

    /// The number of codes of each length.
    let counts: [Int]
    /// The symbols in the order of their codes.
    let symbols: [UInt16]
    /// The symbol and the length of the code with which these bits begin, for the short ones; 0 for none.
    let short: [UInt16]

    /// A code of these lengths.
    ///
    /// - Throws: `damaged` for more codes than there are.
    init(_ lengths: ArraySlice<UInt8>) throws(InflateError) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var left = 1
        for length in 1...Self.longest {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw .damaged }
        }
        var offsets = [Int](repeating: 0, count: Self.longest + 2)
        for length in 1...Self.longest { offsets[length + 1] = offsets[length] + counts[length] }
        var symbols = [UInt16](repeating: 0, count: lengths.count)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[Int(length)]] = UInt16(truncatingIfNeeded: symbol)
            offsets[Int(length)] += 1
        }
        var short = [UInt16](repeating: 0, count: Self.shortCount)
        var (code, index) = (0, 0)
        for length in 1...Self.shortBits {
            for _ in 0..<counts[length] {
                var reversed = 0
                for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
                for place in stride(from: reversed, to: Self.shortCount, by: 1 << length) {
                    short[place] = symbols[index] << 4 | UInt16(length)
                }
                code += 1
                index += 1
            }
            code <<= 1
        }
        (self.counts, self.symbols, self.short) = (counts, symbols, short)
    }
}
