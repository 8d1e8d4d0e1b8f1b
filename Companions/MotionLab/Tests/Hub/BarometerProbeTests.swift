import MotionLabDevice
import MotionLabEngine
import Testing

@testable import MotionLabHub

@Suite("A barometer on the I2C bus")
struct BarometerProbeTests {
    @Test("A second of it is a message of Sensor Logger's, with the pressure that the registers hold")
    func message() async throws {
        let probe = BarometerProbe(BME280(board: BME280Model()), hertz: 5)
        for number in 0..<2 {
            let text = try #require(await probe.message())
            #expect(text.contains(#""messageId":\#(number),"#))
            #expect(text.components(separatedBy: #""name":"barometer""#).count - 1 == 5)
            // The data sheet's example, 100,653.27 Pa.
            #expect(text.contains(#""pressure":1006.53"#), "\(text)")
        }
    }

    @Test("In the lift the model's registers go with the height, and the driver is the same")
    func lift() throws {
        var sensor = BME280(board: BME280Model())
        try sensor.begin()
        LiftRide.move(&sensor, atSeconds: 0)
        let below = try sensor.measure().kilopascal
        LiftRide.move(&sensor, atSeconds: 20)
        let above = try sensor.measure().kilopascal
        let height = try #require(Altitude.metres(pressure: above * 10, reference: below * 10))
        #expect(abs(height - LiftRide.metres) < 0.1)
    }

    @Test("A sensor that is not there, or is another one, gives no message")
    func absent() async {
        var model = BME280Model()
        model[0xD0] = 0x58
        #expect(await BarometerProbe(BME280(board: model), hertz: 1).message() == nil)
        #expect(await BarometerProbe(BME280(board: BME280Model(address: 0x77)), hertz: 1).message() == nil)
    }

    @Test("An address on the bus is 0x76 or 0x77", arguments: ["0x75", "0x78", "76", "", "0x", "-1"])
    func addresses(_ text: String) {
        #expect(BarometerAddress(argument: text) == nil)
        #expect(BarometerAddress(argument: "0x77")?.value == 119)
    }
}
