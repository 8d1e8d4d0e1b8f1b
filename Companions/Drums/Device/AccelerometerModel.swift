import DeviceHAL

/// A model of the accelerometer's registers in memory, for tests and for the virtual kit: the driver is linked against
/// it unchanged.
///
/// As the real one it sleeps after power-on, measures at the range that it was set to, and is never quite still.
public struct AccelerometerModel: Sendable {
    /// The ways in which it fails.
    public struct Faults: Equatable, Sendable {
        /// Whether the sensor does not answer at its address.
        public var isAbsent = false
        /// The number of transfers from now that are not acknowledged.
        public var notAcknowledged = 0
        /// Whether the sensor always answers the same.
        public var isStuck = false

        /// No faults.
        public init() {}
    }

    /// The faults of the sensor.
    public var faults = Faults()
    /// The content of WHO_AM_I: 0x68 for an MPU-6050, 0x70 for an MPU-6500.
    public var identity: UInt8
    /// The noise, counts either way.
    public var noise: Int32 = 6

    private var registers = [UInt8](repeating: 0, count: 128)
    private var selected = 0
    private var impact: (thousandths: Int32, at: UInt32)?
    private var randomness: UInt32

    /// A sensor after power-on.
    ///
    /// - Parameter seed: of the noise, which is the same each time for the same seed.
    public init(identity: UInt8 = 0x68, seed: UInt32 = 1) {
        self.identity = identity
        randomness = seed == 0 ? 1 : seed
        powerOn()
    }

    /// Turns the power off and on: every register gets its first content.
    public mutating func powerOn() {
        for index in 0..<registers.count { registers[index] = 0 }
        registers[0x75] = identity
        registers[0x6B] = 0x40
        impact = nil
    }

    /// Strikes the drum.
    /// - Parameter thousandths: the largest acceleration, thousandths of g; it is reached 2 ms later, and dies away.
    public mutating func strike(thousandths: Int32, at milliseconds: UInt32) { impact = (thousandths, milliseconds) }

    mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try begin(address)
        guard count > 0 else { return }
        selected = Int(bytes[0] & 0x7F)
        for index in 1..<max(count, 1) where selected + index - 1 < 128 {
            registers[selected + index - 1] = bytes[index]
        }
    }

    mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8, at now: UInt32)
        throws(I2CError)
    {
        try begin(address)
        if selected == 0x3B { measure(now) }
        for index in 0..<count { bytes[index] = registers[(selected + index) & 0x7F] }
    }

    private mutating func begin(_ address: UInt8) throws(I2CError) {
        guard address == Accelerometer.address, !faults.isAbsent else { throw .notAcknowledged }
        if faults.notAcknowledged > 0 {
            faults.notAcknowledged -= 1
            throw .notAcknowledged
        }
    }

    private mutating func measure(_ now: UInt32) {
        guard registers[0x6B] & 0x40 == 0, !faults.isStuck else { return }
        let range = (registers[0x1C] >> 3) & 3
        let counts = Int32(16_384) >> Int32(range)
        let thousandths: (x: Int32, y: Int32, z: Int32) = (0, 0, 1_000 + swing(now))
        set(0x3B, thousandths.x * counts / 1_000)
        set(0x3D, thousandths.y * counts / 1_000)
        set(0x3F, thousandths.z * counts / 1_000)
    }

    /// The acceleration of the strike: up within 2 ms, and then half as far the other way each 2 ms.
    private func swing(_ now: UInt32) -> Int32 {
        guard let impact else { return 0 }
        let since = now &- impact.at
        if since < 2 { return impact.thousandths * Int32(since) / 2 }
        guard since < 40 else { return 0 }
        let halves = Int32(since / 2) - 1
        let size = impact.thousandths >> halves
        return halves % 2 == 0 ? size : -size
    }

    private mutating func set(_ register: Int, _ value: Int32) {
        randomness ^= randomness << 13
        randomness ^= randomness >> 17
        randomness ^= randomness << 5
        let scatter = noise == 0 ? 0 : Int32(randomness % UInt32(2 * noise + 1)) - noise
        let word = Int16(clamping: value + scatter)
        registers[register] = UInt8(truncatingIfNeeded: word >> 8)
        registers[register + 1] = UInt8(truncatingIfNeeded: word)
    }
}
