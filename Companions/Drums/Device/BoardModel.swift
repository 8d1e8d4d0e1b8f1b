import DeviceHAL

/// A kit's board in memory, for tests and for the virtual kit: a clock that is set, a line whose two ends are queues,
/// and an accelerometer.
public struct BoardModel: Ticks, I2CBus, UART, Sendable {
    /// The time of the clock, which the caller advances.
    public var milliseconds: UInt32
    /// The accelerometer on the first drum.
    public var accelerometer: AccelerometerModel
    /// The bytes on their way to the kit, the next one first.
    public var toKit: [UInt8] = []
    /// The bytes that the kit has sent and that were not taken.
    public var fromKit: [UInt8] = []

    /// A board at a time of its clock.
    public init(milliseconds: UInt32 = 0, accelerometer: AccelerometerModel = AccelerometerModel()) {
        self.milliseconds = milliseconds
        self.accelerometer = accelerometer
    }

    /// Advances the clock, rounded up to milliseconds.
    public mutating func wait(microseconds: UInt32) { milliseconds &+= (microseconds + 999) / 1_000 }

    /// Sends a byte from the kit.
    public mutating func send(_ byte: UInt8) { fromKit.append(byte) }

    /// The next byte that the kit receives.
    public mutating func receive() -> UInt8? { toKit.isEmpty ? nil : toKit.removeFirst() }

    /// Writes to the accelerometer.
    public mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try accelerometer.write(bytes, to: address)
    }

    /// Reads from the accelerometer.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    {
        try accelerometer.read(into: &bytes, from: address, at: milliseconds)
    }

    /// The notifications that are complete, each with its NUL, as the radio sends them.
    public mutating func notifications() -> [[UInt8]] {
        var complete: [[UInt8]] = []
        var begun: [UInt8] = []
        for byte in fromKit {
            begun.append(byte)
            if byte == 0 {
                complete.append(begun)
                begun = []
            }
        }
        fromKit = begun
        return complete
    }
}

/// A digital line in memory.
public struct PinModel: Pin, Sendable {
    /// Whether the line is high.
    public var isHigh = false

    /// A line that is low.
    public init() {}

    /// Sets the line.
    public mutating func drive(high: Bool) { isHigh = high }
}

/// The kit's firmware on a board in memory.
public typealias KitModel = DrumKit<PinModel, PinModel, BoardModel>

extension DrumKit where Pad == PinModel, Light == PinModel, Board == BoardModel {
    /// A kit that is about to be switched on.
    public init(board: BoardModel) {
        self.init(pads: .init(repeating: PinModel()), lights: .init(repeating: PinModel()), board: board)
    }
}
