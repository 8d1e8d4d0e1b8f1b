/// The square root, correctly rounded (IEEE 754, 5.4.1), which Swift calls by C's name. It goes digit by digit, in integers: an
/// own ``Double/squareRoot()`` would call this function.
@c(sqrt) func squareRoot(_ value: Double) -> Double {
    guard value > 0, value < .infinity else { return value == 0 || value == .infinity ? value : .nan }
    var significand = value.bitPattern & 0xF_FFFF_FFFF_FFFF
    var exponent = Int64(value.bitPattern &>> 52) &- 1_023
    if exponent == -1_023 {
        // Subnormal: the highest bit goes to where that of a normal number is.
        let zeros = Int64(significand.leadingZeroBitCount) &- 11
        significand &<<= UInt64(bitPattern: zeros)
        exponent = -1_022 &- zeros
    } else {
        significand |= 0x10_0000_0000_0000
    }
    if exponent & 1 != 0 {
        significand &<<= 1
        exponent &-= 1
    }
    // 54 digits of the root of 108: those of the significand, and as many zeros. The last one rounds: halfway is no root.
    var (root, rest) = (UInt64(0), UInt64(0))
    var place: UInt64 = 54
    while place > 0 {
        place &-= 1
        rest = rest &<< 2 | (place >= 27 ? significand &>> ((place &- 27) &* 2) & 3 : 0)
        let tried = root &<< 2 | 1
        root &<<= 1
        if rest >= tried {
            rest &-= tried
            root |= 1
        }
    }
    let rounded = root &>> 1 &+ root & 1
    return Double(bitPattern: UInt64(bitPattern: exponent / 2 &+ 1_022) &<< 52 &+ rounded)
}
