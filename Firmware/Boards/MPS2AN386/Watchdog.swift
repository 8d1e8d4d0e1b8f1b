import CortexM

/// The watchdog: a CMSDK APB watchdog (DDI 0479, 4.7), which counts down from ``time`` whenever it is fed.
///
/// At zero it raises the NMI; that is not answered but by a note of the reason, and at the second zero the part resets the board.
public enum Watchdog {
    /// The longest that a turn of the loop may take, milliseconds; twice that passes before the reset.
    public static var time: UInt32 { 4_000 }
    private static var base: UInt { 0x4000_8000 }

    /// Starts it. From then on it cannot be stopped.
    public static func start() {
        // The lock opens by this word.
        register(base + 0xC00).store(0x1ACC_E551)
        register(base).store(time &* 25_000)
        // Bit 0: with its interrupt; bit 1: with its reset.
        register(base + 0x08).store(0b11)
        register(base + 0xC00).store(0)
    }

    /// Starts its time anew.
    @inline(__always)
    public static func feed() {
        register(base + 0xC00).store(0x1ACC_E551)
        register(base + 0x0C).store(1)
        register(base + 0xC00).store(0)
    }

    /// Notes why the reset comes that is to follow.
    @inline(__always)
    static func bite() {
        Processor.note(.watchdog)
        while true {}
    }
}
