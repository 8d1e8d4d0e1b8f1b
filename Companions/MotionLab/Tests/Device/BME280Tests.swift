import DeviceHAL
import MotionLabDevice
import Testing

@Suite("The barometer's driver over the model of its registers")
struct BME280Tests {
    private func sensor(_ change: (inout BME280Model) -> Void = { _ in }) -> BME280<BME280Model> {
        var model = BME280Model()
        change(&model)
        return BME280(board: model)
    }

    // BST-BMP280-DS001, section 3.12: 25.08 °C and, in floating point, 100653.27 Pa; in 64 bits 25767233, computed apart.
    @Test("The data sheet's example comes out as it says")
    func knownAnswer() throws {
        var sensor = sensor()
        try sensor.begin()
        let measured = try sensor.measure()
        #expect(measured.centiCelsius == 2_508)
        #expect(measured.pascal256 == 25_767_233)
        #expect(abs(measured.kilopascal - 100.65327) < 0.00002)
        #expect(abs(measured.celsius - 25.08) < 1e-9)
        #expect(sensor.board.resets == 1 && sensor.board.measurements == 1)
    }

    /// The data sheet's formulas in floating point (section 8.1), which the integers must come close to.
    private func floating(_ c: BME280Calibration, _ p: Int32, _ t: Int32, _ h: Int32) -> (Double, Double, Double) {
        let one = (Double(t) / 16_384 - Double(c.t1) / 1_024) * Double(c.t2)
        let distance = Double(t) / 131_072 - Double(c.t1) / 8_192
        let fine = one + distance * distance * Double(c.t3)
        var var1 = fine / 2 - 64_000
        var var2 = var1 * var1 * Double(c.p6) / 32_768 + var1 * Double(c.p5) * 2
        var2 = var2 / 4 + Double(c.p4) * 65_536
        var1 = (Double(c.p3) * var1 * var1 / 524_288 + Double(c.p2) * var1) / 524_288
        var1 = (1 + var1 / 32_768) * Double(c.p1)
        var pascal = (1_048_576 - Double(p) - var2 / 4_096) * 6_250 / var1
        pascal += (Double(c.p9) * pascal * pascal / 2_147_483_648 + pascal * Double(c.p8) / 32_768 + Double(c.p7)) / 16
        var humidity = fine - 76_800
        humidity =
            (Double(h) - (Double(c.h4) * 64 + Double(c.h5) / 16_384 * humidity))
            * (Double(c.h2) / 65_536
                * (1 + Double(c.h6) / 67_108_864 * humidity * (1 + Double(c.h3) / 67_108_864 * humidity)))
        humidity *= 1 - Double(c.h1) * humidity / 524_288
        return (fine / 5_120, pascal, min(max(humidity, 0), 100))
    }

    @Test(
        "Integers and floating point agree over the whole range",
        arguments: stride(from: 400_000, through: 600_000, by: 20_000).map { Int32($0) })
    func wholeRange(temperature: Int32) throws {
        var sensor = sensor()
        try sensor.begin()
        let calibration = try #require(sensor.calibration)
        for pressure in stride(from: Int32(250_000), through: 600_000, by: 25_000) {
            for humidity in stride(from: Int32(18_000), through: 40_000, by: 2_000) {
                let measured = calibration.compensated(pressure: pressure, temperature: temperature, humidity: humidity)
                let (celsius, pascal, percent) = floating(calibration, pressure, temperature, humidity)
                #expect(abs(measured.celsius - celsius) < 0.011)
                #expect(abs(measured.kilopascal * 1_000 - pascal) < 0.7)
                #expect(abs(measured.humidityPercent - percent) < 0.05)
            }
        }
    }

    @Test("The calibration's twelve-bit numbers have their signs")
    func signs() throws {
        var sensor = sensor {
            $0[0xE4] = 0xFF
            $0[0xE5] = 0x2E
            $0[0xE6] = 0x80
            $0[0xE7] = 0xFE
        }
        try sensor.begin()
        let calibration = try #require(sensor.calibration)
        #expect(calibration.h4 == -2 && calibration.h5 == -2_046 && calibration.h6 == -2)
    }

    @Test("Whatever the registers hold, nothing traps", arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8])
    func anyCalibration(byte: UInt8) throws {
        let calibration = BME280Calibration(low: .init(repeating: byte), high: .init(repeating: byte))
        for pressure in [0, 1, 0x80000, 0xFFFFF] as [Int32] {
            for temperature in [0, 1, 0x80000, 0xFFFFF] as [Int32] {
                for humidity in [0, 0x8000, 0xFFFF] as [Int32] {
                    let measured = calibration.compensated(
                        pressure: pressure, temperature: temperature, humidity: humidity)
                    #expect(measured.percent1024 <= 102_400)
                }
            }
        }
    }

    @Test("In normal mode it measures by itself, and a ride in a lift is seen")
    func normalMode() throws {
        var sensor = sensor()
        try sensor.begin()
        try sensor.start(standby: .milliseconds62)
        let before = try sensor.reading()
        #expect(try sensor.reading() == before)
        // A smaller raw value is a higher pressure.
        sensor.board.rawPressure += 800
        sensor.board.wait(microseconds: 200_000)
        #expect(try sensor.reading().pascal256 < before.pascal256)
        #expect(sensor.board.measurements >= 2)
        try sensor.stop()
        let measurements = sensor.board.measurements
        sensor.board.wait(microseconds: 1_000_000)
        #expect(sensor.board.measurements == measurements)
    }

    @Test("Another chip is named, and a sensor without calibration or measurement is found out")
    func wrongOnes() throws {
        var other = sensor { $0[0xD0] = 0x58 }
        #expect(throws: BME280Error.wrongDevice(chipID: 0x58)) { try other.begin() }
        var erased = sensor { for register in 0x88...0xA1 as ClosedRange<UInt8> { $0[register] = 0xFF } }
        #expect(throws: BME280Error.notCalibrated) { try erased.begin() }
        var silent = sensor { $0.rawPressure = 0x80000 }
        #expect(throws: BME280Error.nothingMeasured) { _ = try silent.measure() }
        var busy = sensor { $0.faults.neverReady = true }
        #expect(throws: BME280Error.notReady) { try busy.begin() }
        var elsewhere = BME280(board: BME280Model(address: 0x77))
        #expect(throws: BME280Error.bus(.notAcknowledged)) { try elsewhere.begin() }
        #expect(throws: Never.self) {
            var there = BME280(board: BME280Model(address: 0x77), address: 0x77)
            try there.begin()
        }
    }

    @Test("Up to three refusals in a row are overcome, four are reported, and a stuck bus is at once")
    func refusals() throws {
        var patient = sensor { $0.faults.notAcknowledged = 3 }
        try patient.begin()
        var given = sensor { $0.faults.timedOut = 4 }
        #expect(throws: BME280Error.bus(.timedOut)) { try given.begin() }
        var stuck = sensor { $0.faults.stuck = true }
        #expect(throws: BME280Error.bus(.busStuck)) { try stuck.begin() }
    }

    @Test("It waits as long as the data sheet says that its settings take", arguments: BME280Oversampling.allCases)
    func durations(oversampling: BME280Oversampling) throws {
        var sensor = BME280(
            board: BME280Model(), pressureOversampling: oversampling, humidityOversampling: oversampling)
        try sensor.begin()
        let before = sensor.board.milliseconds
        _ = try sensor.measure()
        #expect(sensor.board.milliseconds - before >= sensor.measurementMicroseconds / 1_000)
        #expect(sensor.board.milliseconds - before < sensor.measurementMicroseconds / 1_000 + 8)
    }
}
