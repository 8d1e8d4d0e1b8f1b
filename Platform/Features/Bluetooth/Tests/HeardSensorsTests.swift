import HomeAssistant
import Testing

@testable import BlueZ
@testable import Bluetooth

/// What the hub makes of broadcasts; their bytes are read by the engine, which has its own vectors.
@Suite("Sensors that broadcast")
struct HeardSensorsTests {
    private static let bthome = "0000fcd2-0000-1000-8000-00805f9b34fb"

    /// BTHome version 2 (bthome.io/format): packet id 0x00 and moisture 0x2F.
    private func soil(_ number: UInt8, _ moisture: UInt8) -> [UInt8] { [0x40, 0x00, number, 0x2F, moisture] }

    private func device(_ data: [UInt8], address: String = "A4:C1:38:8D:18:B2", name: String? = "Fern")
        -> BluetoothDevice
    {
        BluetoothDevice(
            path: "/d", address: address, name: name, strength: -60, services: [], serviceData: [Self.bthome: data],
            manufacturerData: [:], isConnected: false, isResolved: false)
    }

    @Test("A packet that is said again is no news, and the next one is")
    func repeats() {
        var heard = HeardSensors()
        #expect(heard.hear(device(soil(1, 40)), cipher: nil, now: 1_000)?.values == ["moisture": 40])
        #expect(heard.hear(device(soil(1, 40)), cipher: nil, now: 2_000) == nil)
        #expect(heard.hear(device(soil(2, 39)), cipher: nil, now: 3_000)?.values == ["moisture": 39])
    }

    @Test("A quantity becomes a reading once a minute, and at once where the clock was set back")
    func interval() {
        var heard = HeardSensors()
        #expect(heard.hear(device(soil(1, 40)), cipher: nil, now: 100_000)?.due == ["moisture": 40])
        #expect(heard.hear(device(soil(2, 39)), cipher: nil, now: 159_999)?.due == [:])
        #expect(heard.hear(device(soil(3, 38)), cipher: nil, now: 160_000)?.due == ["moisture": 38])
        #expect(heard.hear(device(soil(4, 37)), cipher: nil, now: 50_000)?.due == ["moisture": 37])
    }

    @Test("A counter that goes back is somebody who plays back what was recorded")
    func replay() throws {
        // The example of bthome.io/encryption: address, key, and a packet with the counter 0x33221100.
        var keys = SensorKeys()
        let address = "54:48:E6:8F:80:A5"
        try keys.add("231d39c1d7cc1ab1aee224cd096db932", of: address)
        let packet: [UInt8] = [
            0x41, 0xA4, 0x72, 0x66, 0xC9, 0x5F, 0x73, 0x00, 0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14,
        ]
        var heard = HeardSensors()
        let news = heard.hear(device(packet, address: address), cipher: keys[address], now: 1)
        #expect(news?.values == ["temperature": 25.06, "humidity": 50.55])
        #expect(heard.hear(device(packet, address: address), cipher: keys[address], now: 2) == nil)
    }

    @Test("Without its key a sensor that encrypts says nothing, and wants it")
    func key() throws {
        var heard = HeardSensors()
        let address = "54:48:E6:8F:80:A5"
        let packet: [UInt8] = [
            0x41, 0xA4, 0x72, 0x66, 0xC9, 0x5F, 0x73, 0x00, 0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14,
        ]
        #expect(heard.hear(device(packet, address: address), cipher: nil, now: 1) == nil)
        let sensor = try #require(heard.sensors[address])
        #expect(sensor.needsKey && !sensor.isKeyWrong)
        let wrong = SensorCipher(key: Array(repeating: 0, count: 16))
        #expect(heard.hear(device(packet, address: address), cipher: wrong, now: 2) == nil)
        #expect(heard.sensors[address]?.isKeyWrong == true)
    }

    @Test("Of too many the one that was heard longest ago makes room")
    func bounded() {
        var heard = HeardSensors()
        for number in 0...HeardSensors.most {
            let address = "A4:C1:38:8D:\(hex(number / 256)):\(hex(number % 256))"
            _ = heard.hear(device(soil(1, 40), address: address), cipher: nil, now: Int64(number))
        }
        #expect(heard.sensors.count == HeardSensors.most)
        #expect(heard.sensors["A4:C1:38:8D:00:00"] == nil && heard.sensors["A4:C1:38:8D:00:01"] != nil)
    }

    private func hex(_ number: Int) -> String { (number < 16 ? "0" : "") + String(number, radix: 16, uppercase: true) }

    @Test(
        "What is no key is refused, and how it is written is free",
        arguments: [
            ("231d39c1d7cc1ab1aee224cd096db932", true), ("23:1D:39:C1:D7:CC:1A:B1:AE:E2:24:CD:09:6D:B9:32", true),
            (" 231d39c1 d7cc1ab1-aee224cd 096db932 ", true), ("", false), ("231d", false),
            ("zz1d39c1d7cc1ab1aee224cd096db932", false),
            ("231d39c1d7cc1ab1aee224cd096db93", false), ("231d39c1d7cc1ab1aee224cd096db932ff", false),
        ])
    func keys(text: String, isKey: Bool) {
        var keys = SensorKeys()
        #expect(((try? keys.add(text, of: "A4:C1:38:8D:18:B2")) != nil) == isKey)
        #expect((keys["A4:C1:38:8D:18:B2"] != nil) == isKey)
    }
}
