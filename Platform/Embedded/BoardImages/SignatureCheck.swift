/// The verification of an Ed25519 signature (RFC 8032, section 5.1.7), of a message that comes in pieces. Without a heap: on a
/// board the message is read from the flash memory.
///
/// Whether the points agree is asked without the cofactor, as BoringSSL does it, which signs and verifies in the hub.
public struct SignatureCheck: Sendable {
    private let signature: InlineArray<64, UInt8>
    private let key: InlineArray<32, UInt8>
    private var hash = SHA512()

    /// The order of the base point, 2^252 and more (section 5.1).
    private static var order: InlineArray<8, UInt32> {
        [
            0x5CF5_D3ED, 0x5812_631A, 0xA2F7_9CD6, 0x14DE_F9DE, 0x0000_0000, 0x0000_0000,
            0x0000_0000, 0x1000_0000,
        ]
    }

    /// A check of a signature by a public key.
    public init(signature: InlineArray<64, UInt8>, key: InlineArray<32, UInt8>) {
        self.signature = signature
        self.key = key
        for index in 0..<32 { hash.update(signature[index]) }
        for index in 0..<32 { hash.update(key[index]) }
    }

    /// Takes a piece of the message.
    public mutating func update(_ bytes: Span<UInt8>) { hash.update(bytes) }

    /// Whether the signature is the key's, of all that was taken.
    public consuming func isValid() -> Bool {
        var scalar = InlineArray<8, UInt32>(repeating: 0)
        for index in 0..<32 { scalar[index &>> 2] |= UInt32(signature[32 &+ index]) &<< (8 &* UInt32(index & 3)) }
        // A signature whose scalar is not below the order would be a second one of the same message.
        guard !Self.isOrderOrMore(scalar), let point = CurvePoint(decoding: key) else { return false }
        let factor = Self.reduced(hash.finish())
        let (base, other) = (CurvePoint.base, point.negative)
        let both = base + other
        var sum = CurvePoint.zero
        var bit: UInt32 = 256
        while bit > 0 {
            bit &-= 1
            sum = sum + sum
            let (word, shift) = (Int(bit &>> 5), bit & 31)
            switch (scalar[word] &>> shift & 1, factor[word] &>> shift & 1) {
            case (1, 1): sum = sum + both
            case (1, 0): sum = sum + base
            case (0, 1): sum = sum + other
            default: break
            }
        }
        let expected = sum.encoded
        for index in 0..<32 where expected[index] != signature[index] { return false }
        return true
    }

    private static func isOrderOrMore(_ number: InlineArray<8, UInt32>) -> Bool {
        for index in (0..<8).reversed() where number[index] != order[index] { return number[index] > order[index] }
        return true
    }

    /// What is left of a hash, a number with its lowest byte first, when it is divided by the order: bit by bit.
    private static func reduced(_ hash: InlineArray<64, UInt8>) -> InlineArray<8, UInt32> {
        var rest = InlineArray<8, UInt32>(repeating: 0)
        for index in (0..<64).reversed() {
            var shift: UInt8 = 8
            while shift > 0 {
                shift &-= 1
                var carry = UInt32(hash[index] &>> shift & 1)
                for place in 0..<8 {
                    let high = rest[place] &>> 31
                    rest[place] = rest[place] &<< 1 | carry
                    carry = high
                }
                guard isOrderOrMore(rest) else { continue }
                var borrow: Int64 = 0
                for place in 0..<8 {
                    borrow &+= Int64(rest[place]) &- Int64(order[place])
                    rest[place] = UInt32(truncatingIfNeeded: borrow)
                    borrow &>>= 32
                }
            }
        }
        return rest
    }
}
