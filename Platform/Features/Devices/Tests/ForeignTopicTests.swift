import NIOCore
import Testing

@testable import Devices
@testable import HubServer

/// The topics on which devices and programs tell of themselves, beside what they measure, by their own documentation.
@Suite("Topics that are not a device's own")
struct ForeignTopicTests {
    private func words(_ topic: String) -> String? {
        ForeignTopic(ByteBuffer(string: topic), prefix: "tandem/fern/").rejection?.reason
    }

    @Test(
        "How a device is, and what a broker tells of itself, needs no care",
        arguments: [
            // ESPHome, Tasmota, Zigbee2MQTT, Shelly, OpenMQTTGateway; mosquitto, EMQX, HiveMQ.
            "soil/status", "tele/soil/LWT", "zigbee2mqtt/soil/availability", "shellies/soil/online", "soil/debug",
            "home/OpenMQTTGateway/version", "shellies/soil/info", "$SYS/broker/connection/house/state",
            "$SYS/brokers/emqx@127.0.0.1/uptime", "$share/group/soil",
            // Homie 4, Tasmota, Zigbee2MQTT, Shelly's second generation, what ESPHome calls no sensor.
            "homie/soil/$state", "homie/soil/$stats/uptime", "tele/soil/STATE", "tele/soil/INFO1", "stat/soil/RESULT",
            "zigbee2mqtt/bridge/state", "shellyht-1/events/rpc", "soil/binary_sensor/leak/state",
        ])
    func harmless(topic: String) { #expect(words(topic) == nil) }

    @Test(
        "Who announces itself to Home Assistant is told how that is switched off",
        arguments: [
            "homeassistant/sensor/n1/moisture/config", "homeassistant/binary_sensor/leak/config",
            "homeassistant/device/0x00158d0001/config", "ha/discovery/number/interval/config",
        ])
    func announcement(topic: String) throws {
        let said = try #require(words(topic))
        #expect(said.contains("discovery: false") && said.contains("SetOption19 0"))
    }

    @Test(
        "Any other is told its own topics, and of another device's that it is one",
        arguments: [
            ("tele/soil/SENSOR", false), ("zigbee2mqtt/soil", false), ("soil/sensor/moisture/state", false),
            ("shellies/soil/sensor/temperature", false), ("config", false), ("soil/config", false), ("", false),
            ("/tandem/fern/moisture", false), ("tandem/basil/moisture", true), ("tandem/fern2/moisture", true),
            ("tandem", true),
        ])
    func other(topic: String, isOfDevice: Bool) throws {
        let said = try #require(words(topic))
        #expect(said.contains("“tandem/fern/” and the name of what it measures"))
        #expect(said.contains("another device’s") == isOfDevice)
    }
}
