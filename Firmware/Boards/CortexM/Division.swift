// 64-bit division and shifts. Division is what the processor has no instruction for, and the compiler calls by names of ARM's run-time ABI
// (RTABI, 4.3.1). The quotient is returned in r0 and r1, the remainder in r2 and r3: a C function cannot say that, a Swift
// function with a result of two 64-bit numbers does just that.

@_silgen_name("__aeabi_uldivmod")
func divideUnsigned(_ dividend: UInt64, _ divisor: UInt64) -> (quotient: UInt64, remainder: UInt64) {
    divide(dividend, divisor)
}

@_silgen_name("__aeabi_ldivmod")
func divideSigned(_ dividend: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = divide(magnitude(dividend), magnitude(divisor))
    // Truncated towards zero; the remainder has the sign of the dividend (C11, 6.5.5).
    let isNegative = (dividend < 0) != (divisor < 0)
    return (
        isNegative ? 0 &- Int64(bitPattern: quotient) : Int64(bitPattern: quotient),
        dividend < 0 ? 0 &- Int64(bitPattern: remainder) : Int64(bitPattern: remainder)
    )
}

@inline(__always)
private func magnitude(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value < 0 ? 0 &- value : value)
}

/// Division bit by bit, from the highest of the dividend on.
@inline(never)
private func divide(_ dividend: UInt64, _ divisor: UInt64) -> (UInt64, UInt64) {
    // Swift has trapped on a zero before it calls this.
    guard divisor != 0, divisor <= dividend else { return (0, dividend) }
    // With both in 32 bits the processor has an instruction.
    if dividend <= 0xFFFF_FFFF {
        let (low, by) = (UInt32(truncatingIfNeeded: dividend), UInt32(truncatingIfNeeded: divisor))
        return (UInt64(low / by), UInt64(low % by))
    }
    // The quotient grows from below into the place that the dividend leaves.
    var (quotient, remainder) = (dividend, UInt64(0))
    var left: UInt32 = 64
    while left > 0 {
        let carry = remainder >= 0x8000_0000_0000_0000
        remainder = remainder &+ remainder &+ (quotient >= 0x8000_0000_0000_0000 ? 1 : 0)
        quotient = quotient &+ quotient
        if carry || remainder >= divisor {
            remainder &-= divisor
            quotient |= 1
        }
        left &-= 1
    }
    return (quotient, remainder)
}

// Shifts of 64 bits by a number that is known only then (RTABI, 4.3.1), of the halves of 32 bits.

@c(__aeabi_llsl) func shiftLeft(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (high, low) = halves(value)
    if count >= 32 { return join(low &<< (count &- 32), 0) }
    return count == 0 ? value : join(high &<< count | low &>> (32 &- count), low &<< count)
}

@c(__aeabi_llsr) func shiftRight(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (high, low) = halves(value)
    if count >= 32 { return join(0, high &>> (count &- 32)) }
    return count == 0 ? value : join(high &>> count, low &>> count | high &<< (32 &- count))
}

@c(__aeabi_lasr) func shiftRightSigned(_ value: UInt64, _ count: UInt32) -> UInt64 {
    let (high, low) = halves(value)
    let signed = Int32(bitPattern: high)
    if count >= 32 {
        return join(UInt32(bitPattern: signed &>> 31), UInt32(bitPattern: signed &>> Int32(bitPattern: count &- 32)))
    }
    guard count != 0 else { return value }
    return join(UInt32(bitPattern: signed &>> Int32(bitPattern: count)), low &>> count | high &<< (32 &- count))
}

@inline(__always)
private func halves(_ value: UInt64) -> (high: UInt32, low: UInt32) {
    (UInt32(truncatingIfNeeded: value &>> 32), UInt32(truncatingIfNeeded: value))
}

@inline(__always)
private func join(_ high: UInt32, _ low: UInt32) -> UInt64 { UInt64(high) &<< 32 | UInt64(low) }
