import CortexM

/// The board: what an image does with it as a whole.
public enum Board {
    /// Prepares the parts. To be called first.
    public static func begin() {
        Clock.start()
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
