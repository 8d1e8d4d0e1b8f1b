import HubKit
import Testing

@testable import HomeAssistant

/// The messages are those that each program sends, by its documents or sources; what is expected stands in Home Assistant's
/// documents of MQTT discovery.
@Suite("Announcements to Home Assistant")
struct AnnouncementTests {
    private func read(_ topic: String, _ payload: String) throws -> Announcement {
        let (topic, bytes) = (try #require(Announcement.Topic(topic)), Array(payload.utf8))
        return try Announcement(topic, bytes.span)
    }

    private func sensor(_ topic: String, _ payload: String) throws -> AnnouncedSensor {
        guard case .sensors(let sensors) = try read(topic, payload), sensors.count == 1 else {
            throw Announcement.Fault.notJSON
        }
        return sensors[0]
    }

    @Test("Zigbee2MQTT's soil sensor, with availability of the bridge and its own")
    func zigbee2mqtt() throws {
        let found = try sensor(
            "homeassistant/sensor/0xa4c138/soil_moisture/config",
            """
            {"availability":[{"topic":"zigbee2mqtt/bridge/state","value_template":"{{ value_json.state }}"},
            {"topic":"zigbee2mqtt/Fern/availability","value_template":"{{ value_json.state }}"}],
            "availability_mode":"all","device":{"identifiers":["zigbee2mqtt_0xa4c138"],"manufacturer":"Tuya",
            "model":"Soil sensor (TS0601)","name":"Fern"},"device_class":"moisture","object_id":"fern_soil_moisture",
            "origin":{"name":"Zigbee2MQTT","sw":"1.36.0"},"state_class":"measurement","state_topic":"zigbee2mqtt/Fern",
            "unique_id":"0xa4c138_soil_moisture_zigbee2mqtt","unit_of_measurement":"%",
            "value_template":"{{ value_json.soil_moisture }}"}
            """)
        #expect(found.deviceName == "Fern" && found.maker == "Tuya" && found.stateTopic == "zigbee2mqtt/Fern")
        #expect(found.uniqueID == "0xa4c138_soil_moisture_zigbee2mqtt" && found.deviceID == "zigbee2mqtt_0xa4c138")
        #expect(found.availability.map(\.topic) == ["zigbee2mqtt/bridge/state", "zigbee2mqtt/Fern/availability"])
        #expect(found.availability.map(\.member) == ["state", "state"])
    }

    @Test("ESPHome's, with short names")
    func esphome() throws {
        let found = try sensor(
            "homeassistant/sensor/balcony/soil_moisture/config",
            """
            {"unit_of_meas":"%","stat_cla":"measurement","name":"Soil moisture","stat_t":"balcony/sensor/soil_moisture/state",
            "avty_t":"balcony/status","uniq_id":"ESPsensorsoil_moisture","dev":{"ids":"3c71bf","name":"balcony",
            "sw":"esphome v2024.2.2","mdl":"nodemcu-32s","mf":"espressif"}}
            """)
        #expect(found.stateTopic == "balcony/sensor/soil_moisture/state" && found.template == nil)
        #expect(found.deviceID == "3c71bf" && found.model == "nodemcu-32s")
        #expect(found.availability == [AnnouncedSensor.Availability(topic: "balcony/status")])
    }

    @Test("Tasmota's of old, with ~ at the beginning and other words for being there")
    func tasmota() throws {
        let found = try sensor(
            "homeassistant/sensor/8E5B2A_AM2301_Temperature/config",
            """
            {"name":"Kitchen AM2301 Temperature","stat_t":"~SENSOR","avty_t":"~LWT","pl_avail":"Online",
            "pl_not_avail":"Offline","uniq_id":"8E5B2A_AM2301_Temperature","dev":{"ids":["8E5B2A"]},"unit_of_meas":"°C",
            "val_tpl":"{{value_json['AM2301'].Temperature}}","dev_cla":"temperature","~":"tele/kitchen/"}
            """)
        #expect(found.stateTopic == "tele/kitchen/SENSOR")
        #expect(found.availability.first?.topic == "tele/kitchen/LWT")
        #expect(found.availability.first?.notAvailable == "Offline")
    }

    @Test("A device with all its sensors at once; a switch among them is left out, and a bad one costs only itself")
    func device() throws {
        let found = try read(
            "homeassistant/device/0AFFD2/config",
            """
            {"dev":{"ids":"ea334450945afc","name":"Kitchen","mf":"Bla electronics"},"o":{"name":"bla2mqtt"},
            "cmps":{"t":{"p":"sensor","device_class":"temperature","unit_of_measurement":"°C",
            "value_template":"{{ value_json.temperature}}","unique_id":"temp01ae_t"},
            "bad":{"p":"sensor","state_topic":"a/#"},"s":{"p":"switch","command_topic":"x"},
            "m":{"p":"sensor","device_class":"moisture","value_template":"{{ value_json.m }}","unique_id":"m"}},
            "state_topic":"sensorBedroom/state","qos":2}
            """)
        guard case .sensors(let sensors) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(sensors.map(\.uniqueID) == ["temp01ae_t", "m"])
        #expect(sensors.allSatisfy { $0.stateTopic == "sensorBedroom/state" && $0.deviceName == "Kitchen" })
    }

    @Test("An empty message takes back, and what is no sensor is another's")
    func others() throws {
        #expect(try read("homeassistant/sensor/x/config", "") == .removed)
        #expect(try read("homeassistant/switch/x/config", #"{"command_topic":"x"}"#) == .other)
    }

    @Test(
        "A topic that announces nothing is none",
        arguments: [
            "homeassistant/status", "homeassistant/sensor/config", "homeassistant/sensor/a/b/c/config",
            "homeassistant/sensor//config", "homeassistant/sensor/a b/config", "other/sensor/x/config",
        ])
    func topics(topic: String) { #expect(Announcement.Topic(topic) == nil) }

    @Test(
        "Hostile messages are refused and nothing is kept of them",
        arguments: [
            String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 10_000), "{", "null", "[]", "7",
            #"{"stat_t":"#, String(repeating: "x", count: 1_000_000), #"{"state_topic":"a/+/b"}"#,
            #"{"state_topic":""}"#,
            #"{"state_topic":"$SYS/x"}"#, "{}", "\u{0}",
        ])
    func hostile(payload: String) {
        #expect(throws: Announcement.Fault.self) { try read("homeassistant/sensor/x/config", payload) }
    }

    @Test("A name is one line of what can be seen, and not too long; markup is text")
    func names() throws {
        let name = "<script>alert(1)</script>\\u0000\\n\\u202e" + String(repeating: "x", count: 500)
        let found = try sensor(
            "homeassistant/sensor/x/config",
            #"{"state_topic":"a","name":"\#(name)","device":{"ids":["x"],"name":"\#(name)"}}"#)
        #expect(found.deviceName.hasPrefix("<script>alert(1)</script>") && found.deviceName.count <= 64)
        #expect(!found.deviceName.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }
}
