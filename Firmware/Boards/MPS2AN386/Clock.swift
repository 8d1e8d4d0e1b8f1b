import CortexM
import DeviceHAL

/// The board's clock: the free-running counter of its FPGA at 25 MHz (AN386, 3.6, FPGAIO->COUNTER).
///
/// Interrupts are not counted instead, since QEMU merges those that come late. The counter wraps around after 171 seconds,
/// and is looked at more often.
public struct Clock: Ticks, Sendable {
    /// The frequency of the processor and of its parts.
    static var hertz: UInt32 { 25_000_000 }
    private static var count: UInt32 { register(0x4002_8018).load() }

    /// The clock.
    public init() {}

    /// Milliseconds since the reset.
    public var milliseconds: UInt32 { Milliseconds.passed(at: Self.count, ticks: 25_000) }

    /// Returns no sooner than `microseconds` from now.
    public mutating func wait(microseconds: UInt32) {
        Milliseconds.wait(
            microseconds: microseconds, ticks: 25, count: { Self.count }, feed: { Watchdog.feed() })
    }
}

/// The timer that ends a sleep: timer 0, a CMSDK APB timer (DDI 0479, 4.5), which counts down once.
enum Alarm {
    private static var base: UInt { 0x4000_0000 }

    /// Has the interrupt come in a number of milliseconds.
    static func set(milliseconds: UInt32) {
        register(base).store(0)
        register(base + 0x0C).store(1)
        register(base + 0x08).store(0)
        register(base + 0x04).store(milliseconds &* 25_000)
        // Bit 0: on; bit 3: with its interrupt.
        register(base).store(0b1001)
        Processor.enable(interrupt: 8)
    }

    /// Ends the interrupt. The timer is left alone: the interrupt may be one of before, and the timer set anew.
    static func acknowledge() { register(base + 0x0C).store(1) }
}
