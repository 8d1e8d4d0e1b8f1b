import CortexM

// Division of 32 bits, which a Cortex-M0+ has no instruction for: the compiler calls it by names of ARM's run-time ABI (RTABI, 4.3.1), and
// the chip has a divider for it, ready after eight cycles (2.3.1.5). No interrupt divides, so that none has to be kept out. The
// remainder is returned in r1: a Swift function with a result of two numbers does just that.

@_silgen_name("__aeabi_uidivmod")
func divideUnsigned(_ dividend: UInt32, _ divisor: UInt32) -> (quotient: UInt32, remainder: UInt32) {
    divided(dividend, divisor, isSigned: false)
}

@_silgen_name("__aeabi_uidiv")
func quotientUnsigned(_ dividend: UInt32, _ divisor: UInt32) -> UInt32 {
    divided(dividend, divisor, isSigned: false).0
}

@_silgen_name("__aeabi_idivmod")
func divideSigned(_ dividend: UInt32, _ divisor: UInt32) -> (quotient: UInt32, remainder: UInt32) {
    divided(dividend, divisor, isSigned: true)
}

@_silgen_name("__aeabi_idiv")
func quotientSigned(_ dividend: UInt32, _ divisor: UInt32) -> UInt32 {
    divided(dividend, divisor, isSigned: true).0
}

@inline(__always)
private func divided(_ dividend: UInt32, _ divisor: UInt32, isSigned: Bool) -> (UInt32, UInt32) {
    // DIV_UDIVIDEND or DIV_SDIVIDEND; writing either operand begins. DIV_CSR: bit 0, ready. The quotient is read last (2.3.1.5).
    let base: UInt = isSigned ? 0xD000_0068 : 0xD000_0060
    register(base).store(dividend)
    register(base + 4).store(divisor)
    while register(0xD000_0078).load() & 1 == 0 {}
    let remainder = register(0xD000_0074).load()
    return (register(0xD000_0070).load(), remainder)
}
