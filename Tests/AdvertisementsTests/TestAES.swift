import Advertisements

/// AES-128 as FIPS 197 describes it, for tests alone: slow, and open to anybody who measures its time.
struct TestAES: BlockCipher {
    private let roundKeys: [[UInt8]]

    /// - Parameter key: 16 bytes.
    init?(key: [UInt8]) {
        guard key.count == 16 else { return nil }
        var words = stride(from: 0, to: 16, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index % 4 == 0 {
                word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            }
            words.append(zip(words[index - 4], word).map { $0 ^ $1 })
        }
        roundKeys = stride(from: 0, to: 44, by: 4).map { Array(words[$0..<$0 + 4].joined()) }
    }

    func encrypt(_ block: inout CipherBlock) {
        var state = Self.sum(block.bytes, roundKeys[0])
        for round in 1...10 {
            state = state.map { Self.box[Int($0)] }
            state = (0..<16).map { state[($0 + 4 * ($0 % 4)) % 16] }
            if round < 10 { state = stride(from: 0, to: 16, by: 4).flatMap { Self.mixed(Array(state[$0..<$0 + 4])) } }
            state = Self.sum(state, roundKeys[round])
        }
        block = CipherBlock(state) ?? block
    }

    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }

    private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

    private static func mixed(_ column: [UInt8]) -> [UInt8] {
        (0..<4).map { row in
            let next = column[(row + 1) % 4]
            return doubled(column[row]) ^ doubled(next) ^ next ^ column[(row + 2) % 4] ^ column[(row + 3) % 4]
        }
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, result) = (left, right, UInt8(0))
        while right > 0 {
            if right & 1 == 1 { result ^= left }
            left = doubled(left)
            right >>= 1
        }
        return result
    }

    /// The substitution box: the inverse in the field, and an affine map (section 5.1.1).
    private static let box: [UInt8] = (0...255).map { substitute(UInt8($0)) }

    private static func substitute(_ byte: UInt8) -> UInt8 {
        var inverse: UInt8 = 0
        for candidate: UInt8 in 1...255 where product(byte, candidate) == 1 { inverse = candidate }
        var result: UInt8 = 0x63
        for shift: UInt8 in 0..<5 {
            result ^= inverse << shift
            if shift > 0 { result ^= inverse >> (8 - shift) }
        }
        return result
    }
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).compactMap { place in
        let start = digits.index(digits.startIndex, offsetBy: place)
        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
}
