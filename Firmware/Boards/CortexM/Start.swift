// The start-up, between the reset and the image's own code. It runs before there is initialised memory, so that nothing here
// reads a global variable.

/// An entry of the vector table.
public typealias Vector = @convention(c) () -> Void

// Places that the linker script names; only their addresses mean something.
@_extern(c, "_stack_top") public func stackTop()
@_extern(c, "_stack_limit") func stackLimit()
@_extern(c, "_data_start") func dataStart()
@_extern(c, "_data_end") func dataEnd()
@_extern(c, "_data_source") func dataSource()
@_extern(c, "_bss_start") func bssStart()
@_extern(c, "_bss_end") func bssEnd()
@_extern(c, "firmware_main") func firmwareMain()

/// The address of a place that the linker script names.
@inline(__always)
public func address(_ place: Vector) -> UInt { unsafeBitCast(place, to: UInt.self) }

@inline(__always)
private func word(_ address: UInt) -> Register { register(address) }

/// The first code after a reset: prepares the memory, and calls the image, which never returns.
@c(Reset_Handler)
public func resetHandler() {
    // Coprocessors 10 and 11 are the floating-point unit, off after a reset (ARMv7-M manual, B3.2.20, CPACR). No instruction
    // of it may run before; that is why the image is a call, and is not inlined here.
    #if !NO_FLOATING_POINT_UNIT
        word(0xE000_ED88).set(0xF << 20)
    #endif
    var source = address(dataSource)
    var place = address(dataStart)
    while place < address(dataEnd) {
        word(place).store(word(source).load())
        source += 4
        place += 4
    }
    place = address(bssStart)
    while place < address(bssEnd) {
        word(place).store(0)
        place += 4
    }
    Stack.paint()
    firmwareMain()
    Processor.restart(.ended)
}

/// A fault, and a trap of Swift, which is an undefined instruction: the image starts anew, and says why.
@c(Fault_Handler)
public func faultHandler() { Processor.restart(.fault) }

/// An interrupt that nothing asked for.
@c(Stray_Handler)
public func strayHandler() { Processor.restart(.strayInterrupt) }

/// The stack, which grows down from the end of the memory to a limit that the linker script keeps free.
public enum Stack {
    private static var paintedWord: UInt32 { 0xA5A5_A5A5 }
    /// The bytes below the first frame that are not painted.
    private static var slack: UInt { 96 }

    /// Fills what is not used yet with a pattern.
    @inline(__always)
    static func paint() {
        var here: UInt32 = 0
        let top = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } - slack
        var place = address(stackLimit)
        while place < top {
            word(place).store(paintedWord)
            place += 4
        }
    }

    /// The deepest that the stack has been since the reset, bytes: what is painted over.
    public static var depth: UInt {
        var place = address(stackLimit)
        while place < address(stackTop), word(place).load() == paintedWord { place += 4 }
        return address(stackTop) - place
    }
}
