import DeviceHAL
import TriviaToyDevice

/// A model of the accelerometer's registers (RM-MPU-6000A-00, revision 4.2), moved by a script.
public struct MPU6050Model: I2CBus, Sendable {
    /// The ways in which the sensor fails.
    public struct Faults: Equatable, Sendable {
        /// Whether the sensor does not answer at its address.
        public var isAbsent = false
        /// The number of transfers from now that are not acknowledged.
        public var notAcknowledged = 0
        /// Whether the data line is held low.
        public var isStuck = false
        /// The two registers that are swapped: another part, or a wrong one.
        public var swappedRegisters: (UInt8, UInt8)?
        /// The self-test's response, in per cent of a healthy part's: worn springs have less.
        public var selfTestPercent: Int32 = 100

        /// No faults.
        public init() {}

        public static func == (left: Faults, right: Faults) -> Bool {
            left.isAbsent == right.isAbsent && left.notAcknowledged == right.notAcknowledged
                && left.isStuck == right.isStuck && left.selfTestPercent == right.selfTestPercent
                && left.swappedRegisters?.0 == right.swappedRegisters?.0
                && left.swappedRegisters?.1 == right.swappedRegisters?.1
        }
    }

    /// The faults of the sensor.
    public var faults = Faults()
    /// The content of WHO_AM_I.
    public var identity: UInt8 = 0x68
    /// The microseconds that transfers have taken since they were counted last, at 400 kHz.
    var busTime: UInt32 = 0

    private var registers = [UInt8](repeating: 0, count: 128)
    private var selected = 0
    private var segments: [MotionSegment] = []
    private var startedAt: UInt32 = 0
    private var now: UInt32 = 0
    private var randomness: UInt32

    /// A sensor after power-on.
    ///
    /// - Parameter seed: of the noise.
    init(seed: UInt32) {
        randomness = seed == 0 ? 1 : seed
        powerOn()
    }

    /// Turns the power off and on: every register gets its first content.
    public mutating func powerOn() {
        registers = [UInt8](repeating: 0, count: 128)
        registers[0x6B] = 0x40
        // The factory's trim: code 16 for x, 17 for y, 15 for z.
        registers[0x0D] = 0x80
        registers[0x0E] = 0x80
        registers[0x0F] = 0x60
        registers[0x10] = 0x04 | 0x03
    }

    /// Plays a motion from now on; what was played before ends.
    public mutating func play(_ segments: [MotionSegment]) {
        self.segments = segments
        startedAt = now
    }

    /// The length of the motion that is played, milliseconds.
    public var motionTime: UInt32 { segments.reduce(0) { $0 + $1.duration } }

    mutating func advance(to milliseconds: UInt32) { now = milliseconds }

    /// Writes to the sensor, with its faults.
    public mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try begin(address, count)
        guard count > 0 else { return }
        selected = Int(bytes[0] & 0x7F)
        for index in 1..<max(count, 1) {
            let register = place((selected + index - 1) & 0x7F)
            if register == 0x6B, bytes[index] & 0x80 != 0 {
                powerOn()
            } else {
                registers[register] = bytes[index]
            }
        }
    }

    /// Reads from the sensor, with its faults.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    {
        try begin(address, count)
        if registers[0x6B] & 0x40 == 0 { measure() }
        for index in 0..<count {
            let register = place((selected + index) & 0x7F)
            bytes[index] = register == 0x75 ? identity : registers[register]
        }
    }

    private func place(_ register: Int) -> Int {
        guard let swapped = faults.swappedRegisters else { return register }
        if register == Int(swapped.0) { return Int(swapped.1) }
        return register == Int(swapped.1) ? Int(swapped.0) : register
    }

    private mutating func begin(_ address: UInt8, _ count: Int) throws(I2CError) {
        busTime += UInt32(count + 1) * 23
        if faults.isStuck { throw .busStuck }
        guard address == MPU6050.address, !faults.isAbsent else { throw .notAcknowledged }
        if faults.notAcknowledged > 0 {
            faults.notAcknowledged -= 1
            throw .notAcknowledged
        }
    }

    private mutating func measure() {
        randomness ^= randomness << 13
        randomness ^= randomness >> 17
        randomness ^= randomness << 5
        let noise = Int32(randomness % 1_001) - 500
        var time = now &- startedAt
        var felt: (x: Int32, y: Int32, z: Int32) = (0, 0, 1_000)
        for segment in segments {
            if time < segment.duration {
                felt = segment.acceleration(at: time, noise: noise)
                break
            }
            time -= segment.duration
        }
        let configuration = registers[0x1C]
        let counts = Int32(16_384) >> Int32(configuration >> 3 & 3)
        for (axis, value) in [felt.x, felt.y, felt.z].enumerated() {
            var word = (value + noise / 100) * counts / 1_000
            if configuration & (0x80 >> UInt8(axis)) != 0 {
                let code = (registers[0x0D + axis] >> 5) << 2 | (registers[0x10] >> UInt8(4 - 2 * axis)) & 3
                // The trim is in counts of 4096 a g.
                word += MPU6050.factoryTrim(code) * counts / 4_096 * faults.selfTestPercent / 100
            }
            let clamped = Int16(clamping: word)
            registers[0x3B + 2 * axis] = UInt8(truncatingIfNeeded: clamped >> 8)
            registers[0x3C + 2 * axis] = UInt8(truncatingIfNeeded: clamped)
        }
    }
}
