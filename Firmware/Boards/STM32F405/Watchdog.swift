import CortexM

/// The independent watchdog (RM0090, section 21): it runs from the chip's own oscillator of about 32 kHz, in sleep too.
public enum Watchdog {
    /// The longest that a turn of the loop may take, milliseconds.
    public static var time: UInt32 { 4_000 }
    private static var base: UInt { 0x4000_3000 }

    /// Starts it. From then on it cannot be stopped.
    public static func start() {
        // IWDG_KR: 0x5555 opens prescaler and reload (21.4.1).
        register(base).store(0x5555)
        // IWDG_PR: 4 divides by 64, two milliseconds a count (21.4.2).
        register(base + 0x04).store(4)
        register(base + 0x08).store(time / 2)
        register(base).store(0xCCCC)
    }

    /// Starts its time anew.
    @inline(__always)
    public static func feed() { register(base).store(0xAAAA) }
}
