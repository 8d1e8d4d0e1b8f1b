import CortexM
import DeviceHAL

/// A line that comes from a button or a piezo pad's comparator, pulled up.
public struct InputPin: Pin, Sendable {
    private let base: UInt
    private let bit: UInt32

    /// A line by its number, 0 to 3.
    public init(_ number: UInt8) {
        let place =
            switch number {
            case 0: Wiring.input0
            case 1: Wiring.input1
            case 2: Wiring.input2
            default: Wiring.input3
            }
        Wiring.set(place, .input, pull: 1)
        base = Wiring.base(place)
        bit = 1 << place.number
    }

    /// Whether it is high now (GPIOx_IDR).
    public var isHigh: Bool { register(base + 0x10).load() & bit != 0 }

    /// An input drives nothing.
    public mutating func drive(high: Bool) {}
}

/// A line to a lamp, or to what switches a supply.
public struct OutputPin: Pin, Sendable {
    private let base: UInt
    private let bit: UInt32
    /// Whether it is driven high.
    public private(set) var isHigh = false

    /// A line by its number, 0 to 3, low.
    public init(_ number: UInt8) {
        let place =
            switch number {
            case 0: Wiring.output0
            case 1: Wiring.output1
            case 2: Wiring.output2
            default: Wiring.output3
            }
        Wiring.set(place, .output)
        base = Wiring.base(place)
        bit = 1 << place.number
    }

    /// Drives it (GPIOx_BSRR: the lower half sets, the upper one resets).
    public mutating func drive(high: Bool) {
        isHigh = high
        register(base + 0x18).store(high ? bit : bit << 16)
    }
}

/// The voltage of the battery, by converter 1 (RM0090, section 13) behind a divider by two.
public struct BatteryVoltage: AnalogInput, Sendable {
    private static var converter: UInt { 0x4001_2000 }
    /// The supply, which is the converter's reference, millivolts.
    private static var reference: UInt32 { 3_300 }

    /// The input.
    public init() {
        Wiring.set(Wiring.battery, .analog)
        // RCC_APB2ENR: bit 8 is ADC1.
        register(0x4002_3844).set(1 << 8)
        // ADC_CR2: bit 0 on; ADC_SQR3: channel 1 comes first; ADC_SMPR2: 480 cycles, for the divider's 50 kOhm (13.13).
        register(Self.converter + 0x34).store(1)
        register(Self.converter + 0x10).store(7 << 3)
        register(Self.converter + 0x08).store(1)
    }

    /// The voltage now, millivolts; 0 where the converter does not answer.
    public mutating func millivolts() -> UInt16 {
        // Bit 30 begins; ADC_SR: bit 1 says that it is done.
        register(Self.converter + 0x08).store(1 | 1 << 30)
        for _ in 0..<10_000 where register(Self.converter).load() & 1 << 1 != 0 {
            let value = register(Self.converter + 0x4C).load() & 0xFFF
            return UInt16(truncatingIfNeeded: value * Self.reference * 2 / 4_095)
        }
        return 0
    }
}

/// The light of three colours, by the pulse widths of timer 3 (RM0090, section 18.3.9).
public struct ColorLight: RGBLight, Sendable {
    private static var timer: UInt { 0x4000_0400 }

    /// A dark light.
    public init() {
        // RCC_APB1ENR: bit 1 is TIM3. Its channels 1, 2 and 3 are alternate function 2 of these pins.
        register(0x4002_3840).set(1 << 1)
        Wiring.set(Wiring.red, .alternate, function: 2)
        Wiring.set(Wiring.green, .alternate, function: 2)
        Wiring.set(Wiring.blue, .alternate, function: 2)
        // 255 steps of 16 MHz by 64: a kilohertz, which no eye sees.
        register(Self.timer + 0x28).store(63)
        register(Self.timer + 0x2C).store(254)
        // TIMx_CCMR1 and 2: mode 1 of pulse widths, with preload; TIMx_CCER: channels 1 to 3 on.
        register(Self.timer + 0x18).store(0x6868)
        register(Self.timer + 0x1C).store(0x0068)
        register(Self.timer + 0x20).store(0x0111)
        register(Self.timer).store(1)
    }

    /// Shows a colour.
    public mutating func set(red: UInt8, green: UInt8, blue: UInt8) {
        register(Self.timer + 0x34).store(UInt32(red))
        register(Self.timer + 0x38).store(UInt32(green))
        register(Self.timer + 0x3C).store(UInt32(blue))
    }
}
