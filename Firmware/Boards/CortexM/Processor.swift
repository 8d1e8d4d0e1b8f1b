/// The processor itself: sleep, interrupts, and the restart with its reason.
public enum Processor {
    /// The reason why the image started, kept over a restart in a word that no start clears.
    public enum Start: UInt32, Sendable {
        /// The power came on, or the reset line was pulled.
        case power = 0
        /// An interrupt of the watchdog, which restarts the board unless the loop goes round.
        case watchdog = 1
        /// A fault of the processor, or a trap of Swift.
        case fault = 2
        /// An interrupt that nothing asked for.
        case strayInterrupt = 3
        /// The image's code returned, which it does not.
        case ended = 4
        /// The supply was cut in the middle of a write to the flash memory, by the model of it.
        case powerCut = 5
        /// The image asked for it, so that the boot loader tries another one.
        case update = 6
        /// An image on trial gave up: the hub did not let it sign in.
        case notSignedIn = 7
    }

    /// A mark beside the reason, so that what the memory holds by chance is none.
    private static var mark: UInt32 { 0x5AFE_0000 }

    /// Notes the reason of the restart that follows.
    @inline(__always)
    public static func note(_ start: Start) { register(address(startReason)).store(mark | start.rawValue) }

    /// The reason of this start, which is then forgotten.
    public static func takeStart() -> Start {
        let start = start
        register(address(startReason)).store(0)
        return start
    }

    /// The reason of this start.
    public static var start: Start {
        let noted = register(address(startReason)).load()
        guard noted & 0xFFFF_0000 == mark else { return .power }
        return Start(rawValue: noted & 0xFFFF) ?? .power
    }

    /// Restarts at once, with all parts of the chip (AIRCR.SYSRESETREQ; ARMv7-M manual, B3.2.6).
    public static func restart(_ start: Start) -> Never {
        note(start)
        register(0xE000_ED0C).store(0x05FA_0004)
        while true {}
    }

    /// Runs another image by its vector table (VTOR; ARMv7-M manual, B3.2.5), with no interrupt let through.
    public static func run(at table: UInt) -> Never {
        register(0xE000_ED08).store(UInt32(table))
        jump(UInt32(table))
        while true {}
    }

    /// Sleeps until an interrupt, unless a condition holds.
    ///
    /// Interrupts are kept out between the question and the sleep, so that none is missed; one that is pending ends the sleep all
    /// the same (ARMv7-M manual, B1.5.19).
    @inline(__always)
    public static func waitForInterrupt(unless condition: () -> Bool) {
        mask()
        if !condition() { wfi() }
        unmask()
    }

    /// Lets an interrupt through by its number (NVIC_ISER; ARMv7-M manual, B3.4.4).
    @inline(__always)
    public static func enable(interrupt number: UInt) {
        register(0xE000_E100 + number / 32 * 4).store(1 << UInt32(number % 32))
    }

    /// Keeps an interrupt out by its number (NVIC_ICER; ARMv7-M manual, B3.4.5).
    @inline(__always)
    public static func disable(interrupt number: UInt) {
        register(0xE000_E180 + number / 32 * 4).store(1 << UInt32(number % 32))
    }
}

@_extern(c, "_start_reason") func startReason()
// Instructions that Swift has no words for: the linker script lays them down.
@_extern(c, "_wfi") func wfi()
@_extern(c, "_mask") func mask()
@_extern(c, "_unmask") func unmask()
@_extern(c, "_run") func jump(_ table: UInt32)
