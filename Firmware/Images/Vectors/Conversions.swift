// Double from and to 64-bit integers, which the Cortex-M7 has no instructions for (RTABI, 4.1.2, tables 6 and 7). These functions
// are called with a Double's bits in two integer registers, whatever the other functions of the image do (RTABI, 4.1.1.1).

@c(__aeabi_ul2d) func double(of value: UInt64) -> UInt64 { bits(value) }

@c(__aeabi_l2d) func double(ofSigned value: Int64) -> UInt64 {
    value < 0 ? 0x8000_0000_0000_0000 | bits(UInt64(bitPattern: 0 &- value)) : bits(UInt64(bitPattern: value))
}

@c(__aeabi_d2ulz) func integer(of double: UInt64) -> UInt64 { double >> 63 == 0 ? truncated(double) : 0 }

@c(__aeabi_d2lz) func signedInteger(of double: UInt64) -> Int64 {
    let value = Int64(bitPattern: truncated(double))
    return double >> 63 == 0 ? value : 0 &- value
}

/// The bits of the nearest Double, of two that are as near the even one (IEEE 754, 4.3.1).
private func bits(_ value: UInt64) -> UInt64 {
    guard value != 0 else { return 0 }
    let zeros = UInt64(value.leadingZeroBitCount)
    let raised = value &<< zeros
    var exponent = 63 &- zeros
    var significand = raised &>> 11
    let rest = raised & 0x7FF
    if rest > 0x400 || rest == 0x400 && significand & 1 == 1 { significand &+= 1 }
    if significand == 1 &<< 53 {
        significand &>>= 1
        exponent &+= 1
    }
    return (exponent &+ 1_023) &<< 52 | significand & 0xF_FFFF_FFFF_FFFF
}

/// The whole part of the magnitude, of a Double that Swift has found small enough.
private func truncated(_ double: UInt64) -> UInt64 {
    let exponent = Int64(double &>> 52 & 0x7FF) &- 1_023
    guard exponent >= 0, exponent < 64 else { return 0 }
    let significand = double & 0xF_FFFF_FFFF_FFFF | 0x10_0000_0000_0000
    return exponent >= 52
        ? significand &<< UInt64(bitPattern: exponent &- 52) : significand &>> UInt64(bitPattern: 52 &- exponent)
}
