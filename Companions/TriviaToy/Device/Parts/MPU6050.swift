import DeviceHAL

/// The reason why the accelerometer gave no value.
public enum MPU6050Error: Error, Equatable, Sendable {
    /// The bus failed.
    case bus(I2CError)
    /// The part is another one, by WHO_AM_I.
    case wrongDevice(identity: UInt8)
    /// A register does not hold what was written to it: the part was reset, or it is another.
    case lostConfiguration(register: UInt8, found: UInt8)
    /// The self-test's response of an axis (0 x, 1 y, 2 z) is further from the factory's than 14 %.
    case selfTestFailed(axis: UInt8)
}

/// An acceleration, thousandths of g along each axis.
public struct Acceleration: Equatable, Sendable {
    /// The acceleration along an axis, thousandths of g.
    public var x, y, z: Int32

    /// An acceleration.
    public init(x: Int32, y: Int32, z: Int32) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The square of its length, in millionths of g squared. At most 7.7e8 at the range of +-16 g.
    public var squaredLength: UInt32 {
        UInt32(truncatingIfNeeded: Int64(x) * Int64(x) + Int64(y) * Int64(y) + Int64(z) * Int64(z))
    }
}

/// The driver of InvenSense's MPU-6050 on I2C, its accelerometer alone, at 200 Hz and +-8 g.
///
/// Registers and self-test: "MPU-6000 and MPU-6050 Register Map and Descriptions", RM-MPU-6000A-00, revision 4.2.
public struct MPU6050: Sendable {
    /// The address with AD0 low.
    public static var address: UInt8 { 0x68 }
    /// The expected content of WHO_AM_I.
    public static var identity: UInt8 { 0x68 }
    /// The counts of 1 g at +-8 g (section 4.17).
    static var countsPerG: Int32 { 4_096 }

    /// The registers that are used here.
    public enum Register {
        /// SELF_TEST_X, and Y, Z and A after it.
        public static var selfTest: UInt8 { 0x0D }
        /// SMPLRT_DIV
        public static var sampleRateDivider: UInt8 { 0x19 }
        /// CONFIG: the low-pass filter.
        public static var configuration: UInt8 { 0x1A }
        /// ACCEL_CONFIG: self-test in bits 7:5, range in bits 4:3.
        public static var accelerationConfiguration: UInt8 { 0x1C }
        /// ACCEL_XOUT_H, and five more.
        public static var acceleration: UInt8 { 0x3B }
        /// PWR_MGMT_1: reset in bit 7, sleep in bit 6, the clock in bits 2:0.
        public static var power: UInt8 { 0x6B }
        /// WHO_AM_I
        public static var whoAmI: UInt8 { 0x75 }
    }

    /// The range of +-8 g: AFS_SEL 2.
    static var rangeBits: UInt8 { 0x10 }
    /// The divider of 1 kHz: 200 Hz.
    static var divider: UInt8 { 4 }
    /// The filter: DLPF_CFG 1, 184 Hz, 2 ms of delay.
    static var filter: UInt8 { 1 }
    /// The clock of the gyroscope, as the map recommends; awake.
    static var awake: UInt8 { 1 }

    /// A driver that has sent nothing yet.
    public init() {}

    /// Checks that it is the part, resets and wakes it, sets rate, filter and range, and reads all of it back.
    public func begin(_ board: inout some ToyBoard) throws(MPU6050Error) {
        let identity = try read(Register.whoAmI, &board.bus)
        guard identity == Self.identity else { throw .wrongDevice(identity: identity) }
        try write(Register.power, 0x80, &board.bus)
        board.wait(microseconds: 100_000)
        try write(Register.power, Self.awake, &board.bus)
        board.wait(microseconds: 30_000)
        try write(Register.sampleRateDivider, Self.divider, &board.bus)
        try write(Register.configuration, Self.filter, &board.bus)
        try write(Register.accelerationConfiguration, Self.rangeBits, &board.bus)
        try verify(&board.bus)
    }

    /// Reads the settings back. To be called from time to time: a part whose supply dipped is asleep and says nothing new.
    public func verify(_ bus: inout some I2CBus) throws(MPU6050Error) {
        try expect(Register.power, Self.awake, &bus)
        try expect(Register.sampleRateDivider, Self.divider, &bus)
        try expect(Register.configuration, Self.filter, &bus)
        try expect(Register.accelerationConfiguration, Self.rangeBits, &bus)
    }

    /// The acceleration now, by one burst of six bytes.
    public func sample(_ bus: inout some I2CBus) throws(MPU6050Error) -> Acceleration {
        let raw = try burst(&bus)
        return Acceleration(
            x: raw[0] * 1_000 / Self.countsPerG, y: raw[1] * 1_000 / Self.countsPerG,
            z: raw[2] * 1_000 / Self.countsPerG)
    }

    /// The self-test of section 4.1: the response of each axis to its actuation lies within 14 % of the factory's. Takes
    /// 100 ms, in which the toy should lie still.
    public func selfTest(_ board: inout some ToyBoard) throws(MPU6050Error) {
        var trim: InlineArray<4, UInt8> = [0, 0, 0, 0]
        try readBurst(Register.selfTest, into: &trim, &board.bus)
        board.wait(microseconds: 50_000)
        let before = try burst(&board.bus)
        try write(Register.accelerationConfiguration, Self.rangeBits | 0xE0, &board.bus)
        board.wait(microseconds: 50_000)
        let during = try burst(&board.bus)
        try write(Register.accelerationConfiguration, Self.rangeBits, &board.bus)
        for axis in 0..<3 {
            let code = (trim[axis] >> 5) << 2 | (trim[3] >> UInt8(4 - 2 * axis)) & 3
            let factory = Self.factoryTrim(code)
            let response = during[axis] - before[axis]
            guard factory > 0, abs(response - factory) * 100 <= factory * 14 else {
                throw .selfTestFailed(axis: UInt8(axis))
            }
        }
    }

    /// The factory's response for a code: 4096 * 0.34 * (0.92 / 0.34) ^ ((code - 1) / 30), counts at +-8 g; 0 for code
    /// 0.
    public static func factoryTrim(_ code: UInt8) -> Int32 {
        guard code > 0 else { return 0 }
        // In units of 1/65536; the 30th root of 0.92 / 0.34 is 1.033738.
        var trim: UInt64 = 91_268_055
        for _ in 1..<max(code, 1) { trim = (trim * 67_747) >> 16 }
        return Int32(trim >> 16)
    }

    // MARK: - Transfers

    private func burst(_ bus: inout some I2CBus) throws(MPU6050Error) -> InlineArray<3, Int32> {
        var bytes: InlineArray<6, UInt8> = [0, 0, 0, 0, 0, 0]
        try readBurst(Register.acceleration, into: &bytes, &bus)
        func axis(_ place: Int) -> Int32 {
            Int32(Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])))
        }
        return [axis(0), axis(2), axis(4)]
    }

    private func expect(_ register: UInt8, _ value: UInt8, _ bus: inout some I2CBus) throws(MPU6050Error) {
        let found = try read(register, &bus)
        guard found == value else { throw .lostConfiguration(register: register, found: found) }
    }

    private func read(_ register: UInt8, _ bus: inout some I2CBus) throws(MPU6050Error) -> UInt8 {
        var byte: InlineArray<1, UInt8> = [0]
        try readBurst(register, into: &byte, &bus)
        return byte[0]
    }

    private func readBurst<let count: Int>(
        _ register: UInt8, into bytes: inout InlineArray<count, UInt8>, _ bus: inout some I2CBus
    ) throws(MPU6050Error) {
        do throws(I2CError) {
            try bus.write([register], to: Self.address)
            try bus.read(into: &bytes, from: Self.address)
        } catch {
            throw .bus(error)
        }
    }

    private func write(_ register: UInt8, _ value: UInt8, _ bus: inout some I2CBus) throws(MPU6050Error) {
        do throws(I2CError) {
            try bus.write([register, value], to: Self.address)
        } catch {
            throw .bus(error)
        }
    }
}
