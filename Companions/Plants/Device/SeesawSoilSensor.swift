import DeviceHAL

/// The reason why the soil sensor gave no value.
public enum SeesawError: Error, Equatable, Sendable {
    /// The bus failed, at the last of all attempts.
    case bus(I2CError)
    /// The device at the address is not a seesaw soil sensor.
    case wrongDevice(hardwareID: UInt8)
    /// The sensor answered, but its measurement was never ready.
    case notReady
    /// The value is one that this sensor cannot measure: a disturbed transfer.
    case implausible
}

/// The driver of Adafruit's seesaw soil sensor (product 4026): a capacitive probe and a thermometer on I2C, addresses
/// 0x36 to 0x39.
///
/// A register is two bytes, module and function; the driver writes them, waits for the sensor to measure, and reads,
/// highest byte first. Source: Adafruit's seesaw reference (STATUS 0x00, TOUCH 0x0F) and its published Arduino driver's
/// timing. Integers only, so that a microcontroller without a floating-point unit can run it.
public struct SeesawSoilSensor<Board: I2CBus & Ticks> {
    /// The expected content of HW_ID: the SAMD09 that the sensor is built on.
    public static var hardwareID: UInt8 { 0x55 }
    /// The number of attempts of a transfer before its failure is reported.
    public static var attempts: Int { 4 }

    /// The bus of the sensor and the clock.
    public var board: Board
    /// The 7-bit address, 0x36 with both jumpers open.
    public let address: UInt8

    /// A sensor at an address of a board's bus. Nothing is sent before ``begin()``.
    public init(board: Board, address: UInt8 = 0x36) {
        self.board = board
        self.address = address
    }

    /// Resets the sensor and checks that it is one.
    public mutating func begin() throws(SeesawError) {
        try send([Module.status, StatusFunction.reset, 0xFF])
        board.wait(microseconds: 10_000)
        var id: InlineArray<1, UInt8> = [0]
        try fetch(Module.status, StatusFunction.hardwareID, after: 250, into: &id)
        guard id[0] == Self.hardwareID else { throw .wrongDevice(hardwareID: id[0]) }
    }

    /// The capacitance of the probe, raw counts: about 300 in air to 1000 in water, never above 1023.
    public mutating func capacitance() throws(SeesawError) -> UInt16 {
        // While a measurement runs the sensor answers with all bits set.
        for attempt in 0..<UInt32(Self.attempts) {
            var bytes: InlineArray<2, UInt8> = [0, 0]
            try fetch(Module.touch, TouchFunction.channel0, after: 3_000 + 1_000 * attempt, into: &bytes)
            let value = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            if value == .max { continue }
            guard value <= 1_023 else { throw .implausible }
            return value
        }
        throw .notReady
    }

    /// The temperature at the sensor's chip, thousandths of a degree Celsius.
    public mutating func temperatureMilliCelsius() throws(SeesawError) -> Int32 {
        var bytes: InlineArray<4, UInt8> = [0, 0, 0, 0]
        try fetch(Module.status, StatusFunction.temperature, after: 1_000, into: &bytes)
        // 16.16 fixed point in the lower 30 bits; the two above are flags.
        let raw = UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
        let fixed = Int32(bitPattern: raw << 2) >> 2
        let milli = (Int64(fixed) * 1_000) >> 16
        guard (-60_000...125_000).contains(milli) else { throw .implausible }
        return Int32(truncatingIfNeeded: milli)
    }

    // MARK: - Transfers

    private enum Module {
        static var status: UInt8 { 0x00 }
        static var touch: UInt8 { 0x0F }
    }

    private enum StatusFunction {
        static var hardwareID: UInt8 { 0x01 }
        static var temperature: UInt8 { 0x04 }
        static var reset: UInt8 { 0x7F }
    }

    private enum TouchFunction {
        static var channel0: UInt8 { 0x10 }
    }

    private mutating func send(_ bytes: InlineArray<3, UInt8>) throws(SeesawError) {
        var attempt = 1
        while true {
            do throws(I2CError) {
                return try board.write(bytes, to: address)
            } catch {
                try pause(error, attempt)
                attempt += 1
            }
        }
    }

    private mutating func fetch<let count: Int>(
        _ module: UInt8, _ function: UInt8, after microseconds: UInt32, into bytes: inout InlineArray<count, UInt8>
    ) throws(SeesawError) {
        var attempt = 1
        while true {
            do throws(I2CError) {
                try board.write([module, function], to: address)
                board.wait(microseconds: microseconds)
                return try board.read(into: &bytes, from: address)
            } catch {
                try pause(error, attempt)
                attempt += 1
            }
        }
    }

    /// Waits before the next attempt, a little longer each time; throws when none is left, or another would be useless.
    private mutating func pause(_ error: I2CError, _ attempt: Int) throws(SeesawError) {
        guard attempt < Self.attempts, error != .busStuck else { throw .bus(error) }
        board.wait(microseconds: UInt32(attempt) * 2_000)
    }
}

extension SeesawSoilSensor: Sendable where Board: Sendable {}
