import CortexM
import DeviceHAL

/// The board's clock: timer 5, 32 bits that count microseconds (RM0090, section 18), from the chip's own oscillator of 16 MHz.
///
/// That oscillator is within 1 % (data sheet DS8626, table 40): a reaction of half a second is told to within 5 ms. It wraps around
/// after 71 minutes, and is looked at more often.
public struct Clock: Ticks, Sendable {
    /// The frequency of the processor and of its parts after a reset: HSI, undivided (RM0090, 7.2.2).
    static var hertz: UInt32 { 16_000_000 }
    private static var timer: UInt { 0x4000_0C00 }
    private static var count: UInt32 { register(timer + 0x24).load() }

    /// The clock.
    public init() {}

    /// Switches the timer on.
    static func start() {
        // RCC_APB1ENR: bits 0 and 3 are TIM2 and TIM5 (7.3.13).
        register(0x4002_3840).set(1 << 0 | 1 << 3)
        // TIMx_PSC: 16 MHz by 16; TIMx_ARR; TIMx_EGR takes them over; TIMx_CR1: on (18.4).
        register(timer + 0x28).store(15)
        register(timer + 0x2C).store(0xFFFF_FFFF)
        register(timer + 0x14).store(1)
        register(timer).store(1)
    }

    /// Milliseconds since the reset.
    public var milliseconds: UInt32 { Milliseconds.passed(at: Self.count, ticks: 1_000) }

    /// Returns no sooner than `microseconds` from now.
    public mutating func wait(microseconds: UInt32) {
        Milliseconds.wait(
            microseconds: microseconds, ticks: 1, count: { Self.count }, feed: { Watchdog.feed() })
    }
}

/// The timer that ends a sleep: timer 2, counting once to its end in half milliseconds.
enum Alarm {
    private static var base: UInt { 0x4000_0000 }

    /// Has the interrupt come in a number of milliseconds.
    static func set(milliseconds: UInt32) {
        // TIMx_CR1: off; then bit 3, one pulse, with bit 0, on. Bit 2: the update by TIMx_EGR raises no interrupt (18.4.1).
        register(base).store(1 << 2)
        register(base + 0x28).store(7_999)
        register(base + 0x2C).store(max(milliseconds &* 2, 1))
        register(base + 0x14).store(1)
        register(base + 0x10).store(0)
        register(base + 0x0C).store(1)
        register(base).store(1 << 2 | 1 << 3 | 1)
        Processor.enable(interrupt: 28)
    }

    /// Ends the interrupt. The timer is left alone: the interrupt may be one of before, and the timer set anew.
    static func acknowledge() { register(base + 0x10).store(0) }
}
