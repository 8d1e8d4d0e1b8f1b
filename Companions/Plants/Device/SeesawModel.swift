import DeviceHAL

/// A model of the soil sensor's registers in memory, behind an I2C bus of its own, for tests and for the simulator: the
/// driver is linked against it unchanged.
///
/// It keeps the sensor's timing too: a read before the end of the measurement gets all bits set, as from the real one.
public struct SeesawModel: I2CBus, Ticks, Sendable {
    /// The ways in which a bus and a sensor fail.
    public struct Faults: Equatable, Sendable {
        /// The number of transfers from now that are not acknowledged.
        public var notAcknowledged = 0
        /// The number of transfers from now that time out: the clock is stretched for too long.
        public var timedOut = 0
        /// A line is held low: nothing works until it is let go.
        public var stuck = false
        /// The number of measurements from now that stay unready.
        public var unready = 0
        /// The noise of the capacitance, counts either way.
        public var noise: UInt16 = 0

        /// No faults.
        public init() {}
    }

    /// A register: module, function, and its bytes, highest first.
    public struct Register: Equatable, Sendable {
        /// The module's number.
        public var module: UInt8
        /// The function's number within the module.
        public var function: UInt8
        /// The time after its selection at which it can be read, microseconds.
        public var readyAfter: UInt32
        /// The content.
        public var bytes: [UInt8]
    }

    /// The address of the sensor.
    public var address: UInt8
    /// The faults of the sensor and the bus.
    public var faults = Faults()
    /// All its registers.
    public var registers: [Register]
    /// The number of resets by software.
    public private(set) var resets = 0

    private var selected: Int?
    private var selectedAt: UInt64 = 0
    private var microseconds: UInt64 = 0
    private var randomness: UInt32

    /// A healthy sensor in dry soil at 20 °C.
    /// - Parameter seed: of the noise, which is the same each time for the same seed.
    public init(address: UInt8 = 0x36, seed: UInt32 = 1) {
        self.address = address
        randomness = seed == 0 ? 1 : seed
        registers = [
            Register(module: 0x00, function: 0x01, readyAfter: 100, bytes: [0x55]),
            Register(module: 0x00, function: 0x04, readyAfter: 500, bytes: [0, 20, 0, 0]),
            Register(module: 0x0F, function: 0x10, readyAfter: 2_500, bytes: [0x01, 0x2C]),
        ]
    }

    /// The capacitance, raw counts.
    public var capacitance: UInt16 {
        get { UInt16(registers[2].bytes[0]) << 8 | UInt16(registers[2].bytes[1]) }
        set { registers[2].bytes = [UInt8(newValue >> 8), UInt8(newValue & 0xFF)] }
    }

    /// Sets the temperature, thousandths of a degree Celsius.
    public mutating func set(temperatureMilliCelsius milli: Int32) {
        let fixed = UInt32(truncatingIfNeeded: (Int64(milli) << 16) / 1_000) & 0x3FFF_FFFF
        registers[1].bytes = [
            UInt8(fixed >> 24), UInt8(fixed >> 16 & 0xFF), UInt8(fixed >> 8 & 0xFF), UInt8(fixed & 0xFF),
        ]
    }

    // MARK: - Ticks

    /// The time of the model's clock, in milliseconds.
    public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: microseconds / 1_000) }

    /// Advances the model's clock.
    public mutating func wait(microseconds: UInt32) {
        self.microseconds += UInt64(microseconds)
    }

    // MARK: - I2CBus

    /// Writes to the sensor, with its faults.
    public mutating func write<let count: Int>(
        _ bytes: InlineArray<count, UInt8>, to address: UInt8
    ) throws(I2CError) {
        try begin(address)
        guard count >= 2 else { return }
        if bytes[0] == 0x00, bytes[1] == 0x7F, count == 3, bytes[2] == 0xFF {
            resets += 1
            selected = nil
            return
        }
        selected = registers.firstIndex { $0.module == bytes[0] && $0.function == bytes[1] }
        selectedAt = microseconds
    }

    /// Reads from the sensor, with its faults.
    public mutating func read<let count: Int>(
        into bytes: inout InlineArray<count, UInt8>, from address: UInt8
    ) throws(I2CError) {
        try begin(address)
        for index in 0..<count { bytes[index] = 0xFF }
        guard let selected else { return }
        let register = registers[selected]
        guard microseconds - selectedAt >= UInt64(register.readyAfter) else { return }
        if register.module == 0x0F, faults.unready > 0 {
            faults.unready -= 1
            return
        }
        for index in 0..<min(count, register.bytes.count) { bytes[index] = register.bytes[index] }
        if register.module == 0x0F, count == 2, faults.noise > 0 { scatter(&bytes) }
    }

    private mutating func begin(_ address: UInt8) throws(I2CError) {
        microseconds += 300
        if faults.stuck { throw .busStuck }
        if faults.timedOut > 0 {
            faults.timedOut -= 1
            throw .timedOut
        }
        guard address == self.address else { throw .notAcknowledged }
        if faults.notAcknowledged > 0 {
            faults.notAcknowledged -= 1
            throw .notAcknowledged
        }
    }

    private mutating func scatter<let count: Int>(_ bytes: inout InlineArray<count, UInt8>) {
        randomness ^= randomness << 13
        randomness ^= randomness >> 17
        randomness ^= randomness << 5
        let span = Int32(faults.noise) * 2 + 1
        let value = Int32(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        let scattered = value + Int32(randomness % UInt32(span)) - Int32(faults.noise)
        let counts = UInt16(min(max(scattered, 0), 1_023))
        bytes[0] = UInt8(counts >> 8)
        bytes[1] = UInt8(counts & 0xFF)
    }
}
