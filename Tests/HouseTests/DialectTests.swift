import NIOCore
import PlantsHub
import Testing

@testable import HomeAssistant

/// Messages as each maker's firmware sends them, by its documents.
@Suite("What makers' firmware publishes by itself")
struct DialectTests {
    private let dialects = Dialects(HomeAssistant.dialectTable, Plants.adoptedKinds)

    private func values(_ topic: String, _ payload: String) -> [String: Double]? {
        dialects.values(topic: topic, payload: ByteBuffer(string: payload)).map {
            Dictionary($0.map { ($0.quantity, $0.value) }) { first, _ in first }
        }
    }

    @Test(
        "Values are understood",
        arguments: [
            ("balcony/sensor/fern_soil_moisture/state", "41.5", ["moisture": 41.5]),
            ("home/balcony/sensor/temperature/state", "21.5", ["temperature": 21.5]),
            (
                "tele/kitchen/SENSOR",
                #"{"Time":"2024-03-01T12:00:00","AM2301":{"Temperature":21.3,"Humidity":40.1,"DewPoint":7.2},"TempUnit":"C"}"#,
                ["temperature": 21.3, "humidity": 40.1]
            ),
            ("shellies/shellyht-1/sensor/temperature", "21.38", ["temperature": 21.38]),
            ("shellyplusht-08b6/status/humidity:0", #"{"id":0,"rh":53.5}"#, ["humidity": 53.5]),
            ("shellyplusht-08b6/status/temperature:0", #"{"id":0,"tC":21.2,"tF":70.2}"#, ["temperature": 21.2]),
            (
                "shellyplusht-08b6/status/devicepower:0",
                #"{"id":0,"battery":{"V":5.32,"percent":80},"external":{"present":false}}"#, ["battery": 80]
            ),
            (
                "zigbee2mqtt/Fern", #"{"battery":100,"linkquality":87,"soil_moisture":43,"temperature":20.9}"#,
                ["battery": 100, "moisture": 43, "temperature": 20.9]
            ),
            (
                "home/OMG/BTtoMQTT/C47C8D6A1B2C",
                #"{"id":"C4:7C:8D:6A:1B:2C","name":"Flower care","rssi":-70,"tempc":21.1,"tempf":69.98,"moi":18,"lux":129,"fer":221}"#,
                ["temperature": 21.1, "moisture": 18, "light": 129, "conductivity": 221]
            ),
            (
                "miflora/fern",
                #"{"light": 108, "temperature": 20.1, "moisture": 23, "conductivity": 280, "battery": 97}"#,
                ["light": 108, "temperature": 20.1, "moisture": 23, "conductivity": 280, "battery": 97]
            ),
            ("homie/fern/sensor/moisture", "33", ["moisture": 33]),
        ])
    func understood(topic: String, payload: String, expected: [String: Double]) {
        #expect(values(topic, payload) == expected)
    }

    @Test(
        "How a device is, and what measures nothing, is understood and gives nothing",
        arguments: [
            ("balcony/status", "online"), ("balcony/debug", "[D][sensor:094]"), ("tele/kitchen/LWT", "Online"),
            ("tele/kitchen/STATE", #"{"Uptime":"0T01:00:00"}"#), ("shellies/x/online", "true"),
            ("zigbee2mqtt/bridge/state", #"{"state":"online"}"#), ("balcony/sensor/fern/state", "nan"),
            ("balcony/sensor/soil_moisture/state", "unavailable"), ("zigbee2mqtt/Fern", "{"),
            ("homie/fern/$state", "ready"),
        ])
    func nothing(topic: String, payload: String) { #expect(values(topic, payload) == [:]) }

    @Test("What no maker publishes is not understood")
    func unknown() {
        #expect(values("garden", "1") == nil)
        #expect(values("some/where/else/entirely/deep", "1") == nil)
    }

    @Test("A line of one's own comes first, and one that is none costs only itself")
    func ownTable() {
        let own = "Mine\tgarden/+/wet\tlevel 1\nname\tbed\tmoisture\nnonsense\nMine\t##\tmembers\n"
        let dialects = Dialects(own + HomeAssistant.dialectTable, Plants.adoptedKinds)
        let found = dialects.values(topic: "garden/bed/wet", payload: ByteBuffer(string: "12"))
        #expect(found?.first?.quantity == "moisture" && found?.first?.value == 12)
    }
}
