import CortexM
import DeviceHAL

/// A serial line of the board: a CMSDK APB UART, whose bytes an interrupt puts into a ring (Arm's Cortex-M System Design Kit,
/// DDI 0479, 4.3).
///
/// A byte for which the ring has no room stays in the part, and its interrupt stays off until there is some. Sending waits for
/// the part's one byte; whoever may not wait asks ``canSend``.
public struct SerialPort: UART {
    /// The line to a computer, for the set-up.
    public static var console: SerialPort { SerialPort(0, baud: 115_200) }
    /// The line to the Wi-Fi or Bluetooth module.
    public static var radio: SerialPort { SerialPort(1, baud: 115_200) }
    /// The line to the speech module.
    public static var speech: SerialPort { SerialPort(2, baud: 9_600) }
    /// The line to the bridge to the I2C bus.
    static var bridge: SerialPort { SerialPort(3, baud: 115_200) }
    /// The line to the bench, which plays what QEMU has no part for.
    static var bench: SerialPort { SerialPort(4, baud: 115_200) }

    private enum Place {
        static var data: UInt { 0x00 }
        /// Bit 0: the transmitter is full; bit 1: a byte has come.
        static var state: UInt { 0x04 }
        /// Bits 0 and 1: transmitter and receiver on; bit 3: interrupt of the receiver.
        static var control: UInt { 0x08 }
        /// Bit 1: the interrupt of the receiver; written, it is cleared.
        static var interrupt: UInt { 0x0C }
        static var divider: UInt { 0x10 }
    }

    private let number: UInt

    private init(_ number: UInt, baud: UInt32) {
        self.number = number
        let base = Self.base(number)
        register(base + Place.divider).store(Clock.hertz / baud)
        register(base + Place.control).store(0b1011)
        Processor.enable(interrupt: Self.interrupt(number))
    }

    /// The address of a line's part (AN386, table 3-1).
    @inline(__always)
    private static func base(_ number: UInt) -> UInt { number == 4 ? 0x4000_9000 : 0x4000_4000 + number * 0x1000 }

    /// The interrupt of its receiver (AN386, table 3-2).
    @inline(__always)
    private static func interrupt(_ number: UInt) -> UInt { number < 3 ? number * 2 : 12 + number * 2 }

    /// Puts what has come into the ring. Called by the interrupt.
    @inline(__always)
    static func take(_ number: UInt) {
        let base = base(number)
        let queue = Queue(number)
        // Cleared first: of a byte that comes between, the interrupt is raised anew.
        register(base + Place.interrupt).store(2)
        while register(base + Place.state).load() & 2 != 0 {
            if queue.isFull { return Processor.disable(interrupt: interrupt(number)) }
            queue.append(UInt8(truncatingIfNeeded: register(base + Place.data).load()))
        }
    }

    /// Sends a byte, after the one before.
    public mutating func send(_ byte: UInt8) {
        while !canSend {}
        register(Self.base(number) + Place.data).store(UInt32(byte))
    }

    /// The next byte that has come, or nil.
    public mutating func receive() -> UInt8? {
        let queue = Queue(number)
        let wasFull = queue.isFull
        let byte = queue.takeFirst()
        if wasFull {
            // What stayed in the part raised its interrupt, which is waiting or was cleared.
            Self.take(number)
            Processor.enable(interrupt: Self.interrupt(number))
        }
        return byte
    }

    /// Whether the part takes another byte at once.
    public var canSend: Bool { register(Self.base(number) + Place.state).load() & 1 == 0 }

    /// Whether bytes wait that every image takes in each turn: of the console, the radio and the bench. What the bridge says too
    /// late waits for its next transfer.
    @inline(__always)
    static var haveBytes: Bool { !(Queue(0).isEmpty && Queue(1).isEmpty && Queue(4).isEmpty) }
}
