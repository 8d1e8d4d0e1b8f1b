import CortexM
import DeviceHAL

/// The line to the bench: what stands on the board's pins, which QEMU lets nobody drive, as messages on UART 4.
///
/// To the board: 1, pin, level; 2, input, millivolts (2 bytes, the lowest first); 3, milliseconds (4) by which the clock is put
/// forward; 4 asks how deep the stack has been; 5 stops the loop, so that the watchdog bites.
/// From the board: 17, pin, level; 18, red, green, blue; 19, milliseconds (4) that it means to sleep; 20, the depth (4); 21, the
/// reason of the start.
enum Bench {
    enum Message {
        static var pin: UInt8 { 1 }
        static var voltage: UInt8 { 2 }
        static var putForward: UInt8 { 3 }
        static var askDepth: UInt8 { 4 }
        static var stall: UInt8 { 5 }
        static var drive: UInt8 { 17 }
        static var light: UInt8 { 18 }
        static var sleep: UInt8 { 19 }
        static var depth: UInt8 { 20 }
        static var start: UInt8 { 21 }
    }

    /// Takes what the bench has sent, up to a question: what it sends after the answer is of the next turn, in between which the image
    /// has looked at its pins.
    static func turn() {
        var line = SerialPort.bench
        while let byte = line.receive() {
            taken.0 = taken.1
            taken.1 = taken.2
            taken.2 = taken.3
            taken.3 = taken.4
            taken.4 = byte
            count += 1
            if count == 1, length(byte) == 1 || length(byte) == 0 {
                perform(byte)
                count = 0
                if byte == Message.askDepth { return }
            } else if count == length(first) {
                perform(first)
                count = 0
            }
        }
    }

    /// The first byte of the message that has begun.
    private static var first: UInt8 {
        switch count {
        case 1: taken.4
        case 2: taken.3
        case 3: taken.2
        case 4: taken.1
        default: taken.0
        }
    }

    private static func length(_ kind: UInt8) -> UInt8 {
        switch kind {
        case Message.pin: 3
        case Message.voltage: 4
        case Message.putForward: 5
        case Message.askDepth, Message.stall: 1
        default: 0
        }
    }

    private static func perform(_ kind: UInt8) {
        switch kind {
        case Message.pin:
            if taken.4 != 0 { levels |= 1 << UInt32(taken.3 & 31) } else { levels &= ~(1 << UInt32(taken.3 & 31)) }
        case Message.voltage: voltage = UInt16(taken.3) | UInt16(taken.4) << 8
        case Message.putForward:
            Milliseconds.putForward(
                UInt32(taken.1) | UInt32(taken.2) << 8 | UInt32(taken.3) << 16 | UInt32(taken.4) << 24)
        case Message.askDepth: tell(Message.depth, UInt32(Stack.depth))
        case Message.stall: while true {}
        default: break
        }
    }

    /// Sends a message with a number of four bytes.
    static func tell(_ kind: UInt8, _ number: UInt32) {
        var line = SerialPort.bench
        line.send(kind)
        for shift: UInt32 in [0, 8, 16, 24] { line.send(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Sends a message of bytes.
    static func tell(_ kind: UInt8, _ first: UInt8, _ second: UInt8) {
        var line = SerialPort.bench
        line.send(kind)
        line.send(first)
        line.send(second)
    }
}

// Safe, each of them: the loop alone reads and writes it.
nonisolated(unsafe) private var taken: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
nonisolated(unsafe) private var count: UInt8 = 0
/// The levels of the pins, a bit each; high before the bench says something, as by a pull-up.
nonisolated(unsafe) private var levels: UInt32 = 0xFFFF_FFFF
/// The voltage of the battery, millivolts.
nonisolated(unsafe) private var voltage: UInt16 = 3_950

/// A line that comes from a button or a piezo pad's comparator.
public struct InputPin: Pin, Sendable {
    private let number: UInt8

    /// A line by its number.
    public init(_ number: UInt8) { self.number = number }

    /// Whether it is high now.
    public var isHigh: Bool { levels & 1 << UInt32(number) != 0 }

    /// An input drives nothing.
    public mutating func drive(high: Bool) {}
}

/// A line to a lamp.
public struct OutputPin: Pin, Sendable {
    private let number: UInt8
    /// Whether it is driven high.
    public private(set) var isHigh = false

    /// A line by its number.
    public init(_ number: UInt8) { self.number = number }

    /// Drives it; the bench hears of changes.
    public mutating func drive(high: Bool) {
        guard high != isHigh else { return }
        isHigh = high
        Bench.tell(Bench.Message.drive, number, high ? 1 : 0)
    }
}

/// The voltage of the battery.
public struct BatteryVoltage: AnalogInput, Sendable {
    /// The input.
    public init() {}

    /// The voltage now, millivolts.
    public mutating func millivolts() -> UInt16 { voltage }
}

/// The light of three colours.
public struct ColorLight: RGBLight, Sendable {
    /// A dark light.
    public init() {}

    /// Shows a colour; the bench hears of it.
    public mutating func set(red: UInt8, green: UInt8, blue: UInt8) {
        Bench.tell(Bench.Message.light, red, green)
        var line = SerialPort.bench
        line.send(blue)
    }
}
