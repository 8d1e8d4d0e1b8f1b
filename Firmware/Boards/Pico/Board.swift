import CortexM

/// The board: a Raspberry Pi Pico, what an image does with it as a whole. Clauses are of the RP2040 Datasheet, build of 2024-10-15.
public enum Board {
    /// Prepares the parts. To be called first.
    public static func begin() {
        // Code and tables for the time when the flash memory cannot be read, by the linker script; from now on the table of vectors is
        // that one (VTOR; 2.4.8).
        var (source, place) = (address(fastSource), address(fastStart))
        while place < address(fastEnd) {
            register(place).store(register(source).load())
            source += 4
            place += 4
        }
        register(0xE000_ED08).store(UInt32(truncatingIfNeeded: address(fastStart)))
        Parts.reset()
        Clock.start()
        Parts.release()
        Watchdog.start()
    }

    /// Takes part in a turn of the loop: feeds the watchdog.
    public static func turn() { Watchdog.feed() }

    /// Sleeps for at most a number of milliseconds, or until a byte comes.
    public static func sleep(milliseconds: UInt32) {
        let time = min(max(milliseconds, 1), Watchdog.time / 2)
        Processor.waitForInterrupt(unless: {
            // Set with interrupts kept out: one that came between would be answered, and the sleep would have no end.
            Alarm.set(milliseconds: time)
            return SerialPort.haveBytes
        })
    }
}

/// The resets of the chip's parts (2.14): a restart by a fault resets the processor alone, and all begin as after power came on.
enum Parts {
    private static var base: UInt { 0x4000_C000 }
    /// A clock that is not the processor's: ADC 0, and both UARTs 22 and 23 wait for theirs.
    private static var used: UInt32 {
        // ADC, I2C0, the pins and their pads, PIO0, PLL_USB, PWM, timer, UART0, UART1.
        1 << 0 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 10 | 1 << 13 | 1 << 14 | 1 << 21 | 1 << 22 | 1 << 23
    }
    private static var pll: UInt32 { 1 << 13 }

    /// Resets what is used, but the PLL: the processor may still run on it.
    static func reset() { register(base + 0x2000).store(used & ~pll) }

    /// Resets the PLL and lets it go.
    static func resetPLL() {
        register(base + 0x2000).store(pll)
        letGo(pll)
    }

    /// Lets all go, which takes the clocks of each.
    static func release() { letGo(used & ~pll) }

    private static func letGo(_ parts: UInt32) {
        // Each register has an alias 0x2000 above that sets bits, and one 0x3000 above that clears them (2.1.2). RESET, RESET_DONE.
        register(base + 0x3000).store(parts)
        while register(base + 0x08).load() & parts != parts {}
    }
}

@_extern(c, "_fast_start") func fastStart()
@_extern(c, "_fast_end") func fastEnd()
@_extern(c, "_fast_source") func fastSource()
