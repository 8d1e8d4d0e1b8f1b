import CortexM

/// The watchdog (4.7): a count of microseconds that restarts the chip, but for its oscillators.
public enum Watchdog {
    /// The longest that a turn of the loop may take, milliseconds.
    public static var time: UInt32 { 4_000 }
    private static var base: UInt { 0x4005_8000 }

    /// Starts it.
    static func start() {
        feed()
        // PSM_WDSEL: all but ROSC and XOSC, bits 0 and 1, is reset (2.13.5).
        register(0x4001_0008).store(0x1_FFFC)
        // CTRL: bit 30 on. It stands still while a debugger holds a core (bits 24 to 26), as after a reset.
        register(base + 0x2000).store(1 << 30)
    }

    /// Starts its time anew. The chip takes two from the count a microsecond (RP2040-E1).
    @inline(__always)
    public static func feed() { register(base + 0x04).store(time * 2_000) }
}
