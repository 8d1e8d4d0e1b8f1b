import FuzzTargets
import HubKit
import NIOCore
import PlantsHub

@testable import HomeAssistant

extension FuzzTarget {
    /// What other programs announce and say.
    static var homeAssistant: [FuzzTarget] {
        [
            FuzzTarget(
                "announcements", longestInput: 4_096,
                dictionary: [
                    "state_topic", "stat_t", "\"~\":", "\"dev\":{\"ids\":", "\"cmps\":{", "\"p\":\"sensor\"", "val_tpl",
                    "{{ value_json.x }}", "unit_of_meas", "avty", "pl_avail", "\\u0000", "[[",
                ],
                seeds: [
                    #"0{"state_topic":"a","unique_id":"u","device":{"identifiers":["d"],"name":"N"}}"#,
                    #"1{"dev":{"ids":"d"},"cmps":{"a":{"p":"sensor","stat_t":"~/x"}},"~":"b"}"#,
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkAnnouncement(bytes) },
            FuzzTarget(
                "value-templates", longestInput: 512,
                dictionary: [
                    "{{ ", " }}", "value_json", ".x", "['x']", " | float", " | round(1)", "(", ")", " // ", " % ", "-",
                ],
                seeds: ["{{ value_json.x | float / 10 | round(1) }}\n{\"x\": 5}", "{{ -(value) }}\n7"].map {
                    Array($0.utf8)
                }
            ) { bytes throws(BrokenProperty) in try checkTemplate(bytes) },
            FuzzTarget(
                "dialects", longestInput: 1_024,
                dictionary: [
                    "/sensor/", "/state", "tele/", "/SENSOR", "zigbee2mqtt/", "{\"soil_moisture\":", "level ",
                ],
                seeds: ["tele/x/SENSOR\n{\"A\":{\"Temperature\":1}}", "a/sensor/soil_moisture/state\n5"].map {
                    Array($0.utf8)
                }
            ) { bytes throws(BrokenProperty) in try checkDialect(bytes) },
        ]
    }

    private static func checkAnnouncement(_ bytes: [UInt8]) throws(BrokenProperty) {
        let name =
            bytes.first.map { $0 % 2 == 1 } ?? false ? "homeassistant/device/x/config" : "homeassistant/sensor/x/config"
        let message = Array(bytes.dropFirst())
        guard let topic = Announcement.Topic(name), let read = try? Announcement(topic, message.span),
            case .sensors(let sensors) = read
        else { return }
        for sensor in sensors {
            let topics = [sensor.stateTopic] + sensor.availability.map(\.topic)
            try require(
                topics.allSatisfy { !$0.isEmpty && !$0.contains("#") && !$0.contains("+") },
                "a topic hears itself alone")
            for text in [sensor.name, sensor.deviceName, sensor.model] {
                try require(text.count <= 64 && !text.unicodeScalars.contains { $0.value < 32 }, "a name can be shown")
            }
            _ = SensorMatch(sensor, Plants.adoptedKinds)
        }
    }

    private static func checkTemplate(_ bytes: [UInt8]) throws(BrokenProperty) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let template = try? ValueTemplate(String(decoding: parts[0], as: UTF8.self)) else {
            return
        }
        let message = Array(parts[1])
        let value = template.value(of: message.span)
        try require(value.map(\.isFinite) ?? true, "a value is a number")
        try require(template.value(of: message.span) == value, "the same message says the same")
    }

    private static func checkDialect(_ bytes: [UInt8]) throws(BrokenProperty) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let text = String(decoding: parts[0], as: UTF8.self)
        let dialects = Dialects(text + "\n" + HomeAssistant.dialectTable, Plants.adoptedKinds)
        let known = Set(Plants.adoptedKinds.flatMap(\.quantities).map(\.name))
        for (quantity, _) in dialects.values(topic: text, payload: ByteBuffer(bytes: parts[1])) ?? [] {
            try require(known.contains(quantity), "it is a quantity that somebody takes: \(quantity)")
        }
    }
}
