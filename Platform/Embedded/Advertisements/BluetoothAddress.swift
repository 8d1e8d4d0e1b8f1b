import Wire

/// The address of a Bluetooth device, 48 bits (Bluetooth Core Specification, volume 6, part B, 1.3).
public struct BluetoothAddress: Hashable, Sendable {
    /// The address as a number: the byte that is written first is the most significant of 48 bits.
    public let value: UInt64

    /// Creates an address of a number; bits above the 48th are left out.
    public init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

    /// Reads six bytes in the order in which an address is written; nil for another number of bytes.
    public init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 6 else { return nil }
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        self.value = value
    }

    /// Reads six bytes in the order in which they go over the air, the last one first; nil for another number of bytes.
    public init?(reversed bytes: ArraySlice<UInt8>) {
        guard bytes.count == 6 else { return nil }
        value = littleEndian(bytes)
    }

    /// Reads `A4:C1:38:8D:18:B2`, in either case, also with hyphens or without separators; nil for other text.
    public init?(text: Span<UInt8>) {
        let hasSeparators = text.count == 17
        guard hasSeparators || text.count == 12 else { return nil }
        var value: UInt64 = 0
        var index = 0
        while index < text.count {
            guard let high = hexValue(text[index]), let low = hexValue(text[index + 1]) else { return nil }
            value = value << 8 | UInt64(high << 4 | low)
            index += 2
            guard hasSeparators, index < text.count else { continue }
            guard text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "-") else { return nil }
            index += 1
        }
        self.value = value
    }

    /// The six bytes in the order in which an address is written.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for place in 0..<6 { bytes.append(UInt8(truncatingIfNeeded: value >> (40 - 8 * UInt64(place)))) }
        return bytes
    }

    /// The six bytes in the order in which they go over the air, the last one first.
    public var reversedBytes: [UInt8] { bytes.reversed() }

    /// The address as `A4:C1:38:8D:18:B2`, ASCII.
    public var text: [UInt8] {
        var text: [UInt8] = []
        for byte in bytes {
            if !text.isEmpty { text.append(UInt8(ascii: ":")) }
            for digit in [hexDigit(byte >> 4), hexDigit(byte & 0xF)] {
                text.append(digit >= UInt8(ascii: "a") ? digit - 0x20 : digit)
            }
        }
        return text
    }
}

/// The number that up to eight bytes are, the least significant first; of more bytes the first eight.
func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for byte in bytes.prefix(8).reversed() { value = value << 8 | UInt64(byte) }
    return value
}

/// The number in two's complement that up to eight bytes are, the least significant first.
func signedLittleEndian(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let unused = Int64(64 - 8 * min(bytes.count, 8))
    guard unused < 64 else { return 0 }
    return (Int64(bitPattern: littleEndian(bytes)) << unused) >> unused
}

/// The unsigned number that bytes are, the most significant first.
func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for byte in bytes.prefix(8) { value = value << 8 | UInt64(byte) }
    return value
}
