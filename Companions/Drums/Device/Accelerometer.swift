import DeviceHAL

/// InvenSense's MPU-6050 or MPU-6500 on I2C, its accelerometer alone.
///
/// Registers from "MPU-6000 and MPU-6050 Register Map and Descriptions" (RM-MPU-6000A-00, revision 4.2) and "MPU-6500
/// Register Map and Descriptions" (RM-MPU-6500A-00, revision 2.1), in which those used here are the same.
struct Accelerometer: Sendable {
    /// The address with AD0 low.
    static var address: UInt8 { 0x68 }
    /// Counts a g, at the range of +-16 g (section 4.17 of the MPU-6050's map).
    static var countsPerG: UInt32 { 2_048 }

    private enum Register {
        /// Bits 4:3 are the range; 3 is +-16 g.
        static var accelerationConfiguration: UInt8 { 0x1C }
        /// ACCEL_XOUT_H, and five more: x, y and z, the higher byte first.
        static var acceleration: UInt8 { 0x3B }
        /// PWR_MGMT_1: bit 6 is sleep, in which an MPU-6050 wakes up; 1 is the gyroscope's clock, as it recommends.
        static var power: UInt8 { 0x6B }
        static var whoAmI: UInt8 { 0x75 }
    }

    /// The acceleration along three axes, counts.
    struct Sample: Equatable, Sendable {
        var x, y, z: Int16

        /// The length of the difference, counts: at most 113,510.
        func distance(to other: Sample) -> UInt32 {
            let x = Int64(self.x) - Int64(other.x)
            let y = Int64(self.y) - Int64(other.y)
            let z = Int64(self.z) - Int64(other.z)
            return squareRoot(UInt64(x * x + y * y + z * z))
        }
    }

    /// Makes sure that it is one, wakes it, and sets its range.
    func wake(_ bus: inout some I2CBus) throws(I2CError) -> Bool {
        try bus.write([Register.whoAmI], to: Self.address)
        var identity: InlineArray<1, UInt8> = [0]
        try bus.read(into: &identity, from: Self.address)
        // WHO_AM_I of the MPU-6050 and of the MPU-6500.
        guard identity[0] == 0x68 || identity[0] == 0x70 else { return false }
        try bus.write([Register.power, 0x01], to: Self.address)
        try bus.write([Register.accelerationConfiguration, 0x18], to: Self.address)
        return true
    }

    func sample(_ bus: inout some I2CBus) throws(I2CError) -> Sample {
        try bus.write([Register.acceleration], to: Self.address)
        var bytes: InlineArray<6, UInt8> = [0, 0, 0, 0, 0, 0]
        try bus.read(into: &bytes, from: Self.address)
        func axis(_ place: Int) -> Int16 {
            Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))
        }
        return Sample(x: axis(0), y: axis(2), z: axis(4))
    }
}

/// The largest whole number whose square is not more than `value`.
func squareRoot(_ value: UInt64) -> UInt32 {
    var root: UInt64 = 0
    var bit: UInt64 = 1 << 31
    while bit != 0 {
        let tried = root | bit
        if tried * tried <= value { root = tried }
        bit >>= 1
    }
    return UInt32(root)
}
