import DeviceHAL
import TriviaToyDevice

/// A toy's board in memory: the parts' models and one clock for all. The firmware is linked against it unchanged.
public struct VirtualBoard: ToyBoard, Sendable {
    /// The accelerometer.
    public var bus: MPU6050Model
    /// The speech module; ``speech`` is the line to it.
    public var voice = EMIC2Model()
    /// The Wi-Fi module; ``radio`` is the line to it.
    public var wifi = ESP8266Model()
    /// The serial line at which it is set up, 115,200 baud.
    public var console = SerialLine(byteTime: 87)
    /// The flash memory.
    public var memory: FlashModel
    /// The battery.
    public var battery = BatteryModel()
    /// The light.
    public var light = LightModel()
    /// Buttons that are held, by their numbers, and until when.
    private var held: [ToyButton: (from: UInt32, until: UInt32)] = [:]
    private var consoleOutput: [UInt8] = []
    /// Board time, microseconds.
    public private(set) var microseconds: UInt64 = 0

    /// A board that is about to be switched on.
    /// - Parameters:
    ///   - pages: of its flash memory, 4 KB each.
    ///   - seed: of the accelerometer's noise.
    ///   - memory: what its memory holds; as many bytes as it has, else it is erased.
    public init(pages: Int = 248, seed: UInt32 = 1, memory content: [UInt8] = []) {
        memory = FlashModel(pageCount: pages, content: content)
        bus = MPU6050Model(seed: seed)
    }

    public var speech: SerialLine {
        get { voice.line }
        _modify { yield &voice.line }
    }
    public var radio: SerialLine {
        get { wifi.line }
        _modify { yield &wifi.line }
    }

    public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: microseconds / 1_000) }

    public mutating func wait(microseconds: UInt32) { advance(microseconds: microseconds) }

    /// Lets time pass for all parts, and what the bus has taken.
    public mutating func advance(microseconds passed: UInt32) {
        let passed = passed + bus.busTime
        bus.busTime = 0
        microseconds += UInt64(passed)
        bus.advance(to: milliseconds)
        voice.advance(microseconds: passed, to: microseconds)
        wifi.advance(microseconds: passed, to: microseconds)
        consoleOutput += console.advance(microseconds: passed, to: microseconds)
    }

    /// Somebody at the other end of the console types, or sends, bytes.
    public mutating func type(_ bytes: [UInt8]) { console.say(bytes) }

    /// What the toy has said at its console since this was asked last.
    public mutating func takeConsoleOutput() -> [UInt8] {
        defer { consoleOutput = [] }
        return consoleOutput
    }

    /// Holds a button for so many milliseconds; its contacts bounce for the first and the last 4.
    public mutating func hold(_ button: ToyButton, milliseconds time: UInt32) {
        held[button] = (milliseconds, milliseconds &+ time)
    }

    public func isDown(_ button: ToyButton) -> Bool {
        guard let (from, until) = held[button], milliseconds < until else { return false }
        if milliseconds &- from < 4 || until &- milliseconds < 4 { return milliseconds % 2 == 0 }
        return true
    }

    /// The power goes and comes back: memory stays, all parts start anew.
    public mutating func powerCycle() {
        memory.powerOn()
        bus.powerOn()
        voice.powerOn(at: microseconds)
        wifi.powerOn()
        held = [:]
    }
}

/// A battery that reads what it is set to.
public struct BatteryModel: AnalogInput, Sendable {
    /// The voltage, millivolts.
    public var voltage: UInt16 = 3_950
    public mutating func millivolts() -> UInt16 { voltage }
}

/// A light that remembers its colours.
public struct LightModel: RGBLight, Sendable {
    /// What it showed, the newest last.
    public private(set) var shown: [[UInt8]] = []
    public mutating func set(red: UInt8, green: UInt8, blue: UInt8) { shown.append([red, green, blue]) }
}
