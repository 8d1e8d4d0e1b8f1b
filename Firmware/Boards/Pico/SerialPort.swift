import CortexM
import DeviceHAL

/// A serial line of the board. Two are the chip's UARTs (4.2), the third, to the speech module, a program of PIO: ``SpeechLine``.
///
/// An interrupt puts bytes into a ring; one for which the ring has no room is lost: a full ring is 22 ms of 115,200 baud.
public struct SerialPort: UART {
    /// The line to a computer, for the set-up: UART0.
    public static var console: SerialPort { SerialPort(0) }
    /// The line to the Wi-Fi or Bluetooth module: UART1.
    public static var radio: SerialPort { SerialPort(1) }
    /// The line to the speech module: PIO0.
    public static var speech: SerialPort { SerialPort(2) }

    private enum Place {
        static var data: UInt { 0x00 }
        /// UARTFR: bit 4 nothing has come, bit 5 there is no room to send.
        static var flags: UInt { 0x18 }
        static var wholeDivider: UInt { 0x24 }
        static var fraction: UInt { 0x28 }
        /// UARTLCR_H: bits 6:5 words of eight bits, 4 the queues.
        static var format: UInt { 0x2C }
        /// UARTCR: bit 9 receiver, 8 transmitter, 0 on.
        static var control: UInt { 0x30 }
        /// UARTIFLS: bits 5:3 how full the queue of the receiver is for an interrupt, 0 an eighth.
        static var levels: UInt { 0x34 }
        /// UARTIMSC: bit 4 bytes have come, 6 some have, and no more since.
        static var interrupts: UInt { 0x38 }
        static var ends: UInt { 0x44 }
    }

    private let number: UInt

    private init(_ number: UInt) {
        self.number = number
        guard number < 2 else {
            SpeechLine.start()
            return
        }
        Wiring.connect(line: number)
        let base = Self.base(number)
        // The divider in 64ths; the format comes after it, which takes it over (4.2.7.1).
        let divider = (Clock.hertz * 4 + 115_200 / 2) / 115_200
        register(base + Place.wholeDivider).store(divider / 64)
        register(base + Place.fraction).store(divider % 64)
        register(base + Place.format).store(3 << 5 | 1 << 4)
        register(base + Place.levels).store(0)
        register(base + Place.interrupts).store(1 << 4 | 1 << 6)
        register(base + Place.control).store(1 << 9 | 1 << 8 | 1)
        Processor.enable(interrupt: 20 + number)
    }

    @inline(__always)
    private static func base(_ number: UInt) -> UInt { 0x4003_4000 + number * 0x4000 }

    /// Puts what has come into the ring. Called by the interrupt.
    @inline(__always)
    static func take(_ number: UInt) {
        let base = base(number)
        let queue = Rings.ring(number)
        register(base + Place.ends).store(1 << 4 | 1 << 6)
        while register(base + Place.flags).load() & 1 << 4 == 0 {
            let byte = UInt8(truncatingIfNeeded: register(base + Place.data).load())
            if !queue.isFull { queue.append(byte) }
        }
    }

    /// Sends a byte, after the one before.
    public mutating func send(_ byte: UInt8) {
        while !canSend {}
        if number < 2 {
            register(Self.base(number) + Place.data).store(UInt32(byte))
        } else {
            SpeechLine.send(byte)
        }
    }

    /// The next byte that has come, or nil.
    public mutating func receive() -> UInt8? { Rings.ring(number).takeFirst() }

    /// Whether the part takes another byte at once.
    public var canSend: Bool {
        number < 2 ? register(Self.base(number) + Place.flags).load() & 1 << 5 == 0 : SpeechLine.canSend
    }

    /// Whether bytes wait that every image takes in each turn: of the console and of the radio.
    @inline(__always)
    static var haveBytes: Bool { !(Rings.ring(0).isEmpty && Rings.ring(1).isEmpty) }
}

/// The rings of the serial lines, as an interrupt finds them that may come while the flash memory cannot be read: the linker's own tables of
/// addresses lie there, and a word of the vector table that the processor leaves alone says where the rings are (vectors.ld).
enum Rings {
    @inline(__always)
    static func ring(_ number: UInt) -> Queue { Queue(number, from: UInt(register(0x2000_001C).load())) }
}
