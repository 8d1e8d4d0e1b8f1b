import DeviceHAL
import DeviceParts
import TriviaToyDevice

/// A toy's board in memory: the parts' models and one clock for all. The firmware is linked against it unchanged.
public struct VirtualBoard: ToyBoard, Sendable {
    /// The accelerometer.
    public var bus: MPU6050Model
    /// The speech module; ``speech`` is the line to it.
    public var voice = EMIC2Model()
    /// The Wi-Fi module; ``radio`` is the line to it.
    public var wifi = ESP8266Model()
    /// The serial line for the set-up, 115,200 baud.
    public var console = SerialLine(byteTime: 87)
    /// The flash memory.
    public var memory: FlashModel
    /// The battery.
    public var battery = BatteryModel()
    /// The light.
    public var light = LightModel()
    /// The buttons that are held, with the times from and until.
    private var held: [ToyButton: (from: UInt32, until: UInt32)] = [:]
    private var consoleOutput: [UInt8] = []
    /// Board time, microseconds.
    public private(set) var microseconds: UInt64 = 0

    /// A board that is about to be switched on.
    /// - Parameters:
    ///   - pages: of its flash memory, 4 KB each.
    ///   - seed: of the accelerometer's noise.
    ///   - memory: the content of its memory; with another number of bytes it is erased.
    public init(pages: Int = 248, seed: UInt32 = 1, memory content: [UInt8] = []) {
        memory = FlashModel(pageCount: pages, content: content)
        bus = MPU6050Model(seed: seed)
    }

    /// The line to the speech module.
    public var speech: SerialLine {
        get { voice.line }
        _modify { yield &voice.line }
    }
    /// The line to the Wi-Fi module.
    public var radio: SerialLine {
        get { wifi.line }
        _modify { yield &wifi.line }
    }

    /// The board time, milliseconds.
    public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: microseconds / 1_000) }

    /// Lets time pass for all parts.
    public mutating func wait(microseconds: UInt32) { advance(microseconds: microseconds) }

    /// Lets time pass for all parts, with the time of the bus.
    public mutating func advance(microseconds passed: UInt32) {
        let passed = passed + bus.busTime
        bus.busTime = 0
        microseconds += UInt64(passed)
        bus.advance(to: milliseconds)
        voice.advance(microseconds: passed, to: microseconds)
        wifi.advance(microseconds: passed, to: microseconds)
        consoleOutput += console.advance(microseconds: passed, to: microseconds)
    }

    /// Sends bytes from the other end of the console.
    public mutating func type(_ bytes: [UInt8]) { console.say(bytes) }

    /// Removes and returns the bytes that the toy sent to its console since the last call.
    public mutating func takeConsoleOutput() -> [UInt8] {
        defer { consoleOutput = [] }
        return consoleOutput
    }

    /// Holds a button for a number of milliseconds; its contacts bounce for the first and the last 4.
    public mutating func hold(_ button: ToyButton, milliseconds time: UInt32) {
        held[button] = (milliseconds, milliseconds &+ time)
    }

    /// Whether a button is pressed now, bounces included.
    public func isDown(_ button: ToyButton) -> Bool {
        guard let (from, until) = held[button], milliseconds < until else { return false }
        if milliseconds &- from < 4 || until &- milliseconds < 4 { return milliseconds % 2 == 0 }
        return true
    }

    /// Turns the power off and on: memory stays, all parts start anew.
    public mutating func powerCycle() {
        memory.powerOn()
        bus.powerOn()
        voice.powerOn(at: microseconds)
        wifi.powerOn()
        held = [:]
    }
}

/// A model of a battery, with a voltage that can be set.
public struct BatteryModel: AnalogInput, Sendable {
    /// The voltage, millivolts.
    public var voltage: UInt16 = 3_950
    /// The voltage, millivolts.
    public mutating func millivolts() -> UInt16 { voltage }
}

/// A model of a light that remembers its colours.
public struct LightModel: RGBLight, Sendable {
    /// The colours that were shown, the newest last.
    public private(set) var shown: [[UInt8]] = []
    /// Shows a colour.
    public mutating func set(red: UInt8, green: UInt8, blue: UInt8) { shown.append([red, green, blue]) }
}
