extension SampleBlock {
    private static let version: UInt8 = 1

    /// The block as bytes: version (1), axes, then as variable-length integers (LEB128, signed ones in zigzag) the number of
    /// samples, the first time, the interval, or 0 and each step where it is not constant, and for each axis the
    /// differences from sample to sample; at the end the CRC-32 of all before it.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [Self.version, UInt8(axes.count)]
        bytes.append(varint: UInt64(count))
        bytes.append(varint: UInt64(first))
        let interval = constantInterval
        bytes.append(varint: UInt64(interval ?? 0))
        if interval == nil {
            for index in 1..<count { bytes.append(varint: UInt64(times[index] - times[index - 1])) }
        }
        for axis in axes {
            var before: Int64 = 0
            for value in axis {
                bytes.append(zigzag: value - before)
                before = value
            }
        }
        bytes.append(littleEndian: crc32(bytes[...]))
        return bytes
    }

    /// 1 for a single sample; nil where the steps differ.
    private var constantInterval: Int64? {
        guard count > 1 else { return 1 }
        let step = times[1] - times[0]
        for index in 1..<count where times[index] - times[index - 1] != step { return nil }
        return step
    }

    /// Reads what ``encoded`` wrote.
    ///
    /// - Throws: `SampleBlockError`, whatever the bytes are.
    public init(encoded bytes: [UInt8]) throws(SampleBlockError) {
        guard bytes.count > 6, bytes[0] == Self.version else { throw .damaged }
        var seal = LittleEndianReader(bytes[(bytes.count - 4)...])
        guard crc32(bytes[..<(bytes.count - 4)]) == seal.uint32() else { throw .damaged }
        var reader = VarintReader(bytes[2..<(bytes.count - 4)])
        let axisCount = Int(bytes[1])
        let count = try reader.number(atMost: UInt64(Self.mostSamples))
        let first = try reader.number(atMost: UInt64(Self.latest))
        let interval = try reader.number(atMost: UInt64(Self.latest))
        // Each value takes a byte at least: what is said to be there is there before room is made for it.
        guard count > 0, axisCount > 0, axisCount <= Self.mostAxes, reader.remaining >= Int(count) * axisCount else {
            throw .damaged
        }
        var times: [Int64] = [Int64(first)]
        times.reserveCapacity(Int(count))
        for _ in 1..<max(Int(count), 1) {
            let step = try interval > 0 ? interval : reader.number(atMost: UInt64(Self.latest))
            times.append(times[times.count - 1] + Int64(step))
            guard times[times.count - 1] <= Self.latest else { throw .damaged }
        }
        var axes: [[Int64]] = []
        for _ in 0..<axisCount {
            var axis: [Int64] = []
            axis.reserveCapacity(Int(count))
            var value: Int64 = 0
            for _ in 0..<count {
                value = value &+ (try reader.zigzag())
                guard value >= -Self.greatest, value <= Self.greatest else { throw .damaged }
                axis.append(value)
            }
            axes.append(axis)
        }
        guard reader.remaining == 0 else { throw .damaged }
        try self.init(times: times, axes: axes)
    }
}

extension [UInt8] {
    /// Appends a number as LEB128: seven bits a byte, the lowest first, and the eighth says that more follow.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number so that small ones of either sign are short.
    mutating func append(zigzag number: Int64) {
        append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}

/// Reads variable-length integers.
struct VarintReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count }

    mutating func number(atMost most: UInt64 = .max) throws(SampleBlockError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            // Ten bytes hold 64 bits, and the tenth one of them.
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw .damaged }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard number <= most else { throw .damaged }
                return number
            }
            shift += 7
        }
        throw .damaged
    }

    mutating func zigzag() throws(SampleBlockError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
