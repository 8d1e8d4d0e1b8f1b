import CortexM

/// The board: what an image does with it as a whole.
public enum Board {
    /// Prepares the parts, and tells the bench why the board started. To be called first.
    public static func begin() {
        let start = Processor.takeStart()
        var line = SerialPort.bench
        line.send(Bench.Message.start)
        line.send(UInt8(truncatingIfNeeded: start.rawValue))
        Watchdog.start()
    }

    /// Takes part in a turn of the loop: feeds the watchdog, and takes what the bench has sent.
    public static func turn() {
        Watchdog.feed()
        Bench.turn()
    }

    /// Sleeps for at most a number of milliseconds, or until a byte comes.
    public static func sleep(milliseconds: UInt32) {
        if milliseconds >= 1_000 { Bench.tell(Bench.Message.sleep, milliseconds) }
        let time = min(max(milliseconds, 1), Watchdog.time / 2)
        Processor.waitForInterrupt(unless: {
            // Set with interrupts kept out: one that came between would be answered, and the sleep would have no end.
            Alarm.set(milliseconds: time)
            // A byte that has come since it was looked for lies in its ring, and wakes nobody any more.
            return SerialPort.haveBytes
        })
    }
}
