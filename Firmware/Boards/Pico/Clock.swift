import CortexM
import DeviceHAL

/// The board's clock: the timer, which counts microseconds (4.6), by the crystal of 12 MHz.
///
/// A crystal is within 30 millionths: three seconds a day. The lower 32 bits wrap around after 71 minutes, and are looked at more often.
public struct Clock: Ticks, Sendable {
    /// The frequency of the processor and of its parts: that of PLL_USB.
    static var hertz: UInt32 { 48_000_000 }
    static var timer: UInt { 0x4005_4000 }
    /// TIMERAWL.
    static var count: UInt32 { @inline(__always) get { register(timer + 0x28).load() } }

    /// The clock.
    public init() {}

    /// Starts crystal and PLL, and has processor, lines and converter run by them.
    static func start() {
        let clocks: UInt = 0x4000_8000
        // Off the PLL, if this is a restart: the sources of CLK_SYS and CLK_REF alone to what they are after a reset, for the auxiliary
        // ones are switched with a glitch (2.15.3.2, 2.15.7).
        register(clocks + 0x303C).store(1)
        while register(clocks + 0x44).load() != 1 {}
        register(clocks + 0x3030).store(3)
        while register(clocks + 0x38).load() != 1 {}
        // XOSC_STARTUP: a millisecond in 256 cycles, and six-fold, since the Pico's crystal takes its time; XOSC_CTRL: 1 to 15 MHz, on (2.16.3).
        let crystal: UInt = 0x4002_4000
        register(crystal + 0x0C).store(47 * 6)
        register(crystal).store(0xFAB << 12 | 0xAA0)
        while register(crystal + 0x04).load() & 1 << 31 == 0 {}
        // CLK_REF: 2 is the crystal.
        register(clocks + 0x30).store(2)
        while register(clocks + 0x38).load() != 1 << 2 {}
        startPLL()
        // CLK_SYS: the auxiliary source 1 is PLL_USB, taken before the switch to it (2.15.3.2).
        register(clocks + 0x3C).store(1 << 5)
        register(clocks + 0x3C).store(1 << 5 | 1)
        while register(clocks + 0x44).load() != 1 << 1 {}
        // CLK_PERI: bit 11 on, of CLK_SYS; CLK_ADC: on, of PLL_USB, which is the 48 MHz that it wants (4.9).
        register(clocks + 0x48).store(1 << 11)
        register(clocks + 0x60).store(1 << 11)
        // WATCHDOG_TICK: on, a microsecond is 12 cycles of CLK_REF; the timer counts it too (4.7.2).
        register(0x4005_802C).store(1 << 9 | 12)
    }

    /// 12 MHz a hundred-fold is 1,200 MHz, by five and five 48 MHz (2.18.2).
    private static func startPLL() {
        Parts.resetPLL()
        let pll: UInt = 0x4002_C000
        // CS: undivided; FBDIV_INT; PWR: bits 0 and 5 cleared, which start it.
        register(pll).store(1)
        register(pll + 0x08).store(100)
        register(pll + 0x3004).store(1 << 5 | 1)
        while register(pll).load() & 1 << 31 == 0 {}
        // PRIM: both dividers; PWR: bit 3 cleared, which starts them.
        register(pll + 0x0C).store(5 << 16 | 5 << 12)
        register(pll + 0x3004).store(1 << 3)
    }

    /// Milliseconds since the reset.
    public var milliseconds: UInt32 { Milliseconds.passed(at: Self.count, ticks: 1_000) }

    /// Returns no sooner than `microseconds` from now.
    public mutating func wait(microseconds: UInt32) {
        Milliseconds.wait(
            microseconds: microseconds, ticks: 1, count: { Self.count }, feed: { Watchdog.feed() })
    }
}

/// The timer's first alarm, which ends a sleep (4.6.3).
enum Alarm {
    /// Has the interrupt come in a number of milliseconds.
    static func set(milliseconds: UInt32) {
        // INTE: alarm 0; ALARM0: its time, which arms it.
        register(Clock.timer + 0x38).store(1)
        register(Clock.timer + 0x10).store(Clock.count &+ milliseconds &* 1_000)
        Processor.enable(interrupt: 0)
    }

    /// Ends the interrupt (INTR).
    @inline(__always)
    static func acknowledge() { register(Clock.timer + 0x34).store(1) }
}
