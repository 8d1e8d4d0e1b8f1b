import DeviceHAL
import MotionLabEngine

/// The reason why the barometer gave no value.
public enum BME280Error: Error, Equatable, Sendable {
    /// The bus failed, at the last of all attempts.
    case bus(I2CError)
    /// The device at the address is not a BME280; a BMP280, which has no humidity, says 0x58.
    case wrongDevice(chipID: UInt8)
    /// The sensor answered, but it never said that it was ready.
    case notReady
    /// The factory calibration is missing: a disturbed transfer, or a counterfeit.
    case notCalibrated
    /// The sensor measured nothing: the registers are as after a reset.
    case nothingMeasured
}

/// The temperature, pressure and humidity of one measurement.
public struct BME280Measurement: Sendable, Equatable {
    /// The temperature, hundredths of a degree Celsius.
    public var centiCelsius: Int32
    /// The pressure, Pa in 256ths.
    public var pascal256: UInt32
    /// The relative humidity, % in 1,024ths.
    public var percent1024: UInt32

    /// The pressure in kPa, the lab's unit.
    public var kilopascal: Double { Double(pascal256) / 256_000 }
    /// The temperature in °C, the lab's unit.
    public var celsius: Double { Double(centiCelsius) / 100 }
    /// The relative humidity in %, the lab's unit.
    public var humidityPercent: Double { Double(percent1024) / 1_024 }
}

/// The number of measurements for one value; more is quieter and slower (data sheet, section 3.4).
public enum BME280Oversampling: UInt8, Sendable, CaseIterable {
    case once = 1
    case twice = 2
    case fourTimes = 3
    case eightTimes = 4
    case sixteenTimes = 5

    var times: UInt32 { 1 << UInt32(rawValue - 1) }
}

/// The strength of the sensor's own filter of pressure and temperature (data sheet, section 3.4.4): the number of
/// values until a step, as of a lift, has come through to three quarters.
public enum BME280Filter: UInt8, Sendable, CaseIterable {
    case off = 0
    case two = 1
    case four = 2
    case eight = 3
    case sixteen = 4
}

/// The time between two measurements in normal mode (data sheet, table 27).
public enum BME280Standby: UInt8, Sendable, CaseIterable {
    case halfMillisecond = 0
    case milliseconds10 = 6
    case milliseconds20 = 7
    case milliseconds62 = 1
    case milliseconds125 = 2
    case milliseconds250 = 3
    case milliseconds500 = 4
    case milliseconds1000 = 5
}

/// The driver of Bosch's BME280: pressure, temperature and humidity on I2C, addresses 0x76 and 0x77. Source: its data
/// sheet, BST-BME280-DS002, revision 1.6. Integers only, so that a microcontroller without a floating-point unit can
/// run it.
public struct BME280<Board: I2CBus & Ticks> {
    /// The expected content of register 0xD0.
    public static var chipID: UInt8 { 0x60 }
    /// The number of attempts of a transfer before its failure is reported.
    public static var attempts: Int { 4 }

    /// The bus of the sensor and the clock.
    public var board: Board
    /// The 7-bit address: 0x76 with SDO at ground.
    public let address: UInt8
    /// The oversampling of the pressure.
    public let pressureOversampling: BME280Oversampling
    /// The oversampling of the temperature.
    public let temperatureOversampling: BME280Oversampling
    /// The oversampling of the humidity.
    public let humidityOversampling: BME280Oversampling
    /// The filter of pressure and temperature.
    public let filter: BME280Filter

    /// The factory calibration, read from the sensor by ``begin()``.
    public private(set) var calibration: BME280Calibration?
    private var isNormal = false

    /// A barometer at an address of a board's bus. Nothing is sent before ``begin()``. With the defaults, it resolves
    /// 0.2 Pa, 2 cm of height, fifteen times a second (data sheet, table 8, indoor navigation).
    public init(
        board: Board, address: UInt8 = 0x76, pressureOversampling: BME280Oversampling = .sixteenTimes,
        temperatureOversampling: BME280Oversampling = .twice, humidityOversampling: BME280Oversampling = .once,
        filter: BME280Filter = .off
    ) {
        self.board = board
        self.address = address
        self.pressureOversampling = pressureOversampling
        self.temperatureOversampling = temperatureOversampling
        self.humidityOversampling = humidityOversampling
        self.filter = filter
    }

    /// The longest duration of a measurement, microseconds (data sheet, section 9.1).
    public var measurementMicroseconds: UInt32 {
        1_250 + 2_300 * temperatureOversampling.times + 2_300 * pressureOversampling.times + 575
            + 2_300 * humidityOversampling.times + 575
    }

    /// Checks that the sensor is a BME280, resets it, and reads its factory calibration.
    public mutating func begin() throws(BME280Error) {
        let id = try register(Register.id)
        guard id == Self.chipID else { throw .wrongDevice(chipID: id) }
        isNormal = false
        try write(Register.reset, 0xB6)
        // The start-up takes 2 ms, and then the calibration is copied (data sheet, section 5.4.4, `im_update`).
        try waitWhile(status: 0x01, from: 2_000)
        var low: InlineArray<26, UInt8> = .init(repeating: 0)
        try read(Register.calibrationLow, into: &low)
        var high: InlineArray<7, UInt8> = .init(repeating: 0)
        try read(Register.calibrationHigh, into: &high)
        let calibration = BME280Calibration(low: low, high: high)
        // What is erased reads all noughts or all ones.
        guard calibration.t1 != 0, calibration.t1 != .max, calibration.p1 != 0 else { throw .notCalibrated }
        self.calibration = calibration
    }

    /// Measures once and sleeps again: forced mode (data sheet, section 3.3.3).
    public mutating func measure() throws(BME280Error) -> BME280Measurement {
        let calibration = try known()
        isNormal = false
        try configure(standby: .halfMillisecond, mode: 0x01)
        try waitWhile(status: 0x08, from: measurementMicroseconds)
        return try latest(calibration)
    }

    /// Starts repeated measurements: normal mode (data sheet, section 3.3.4).
    public mutating func start(standby: BME280Standby = .halfMillisecond) throws(BME280Error) {
        _ = try known()
        // Its configuration may be passed over outside of sleep mode (section 5.4.6).
        try write(Register.controlMeasurement, 0)
        try configure(standby: standby, mode: 0x03)
        isNormal = true
        board.wait(microseconds: measurementMicroseconds)
    }

    /// The latest measurement, in normal mode; measures once if that was not started.
    public mutating func reading() throws(BME280Error) -> BME280Measurement {
        guard isNormal else { return try measure() }
        return try latest(try known())
    }

    /// Puts the sensor to sleep.
    public mutating func stop() throws(BME280Error) {
        try write(Register.controlMeasurement, 0)
        isNormal = false
    }

    // MARK: - Registers

    private enum Register {
        static var calibrationLow: UInt8 { 0x88 }
        static var id: UInt8 { 0xD0 }
        static var reset: UInt8 { 0xE0 }
        static var calibrationHigh: UInt8 { 0xE1 }
        static var controlHumidity: UInt8 { 0xF2 }
        static var status: UInt8 { 0xF3 }
        static var controlMeasurement: UInt8 { 0xF4 }
        static var configuration: UInt8 { 0xF5 }
        static var data: UInt8 { 0xF7 }
    }

    private mutating func known() throws(BME280Error) -> BME280Calibration {
        if calibration == nil { try begin() }
        guard let calibration else { throw .notCalibrated }
        return calibration
    }

    private mutating func configure(standby: BME280Standby, mode: UInt8) throws(BME280Error) {
        try write(Register.configuration, standby.rawValue << 5 | filter.rawValue << 2)
        // It takes effect with the write to the register after it (section 5.4.3).
        try write(Register.controlHumidity, humidityOversampling.rawValue)
        try write(
            Register.controlMeasurement,
            temperatureOversampling.rawValue << 5 | pressureOversampling.rawValue << 2 | mode)
    }

    /// Reads all eight bytes in one transfer, for they belong to one measurement (section 4).
    private mutating func latest(_ calibration: BME280Calibration) throws(BME280Error) -> BME280Measurement {
        var bytes: InlineArray<8, UInt8> = .init(repeating: 0)
        try read(Register.data, into: &bytes)
        let pressure = Int32(bytes[0]) << 12 | Int32(bytes[1]) << 4 | Int32(bytes[2]) >> 4
        let temperature = Int32(bytes[3]) << 12 | Int32(bytes[4]) << 4 | Int32(bytes[5]) >> 4
        let humidity = Int32(bytes[6]) << 8 | Int32(bytes[7])
        // What the registers hold before the first measurement (table 18).
        guard pressure != 0x80000, temperature != 0x80000 else { throw .nothingMeasured }
        return calibration.compensated(pressure: pressure, temperature: temperature, humidity: humidity)
    }

    private mutating func waitWhile(status bit: UInt8, from microseconds: UInt32) throws(BME280Error) {
        board.wait(microseconds: microseconds)
        for _ in 0..<20 {
            if try register(Register.status) & bit == 0 { return }
            board.wait(microseconds: 1_000)
        }
        throw .notReady
    }

    private mutating func register(_ register: UInt8) throws(BME280Error) -> UInt8 {
        var byte: InlineArray<1, UInt8> = [0]
        try read(register, into: &byte)
        return byte[0]
    }

    private mutating func write(_ register: UInt8, _ value: UInt8) throws(BME280Error) {
        var attempt = 1
        while true {
            do throws(I2CError) {
                return try board.write([register, value], to: address)
            } catch {
                try pause(error, attempt)
                attempt += 1
            }
        }
    }

    private mutating func read<let count: Int>(
        _ register: UInt8, into bytes: inout InlineArray<count, UInt8>
    ) throws(BME280Error) {
        var attempt = 1
        while true {
            do throws(I2CError) {
                try board.write([register], to: address)
                return try board.read(into: &bytes, from: address)
            } catch {
                try pause(error, attempt)
                attempt += 1
            }
        }
    }

    /// Waits before the next attempt, a little longer each time; throws when none is left, or another would be useless.
    private mutating func pause(_ error: I2CError, _ attempt: Int) throws(BME280Error) {
        guard attempt < Self.attempts, error != .busStuck else { throw .bus(error) }
        board.wait(microseconds: UInt32(attempt) * 2_000)
    }
}

extension BME280: Sendable where Board: Sendable {}
