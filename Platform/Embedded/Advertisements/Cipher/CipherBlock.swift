/// A block of 16 bytes, as AES has them.
public struct CipherBlock: Equatable, Sendable {
    /// The first eight bytes, the first one the most significant.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64

    /// Creates a block of two halves.
    public init(high: UInt64 = 0, low: UInt64 = 0) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes; nil for another number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(padded: bytes[...])
    }

    /// The first 16 of some bytes, filled up with noughts.
    init(padded bytes: ArraySlice<UInt8>) {
        self.init()
        for (place, byte) in bytes.prefix(16).enumerated() { put(byte, at: place) }
    }

    /// The bytes in their order.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for place in 0..<16 { bytes.append(byte(at: place)) }
        return bytes
    }

    /// The byte at a place, counted from 0; nought beyond the end.
    func byte(at place: Int) -> UInt8 {
        switch place {
        case 0..<8: UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(place)))
        case 8..<16: UInt8(truncatingIfNeeded: low >> (120 - 8 * UInt64(place)))
        default: 0
        }
    }

    /// Sets the bits of a byte at a place that is nought yet.
    private mutating func put(_ byte: UInt8, at place: Int) {
        if place < 8 {
            high |= UInt64(byte) << (56 - 8 * UInt64(place))
        } else {
            low |= UInt64(byte) << (120 - 8 * UInt64(place))
        }
    }

    /// Adds another block, bit by bit without carry.
    static func ^= (left: inout CipherBlock, right: CipherBlock) {
        left.high ^= right.high
        left.low ^= right.low
    }
}

/// A block cipher that has its key: AES-128 for all formats here. The hub gives one, so that the engine has no cryptography of
/// its own but the mode.
public protocol BlockCipher {
    /// Encrypts a block in place (FIPS 197, 5.1).
    func encrypt(_ block: inout CipherBlock)
}

/// A block cipher that nobody has the key of, for what is called without one.
public struct NoCipher: BlockCipher, Sendable {
    private init() {}

    /// Leaves the block as it is: there is no value of this type.
    public func encrypt(_ block: inout CipherBlock) {}
}
