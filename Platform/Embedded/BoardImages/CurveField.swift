/// A number of the field of 2^255 - 19, over which Ed25519 counts (RFC 8032, section 5.1): eight words of 32 bits, the lowest first.
///
/// It is any number below 2^256 that stands for it; ``reduced`` is the least. None of it is secret here: signatures are verified,
/// and never made.
struct CurveField: Sendable {
    var words: InlineArray<8, UInt32>

    init(_ words: InlineArray<8, UInt32>) { self.words = words }
    init(_ small: UInt32) { words = [small, 0, 0, 0, 0, 0, 0, 0] }

    /// The number d of the curve (RFC 8032, section 5.1).
    static var d: CurveField {
        CurveField([
            0x1359_78A3, 0x75EB_4DCA, 0x4141_D8AB, 0x0070_0A4D, 0x7779_E898, 0x8CC7_4079,
            0x2B6F_FE73, 0x5203_6CEE,
        ])
    }
    /// A square root of -1.
    static var rootOfMinusOne: CurveField {
        CurveField([
            0x4A0E_A0B0, 0xC4EE_1B27, 0xAD2F_E478, 0x2F43_1806, 0x3DFB_D7A7, 0x2B4D_0099,
            0x4FC1_DF0B, 0x2B83_2480,
        ])
    }

    /// 2^256 is 38 in the field.
    private mutating func fold(_ carry: UInt64) {
        var carry = carry
        while carry != 0 {
            carry &*= 38
            for index in 0..<8 {
                carry &+= UInt64(words[index])
                words[index] = UInt32(truncatingIfNeeded: carry)
                carry &>>= 32
            }
        }
    }

    static func + (left: CurveField, right: CurveField) -> CurveField {
        var sum = left
        var carry: UInt64 = 0
        for index in 0..<8 {
            carry &+= UInt64(left.words[index]) &+ UInt64(right.words[index])
            sum.words[index] = UInt32(truncatingIfNeeded: carry)
            carry &>>= 32
        }
        sum.fold(carry)
        return sum
    }

    static func - (left: CurveField, right: CurveField) -> CurveField {
        var difference = left
        var borrow: Int64 = 0
        for index in 0..<8 {
            borrow &+= Int64(left.words[index]) &- Int64(right.words[index])
            difference.words[index] = UInt32(truncatingIfNeeded: borrow)
            borrow &>>= 32
        }
        while borrow != 0 {
            borrow &*= 38
            for index in 0..<8 {
                borrow &+= Int64(difference.words[index])
                difference.words[index] = UInt32(truncatingIfNeeded: borrow)
                borrow &>>= 32
            }
        }
        return difference
    }

    @inline(never)
    static func * (left: CurveField, right: CurveField) -> CurveField {
        var product = InlineArray<16, UInt32>(repeating: 0)
        for row in 0..<8 {
            var carry: UInt64 = 0
            for column in 0..<8 {
                // At most (2^32 - 1)^2 + 2 (2^32 - 1), which is 2^64 - 1.
                carry &+= UInt64(left.words[row]) &* UInt64(right.words[column]) &+ UInt64(product[row &+ column])
                product[row &+ column] = UInt32(truncatingIfNeeded: carry)
                carry &>>= 32
            }
            product[row &+ 8] = UInt32(truncatingIfNeeded: carry)
        }
        var result = CurveField(0)
        var carry: UInt64 = 0
        for index in 0..<8 {
            carry &+= UInt64(product[index]) &+ 38 &* UInt64(product[index &+ 8])
            result.words[index] = UInt32(truncatingIfNeeded: carry)
            carry &>>= 32
        }
        result.fold(carry)
        return result
    }

    /// The power by an exponent of so many ones in binary, less some of the lowest.
    func power(ones: UInt32, without: UInt32) -> CurveField {
        var result = self
        var bit = ones &- 1
        while bit > 0 {
            bit &-= 1
            result = result * result
            if bit >= 32 || without &>> bit & 1 == 0 { result = result * self }
        }
        return result
    }

    /// The inverse: the power by p - 2, which is 2^255 - 1 - 20.
    var inverse: CurveField { power(ones: 255, without: 20) }

    /// The least number that stands for it.
    var reduced: CurveField {
        var result = self
        for _ in 0..<2 {
            let high = result.words[7] &>> 31
            result.words[7] &= 0x7FFF_FFFF
            result = result + CurveField(19 &* high)
        }
        // Below 2^255 now: p or more just when 19 more reach that.
        let more = result + CurveField(19)
        guard more.words[7] &>> 31 == 1 else { return result }
        result = more
        result.words[7] &= 0x7FFF_FFFF
        return result
    }

    var isZero: Bool { equals(CurveField(0)) }

    func equals(_ other: CurveField) -> Bool {
        let (left, right) = (reduced, other.reduced)
        for index in 0..<8 where left.words[index] != right.words[index] { return false }
        return true
    }
}
