import DeviceHAL

/// A model of a BME280's registers in memory, behind an I2C bus of its own, for tests and for a simulated lift: the
/// driver is linked against it unchanged.
///
/// As the real one it sleeps after a reset, takes its time to measure, keeps a measurement until the next, and takes
/// its humidity's configuration only with that of the others.
public struct BME280Model: I2CBus, Ticks, Sendable {
    /// The ways in which a bus and a sensor fail.
    public struct Faults: Equatable, Sendable {
        /// The number of transfers from now that are not acknowledged.
        public var notAcknowledged = 0
        /// The number of transfers from now that time out.
        public var timedOut = 0
        /// A line is held low: nothing works until it is let go.
        public var stuck = false
        /// Whether the sensor never says that it is ready.
        public var neverReady = false

        /// No faults.
        public init() {}
    }

    /// The address of the sensor.
    public var address: UInt8
    /// The faults of the sensor and the bus.
    public var faults = Faults()
    /// The next raw pressure, 20 bits; 0x80000 is what it reads after a reset.
    public var rawPressure: Int32 = 415_148
    /// The next raw temperature, 20 bits.
    public var rawTemperature: Int32 = 519_888
    /// The next raw humidity, 16 bits.
    public var rawHumidity: Int32 = 27_000
    /// The number of resets by software.
    public private(set) var resets = 0
    /// The number of measurements.
    public private(set) var measurements = 0

    private var registers = [UInt8](repeating: 0, count: 256)
    private var selected = 0
    private var microseconds: UInt64 = 0
    /// The time at which the current measurement is done, or the calibration is there.
    private var busyUntil: UInt64 = 0
    private var isMeasuring = false
    private var humidityOversampling: UInt8 = 0

    /// A healthy sensor with the calibration of the data sheet's example for temperature and pressure (BMP280,
    /// BST-BMP280-DS001, section 3.12), which is the BME280's, and a usual one for humidity.
    public init(address: UInt8 = 0x76) {
        self.address = address
        registers[0xD0] = 0x60
        let words: [Int32] = [27_504, 26_435, -1_000, 36_477, -10_685, 3_024, 2_855, 140, -7, 15_500, -14_600, 6_000]
        for (place, word) in words.enumerated() {
            registers[0x88 + place * 2] = UInt8(truncatingIfNeeded: word)
            registers[0x89 + place * 2] = UInt8(truncatingIfNeeded: word >> 8)
        }
        registers[0xA1] = 75
        // 365, 0, 313, 50 and 30 for the second to the sixth.
        for (place, byte) in [0x6D, 0x01, 0x00, 0x13, 0x29, 0x03, 0x1E].enumerated() {
            registers[0xE1 + place] = UInt8(byte)
        }
        powerOn()
    }

    /// A register, accessed outside of the bus, for tests that change it.
    public subscript(register: UInt8) -> UInt8 {
        get { registers[Int(register)] }
        set { registers[Int(register)] = newValue }
    }

    private mutating func powerOn() {
        for register in 0xF2...0xFE { registers[register] = 0 }
        registers[0xF7] = 0x80
        registers[0xFA] = 0x80
        registers[0xFD] = 0x80
        isMeasuring = false
        humidityOversampling = 0
        busyUntil = microseconds + 2_000
    }

    // MARK: - Ticks

    /// The time of the model's clock, in milliseconds.
    public var milliseconds: UInt32 { UInt32(truncatingIfNeeded: microseconds / 1_000) }

    /// Advances the model's clock.
    public mutating func wait(microseconds: UInt32) {
        self.microseconds += UInt64(microseconds)
        finish()
    }

    // MARK: - I2CBus

    /// Writes to the sensor, with its faults.
    public mutating func write<let count: Int>(
        _ bytes: InlineArray<count, UInt8>, to address: UInt8
    ) throws(I2CError) {
        try begin(address)
        guard count > 0 else { return }
        selected = Int(bytes[0])
        // Registers are written in pairs of address and value (data sheet, section 6.2.1).
        for place in stride(from: 0, to: count - 1, by: 2) { set(bytes[place], bytes[place + 1]) }
    }

    /// Reads from the sensor, with its faults.
    public mutating func read<let count: Int>(
        into bytes: inout InlineArray<count, UInt8>, from address: UInt8
    ) throws(I2CError) {
        try begin(address)
        for index in 0..<count { bytes[index] = registers[(selected + index) & 0xFF] }
    }

    private mutating func begin(_ address: UInt8) throws(I2CError) {
        microseconds += 300
        finish()
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

    private mutating func set(_ register: UInt8, _ value: UInt8) {
        switch register {
        case 0xE0 where value == 0xB6:
            resets += 1
            powerOn()
            finish()
        case 0xF2, 0xF5: registers[Int(register)] = value
        case 0xF4:
            registers[0xF4] = value
            humidityOversampling = registers[0xF2] & 7
            isMeasuring = value & 3 != 0
            if isMeasuring { busyUntil = microseconds + duration }
            finish()
        default: return
        }
    }

    /// The duration of a measurement, microseconds (section 9.1, at most).
    private var duration: UInt64 {
        func times(_ setting: UInt8) -> UInt64 { setting == 0 ? 0 : 1 << UInt64(min(setting, 5) - 1) }
        let humidity = times(humidityOversampling)
        let pressure = times(registers[0xF4] >> 2 & 7)
        return 1_250 + 2_300 * times(registers[0xF4] >> 5) + (pressure > 0 ? 2_300 * pressure + 575 : 0)
            + (humidity > 0 ? 2_300 * humidity + 575 : 0)
    }

    /// Updates the registers to the time of the clock.
    private mutating func finish() {
        let isBusy = microseconds < busyUntil
        registers[0xF3] = faults.neverReady || isBusy && isMeasuring ? 0x08 : 0
        if faults.neverReady || isBusy && !isMeasuring { registers[0xF3] |= 0x01 }
        guard isMeasuring, !isBusy, !faults.neverReady else { return }
        measurements += 1
        store(0xF7, registers[0xF4] >> 2 & 7 == 0 ? 0x80000 : rawPressure)
        store(0xFA, registers[0xF4] >> 5 == 0 ? 0x80000 : rawTemperature)
        let humidity = humidityOversampling == 0 ? 0x8000 : rawHumidity
        registers[0xFD] = UInt8(truncatingIfNeeded: humidity >> 8)
        registers[0xFE] = UInt8(truncatingIfNeeded: humidity)
        if registers[0xF4] & 3 == 3 {
            busyUntil = microseconds + duration
        } else {
            registers[0xF4] &= ~3
            isMeasuring = false
        }
    }

    private mutating func store(_ register: Int, _ raw: Int32) {
        registers[register] = UInt8(truncatingIfNeeded: raw >> 12)
        registers[register + 1] = UInt8(truncatingIfNeeded: raw >> 4)
        registers[register + 2] = UInt8(truncatingIfNeeded: raw << 4)
    }
}
