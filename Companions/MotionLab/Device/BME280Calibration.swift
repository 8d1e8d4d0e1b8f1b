/// The factory calibration of a BME280 (data sheet, table 16), and the formulas that use it (section 4.2.3, and
/// appendix 8.2 for the pressure in 64 bits).
public struct BME280Calibration: Sendable, Equatable {
    /// The first coefficient of the temperature.
    public var t1: UInt16
    /// The second coefficient of the temperature.
    public var t2: Int16
    /// The third coefficient of the temperature.
    public var t3: Int16
    /// The first coefficient of the pressure.
    public var p1: UInt16
    /// The second coefficient of the pressure.
    public var p2: Int16
    /// The third coefficient of the pressure.
    public var p3: Int16
    /// The fourth coefficient of the pressure.
    public var p4: Int16
    /// The fifth coefficient of the pressure.
    public var p5: Int16
    /// The sixth coefficient of the pressure.
    public var p6: Int16
    /// The seventh coefficient of the pressure.
    public var p7: Int16
    /// The eighth coefficient of the pressure.
    public var p8: Int16
    /// The ninth coefficient of the pressure.
    public var p9: Int16
    /// The first coefficient of the humidity.
    public var h1: UInt8
    /// The second coefficient of the humidity.
    public var h2: Int16
    /// The third coefficient of the humidity.
    public var h3: UInt8
    /// The fourth coefficient of the humidity.
    public var h4: Int16
    /// The fifth coefficient of the humidity.
    public var h5: Int16
    /// The sixth coefficient of the humidity.
    public var h6: Int8

    /// Reads the coefficients from registers.
    ///
    /// - Parameters:
    ///   - low: registers 0x88 to 0xA1.
    ///   - high: registers 0xE1 to 0xE7.
    public init(low: InlineArray<26, UInt8>, high: InlineArray<7, UInt8>) {
        func unsigned(_ place: Int) -> UInt16 { UInt16(low[place]) | UInt16(low[place + 1]) << 8 }
        func signed(_ place: Int) -> Int16 { Int16(bitPattern: unsigned(place)) }
        t1 = unsigned(0)
        t2 = signed(2)
        t3 = signed(4)
        p1 = unsigned(6)
        p2 = signed(8)
        p3 = signed(10)
        p4 = signed(12)
        p5 = signed(14)
        p6 = signed(16)
        p7 = signed(18)
        p8 = signed(20)
        p9 = signed(22)
        h1 = low[25]
        h2 = Int16(bitPattern: UInt16(high[0]) | UInt16(high[1]) << 8)
        h3 = high[2]
        // Twelve bits each, the middle byte shared between both; the highest bit is the sign.
        h4 = Int16(Int8(bitPattern: high[3])) << 4 | Int16(high[4] & 0x0F)
        h5 = Int16(Int8(bitPattern: high[5])) << 4 | Int16(high[4] >> 4)
        h6 = Int8(bitPattern: high[6])
    }

    /// The measurement of raw values.
    public func compensated(pressure: Int32, temperature: Int32, humidity: Int32) -> BME280Measurement {
        let fine = fineTemperature(temperature)
        return BME280Measurement(
            centiCelsius: (fine &* 5 &+ 128) >> 8, pascal256: pascal256(pressure, fine),
            percent1024: percent1024(humidity, fine))
    }

    // The data sheet's arithmetic is that of 32 and 64 bits, and what the sensor could not have measured may not fit:
    // nothing here may trap, so sums wrap as they do there.

    /// The temperature in 5,120ths of a degree, which the others need too.
    func fineTemperature(_ raw: Int32) -> Int32 {
        let (t1, t2, t3) = (Int32(t1), Int32(t2), Int32(t3))
        let linear = (((raw >> 3) &- (t1 << 1)) &* t2) >> 11
        let distance = (raw >> 4) &- t1
        return linear &+ ((((distance &* distance) >> 12) &* t3) >> 14)
    }

    /// The pressure, Pa in 256ths; 0 where there is none.
    func pascal256(_ raw: Int32, _ fine: Int32) -> UInt32 {
        var one = Int64(fine) - 128_000
        var two = one &* one &* Int64(p6)
        two = two &+ ((one &* Int64(p5)) << 17)
        two = two &+ (Int64(p4) << 35)
        one = ((one &* one &* Int64(p3)) >> 8) &+ ((one &* Int64(p2)) << 12)
        one = (((Int64(1) << 47) &+ one) &* Int64(p1)) >> 33
        guard one != 0 else { return 0 }
        var pressure = Int64(1_048_576) - Int64(raw)
        pressure = (((pressure << 31) &- two) &* 3_125).dividedReportingOverflow(by: one).partialValue
        one = (Int64(p9) &* (pressure >> 13) &* (pressure >> 13)) >> 25
        two = (Int64(p8) &* pressure) >> 19
        pressure = ((pressure &+ one &+ two) >> 8) &+ (Int64(p7) << 4)
        return UInt32(clamping: pressure)
    }

    /// The relative humidity, % in 1,024ths, from 0 to 100 %.
    func percent1024(_ raw: Int32, _ fine: Int32) -> UInt32 {
        let (h1, h2, h3, h4, h5, h6) = (Int32(h1), Int32(h2), Int32(h3), Int32(h4), Int32(h5), Int32(h6))
        let distance = fine &- 76_800
        let offset = ((raw << 14) &- (h4 << 20) &- (h5 &* distance) &+ 16_384) >> 15
        let warm = (((distance &* h6) >> 10) &* (((distance &* h3) >> 11) &+ 32_768)) >> 10
        var value = offset &* (((warm &+ 2_097_152) &* h2 &+ 8_192) >> 14)
        let square = ((value >> 15) &* (value >> 15)) >> 7
        value = value &- ((square &* h1) >> 4)
        value = min(max(value, 0), 419_430_400)
        return UInt32(value >> 12)
    }
}
