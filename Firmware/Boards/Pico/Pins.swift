import CortexM
import DeviceHAL

/// The registers of pins that the processor reads and drives itself (2.3.1.7): GPIO_IN, and what sets and clears GPIO_OUT and GPIO_OE.
enum Pins {
    private static var base: UInt { 0xD000_0000 }

    static func isHigh(_ pin: UInt32) -> Bool { register(base + 0x04).load() & 1 << pin != 0 }
    static func drive(_ pin: UInt32, high: Bool) { register(base + (high ? 0x14 : 0x18)).store(1 << pin) }
    static func release(_ pin: UInt32) { register(base + 0x28).store(1 << pin) }
    static func take(_ pin: UInt32) { register(base + 0x24).store(1 << pin) }
}

/// A line that comes from a button or a piezo pad's comparator, pulled up.
public struct InputPin: Pin, Sendable {
    private let pin: UInt32

    /// A line by its number, 0 to 3.
    public init(_ number: UInt8) {
        pin =
            switch number {
            case 0: Wiring.input0
            case 1: Wiring.input1
            case 2: Wiring.input2
            default: Wiring.input3
            }
        Wiring.set(pin, .sio, isPulledUp: true)
    }

    /// Whether it is high now.
    public var isHigh: Bool { Pins.isHigh(pin) }

    /// An input drives nothing.
    public mutating func drive(high: Bool) {}
}

/// A line to a lamp, or to what switches a supply.
public struct OutputPin: Pin, Sendable {
    private let pin: UInt32
    /// Whether it is driven high.
    public private(set) var isHigh = false

    /// A line by its number, 0 to 3, low.
    public init(_ number: UInt8) {
        pin =
            switch number {
            case 0: Wiring.output0
            case 1: Wiring.output1
            case 2: Wiring.output2
            default: Wiring.output3
            }
        Pins.drive(pin, high: false)
        Pins.take(pin)
        Wiring.set(pin, .sio)
    }

    /// Drives it.
    public mutating func drive(high: Bool) {
        isHigh = high
        Pins.drive(pin, high: high)
    }
}

/// The voltage of the battery, by the first channel of the converter (4.9) behind a divider by two.
public struct BatteryVoltage: AnalogInput, Sendable {
    private static var converter: UInt { 0x4004_C000 }
    /// The supply, which is the converter's reference, millivolts.
    private static var reference: UInt32 { 3_300 }

    /// The input.
    public init() {
        Wiring.set(Wiring.battery, .none)
        // CS: bit 0 on. Its channel 0 is GPIO26.
        register(Self.converter).store(1)
    }

    /// The voltage now, millivolts; 0 where the converter does not answer.
    public mutating func millivolts() -> UInt16 {
        // CS: bit 8 says that it is ready, bit 2 begins; 96 cycles of 48 MHz are 2 microseconds. RESULT: 12 bits.
        guard isReady() else { return 0 }
        register(Self.converter).store(1 | 1 << 2)
        guard isReady() else { return 0 }
        let value = register(Self.converter + 0x04).load() & 0xFFF
        return UInt16(truncatingIfNeeded: value * Self.reference * 2 / 4_095)
    }

    private func isReady() -> Bool {
        for _ in 0..<10_000 where register(Self.converter).load() & 1 << 8 != 0 { return true }
        return false
    }
}

/// The light of three colours, by pulse widths (4.5): GP10 and GP11 are slice 5, GP12 is slice 6.
public struct ColorLight: RGBLight, Sendable {
    private static func slice(_ number: UInt) -> UInt { 0x4005_0000 + number * 0x14 }

    /// A dark light.
    public init() {
        for number: UInt in 5...6 {
            let base = Self.slice(number)
            // CHn_DIV: bits 11:4; CHn_TOP: 255 steps of 48 MHz by 188, a kilohertz, which no eye sees; CHn_CSR: bit 0 on.
            register(base + 0x04).store(188 << 4)
            register(base + 0x10).store(254)
            register(base + 0x0C).store(0)
            register(base).store(1)
        }
        Wiring.set(Wiring.red, .pwm)
        Wiring.set(Wiring.green, .pwm)
        Wiring.set(Wiring.blue, .pwm)
    }

    /// Shows a colour (CHn_CC: the lower half is the slice's first pin, the upper one its second).
    public mutating func set(red: UInt8, green: UInt8, blue: UInt8) {
        register(Self.slice(5) + 0x0C).store(UInt32(green) << 16 | UInt32(red))
        register(Self.slice(6) + 0x0C).store(UInt32(blue))
    }
}
