import CortexM
import DeviceHAL

/// A serial line of the board: a USART, whose bytes an interrupt puts into a ring (RM0090, section 30).
///
/// A byte for which the ring has no room is lost, as the part has no queue: a full ring is 22 ms of 115,200 baud.
public struct SerialPort: UART {
    /// The line to a computer, for the set-up: USART1.
    public static var console: SerialPort { SerialPort(0, baud: 115_200) }
    /// The line to the Wi-Fi or Bluetooth module: USART2.
    public static var radio: SerialPort { SerialPort(1, baud: 115_200) }
    /// The line to the speech module: USART3.
    public static var speech: SerialPort { SerialPort(2, baud: 9_600) }

    private enum Place {
        /// USART_SR: bit 5 a byte has come, bit 7 the next one may be sent.
        static var state: UInt { 0x00 }
        static var data: UInt { 0x04 }
        static var divider: UInt { 0x08 }
        /// USART_CR1: bit 13 on, 5 interrupt of the receiver, 3 transmitter, 2 receiver.
        static var control: UInt { 0x0C }
    }

    private let number: UInt

    private init(_ number: UInt, baud: UInt32) {
        self.number = number
        Wiring.connect(line: number)
        let base = Self.base(number)
        // With both prescalers of the buses at 1 the part's clock is the processor's, and the divider in sixteenths is this.
        register(base + Place.divider).store((Clock.hertz + baud / 2) / baud)
        register(base + Place.control).store(1 << 13 | 1 << 5 | 1 << 3 | 1 << 2)
        Processor.enable(interrupt: 37 + number)
    }

    @inline(__always)
    private static func base(_ number: UInt) -> UInt { number == 0 ? 0x4001_1000 : 0x4000_4000 + number * 0x400 }

    /// Puts what has come into the ring. Called by the interrupt.
    @inline(__always)
    static func take(_ number: UInt) {
        let base = base(number)
        let queue = Queue(number)
        // Reading state and then data ends an overrun too (30.6.1, ORE).
        while register(base + Place.state).load() & (1 << 5 | 1 << 3) != 0 {
            let byte = UInt8(truncatingIfNeeded: register(base + Place.data).load())
            if !queue.isFull { queue.append(byte) }
        }
    }

    /// Sends a byte, after the one before.
    public mutating func send(_ byte: UInt8) {
        while !canSend {}
        register(Self.base(number) + Place.data).store(UInt32(byte))
    }

    /// The next byte that has come, or nil.
    public mutating func receive() -> UInt8? { Queue(number).takeFirst() }

    /// Whether the part takes another byte at once.
    public var canSend: Bool { register(Self.base(number) + Place.state).load() & 1 << 7 != 0 }

    /// Whether bytes wait that every image takes in each turn: of the console and of the radio.
    @inline(__always)
    static var haveBytes: Bool { !(Queue(0).isEmpty && Queue(1).isEmpty) }
}
