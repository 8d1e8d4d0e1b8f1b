/// A reader of little-endian numbers. Beyond the end it returns zeros and remembers that, so that a caller checks once
/// for all fields of a record.
public struct LittleEndianReader: Sendable {
    private var bytes: ArraySlice<UInt8>
    /// Whether a read went beyond the end.
    public private(set) var isCutOff = false

    /// A reader at the first of these bytes.
    public init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The number of bytes that are left.
    public var remaining: Int { bytes.count }

    /// The next byte.
    public mutating func uint8() -> UInt8 {
        guard let byte = bytes.popFirst() else {
            isCutOff = true
            return 0
        }
        return byte
    }

    /// The next two bytes.
    public mutating func uint16() -> UInt16 { UInt16(uint8()) | UInt16(uint8()) << 8 }
    /// The next four bytes.
    public mutating func uint32() -> UInt32 { UInt32(uint16()) | UInt32(uint16()) << 16 }
    /// The next eight bytes.
    public mutating func uint64() -> UInt64 { UInt64(uint32()) | UInt64(uint32()) << 32 }
    /// The next two bytes, two's complement.
    public mutating func int16() -> Int16 { Int16(bitPattern: uint16()) }
    /// The next four bytes, two's complement.
    public mutating func int32() -> Int32 { Int32(bitPattern: uint32()) }
    /// The next eight bytes, two's complement.
    public mutating func int64() -> Int64 { Int64(bitPattern: uint64()) }

    /// The next `count` bytes; if there are fewer, none, and the rest is skipped.
    public mutating func take(_ count: Int) -> [UInt8] {
        guard count >= 0, count <= bytes.count else {
            isCutOff = true
            bytes = []
            return []
        }
        let taken = Array(bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        return taken
    }

    /// The next bytes, preceded by their count in one byte.
    public mutating func takeCounted() -> [UInt8] { take(Int(uint8())) }

    /// Whether there are enough bytes for a number of records; if not, the rest is skipped. Call it before reading
    /// them, so that a few bytes that announce many records cost nothing.
    public mutating func hasRoom(for count: Int, ofBytes least: Int) -> Bool {
        guard remaining < count * least else { return true }
        isCutOff = true
        bytes = []
        return false
    }
}

extension [UInt8] {
    /// Appends bytes preceded by their count in one byte; there may be at most 255.
    public mutating func append(counted bytes: [UInt8]) {
        append(UInt8(clamping: bytes.count))
        append(contentsOf: bytes)
    }

    /// Appends a number in little-endian order.
    public mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        var rest = number
        for _ in 0..<Number.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
