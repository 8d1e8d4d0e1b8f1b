/// Multiplication of 64 bits, which the compiler calls by its name in ARM's run-time ABI (RTABI, 4.2). A Cortex-M0+ multiplies 32 bits to 32: the
/// lower product is made of four of 16 bits.
@c(__aeabi_lmul) func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (low, other) = (UInt32(truncatingIfNeeded: left), UInt32(truncatingIfNeeded: right))
    let (a, b) = (low & 0xFFFF, low &>> 16)
    let (c, d) = (other & 0xFFFF, other &>> 16)
    let lowest = a &* c
    // No sum wraps around: 0xFFFF squared and twice 0xFFFF are 2^32 - 1.
    let middle = b &* c &+ lowest &>> 16
    let outer = a &* d &+ middle & 0xFFFF
    let high = b &* d &+ middle &>> 16 &+ outer &>> 16
    // The upper halves count for the upper half alone.
    let crossed =
        high &+ low &* UInt32(truncatingIfNeeded: right &>> 32) &+ other &* UInt32(truncatingIfNeeded: left &>> 32)
    return UInt64(crossed) &<< 32 | UInt64(outer &<< 16 | lowest & 0xFFFF)
}
