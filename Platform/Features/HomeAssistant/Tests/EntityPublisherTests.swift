import Foundation
import HubKit
import Localization
import Testing

@testable import HomeAssistant

/// What Home Assistant reads stands in its documents of MQTT discovery, and of its sensor, binary sensor, button and number.
@Suite("What is announced to Home Assistant")
struct EntityPublisherTests {
    private let words = Localizer(.english, from: StringCatalog())
    private let fern = Entity.Owner(id: "fern1", name: "Fern", kind: "Plant")

    private func moisture(_ value: Double?) -> Entity {
        Entity(
            of: fern, "moisture", LocalizedText("Moisture"),
            .measurement(.init(unit: "%", deviceClass: "moisture", decimals: 1)),
            value.map { .number($0) } ?? .unavailable, series: .init(device: "d", quantity: "moisture"))
    }

    private func json(_ message: EntityPublisher.Message?) throws -> [String: Any] {
        let payload = try #require(message).payload
        return try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
    }

    @Test("A sensor is announced with its device, and its state is one message of its owner")
    func sensor() throws {
        var publisher = EntityPublisher()
        let messages = publisher.update([("pond", [moisture(41.55)])], of: "h", isByDevice: false, in: words)
        #expect(
            messages.map(\.topic) == [
                "homeassistant/sensor/tandem_pond_fern1/moisture/config", "tandem/pond/fern1/state",
            ])
        let announced = try json(messages.first)
        #expect(announced["unique_id"] as? String == "tandem_pond_fern1_moisture")
        #expect(
            announced["device_class"] as? String == "moisture" && announced["unit_of_measurement"] as? String == "%")
        #expect(announced["state_topic"] as? String == "tandem/pond/fern1/state")
        #expect(announced["value_template"] as? String == "{{ value_json.get('moisture') }}")
        #expect((announced["device"] as? [String: Any])?["identifiers"] as? [String] == ["tandem_pond_fern1"])
        #expect((announced["origin"] as? [String: Any])?["name"] as? String == "Tandem")
        #expect((announced["availability"] as? [[String: Any]])?.first?["topic"] as? String == "tandem/hub/h/status")
        #expect(try json(messages.last)["moisture"] as? Double == 41.6)
    }

    @Test("An update has both versions in one message, as Home Assistant’s document of MQTT updates has them")
    func update() throws {
        let update = Entity(
            of: fern, "update", LocalizedText("Update"), .update(latest: "0.2.0", page: "https://a.example/o/t"),
            .words(LocalizedText(verbatim: "0.1.0")))
        var publisher = EntityPublisher()
        let announced = try json(publisher.update([("hub", [update])], of: "h", isByDevice: false, in: words).first)
        #expect(
            announced["value_template"] as? String
                == "{{ {'installed_version': value_json.get('update'), 'latest_version': '0.2.0'} | tojson }}")
        #expect(announced["release_url"] as? String == "https://a.example/o/t")
        #expect(announced["title"] as? String == "Fern" && announced["name"] as? String == "Update")
    }

    @Test("Only what is new is said; what is silent is left out of the state, and what has gone is taken back")
    func news() throws {
        var publisher = EntityPublisher()
        _ = publisher.update([("pond", [moisture(41)])], of: "h", isByDevice: false, in: words)
        #expect(publisher.update([("pond", [moisture(41)])], of: "h", isByDevice: false, in: words).isEmpty)
        let silent = publisher.update([("pond", [moisture(nil)])], of: "h", isByDevice: false, in: words)
        #expect(silent.map(\.topic) == ["tandem/pond/fern1/state"])
        #expect(try json(silent.first)["moisture"] == nil)
        let gone = publisher.update([("pond", [])], of: "h", isByDevice: false, in: words)
        #expect(Set(gone.map(\.topic)).count == 2 && gone.allSatisfy { $0.payload.isEmpty })
        #expect(publisher.all.isEmpty)
    }

    @Test("A reading is said at once, as exact as is worth showing, and once")
    func readings() throws {
        var publisher = EntityPublisher()
        _ = publisher.update([("pond", [moisture(41)])], of: "h", isByDevice: false, in: words)
        let said = publisher.update([
            .init(device: "d", quantity: "moisture"): 42.04, .init(device: "e", quantity: "x"): 1,
        ])
        #expect(said.map(\.topic) == ["tandem/pond/fern1/state"])
        #expect(try json(said.first)["moisture"] as? Double == 42)
        #expect(publisher.update([.init(device: "d", quantity: "moisture"): 42.01]).isEmpty)
        #expect(publisher.all.last == said.first)
    }

    @Test("A button, a number, a flag and something that happens each have what Home Assistant asks for")
    func kinds() throws {
        let all = [
            Entity(of: fern, "watered", LocalizedText("I watered it"), .button),
            Entity(of: fern, "volume", LocalizedText("Volume"), .number(1...4, step: 1, unit: ""), .number(2)),
            Entity(of: fern, "dry", LocalizedText("Wants water"), .flag(isProblem: true), .flag(true)),
            Entity(
                of: fern, "played", LocalizedText("Played"),
                .trigger(EntityTrigger(topic: "tandem/pond/p/played", event: "played"))),
        ]
        var publisher = EntityPublisher()
        let messages = publisher.update([("pond", all)], of: "h", isByDevice: false, in: words)
        let button = try json(messages[0])
        #expect(button["command_topic"] as? String == "tandem/pond/fern1/watered/set" && button["state_topic"] == nil)
        let number = try json(messages[1])
        #expect(number["min"] as? Double == 1 && number["max"] as? Double == 4)
        let flag = try json(messages[2])
        #expect(flag["device_class"] as? String == "problem" && flag["payload_on"] as? String == "True")
        let trigger = try json(messages[3])
        #expect(messages[3].topic == "homeassistant/device_automation/tandem_pond_fern1/played/config")
        #expect(
            trigger["automation_type"] as? String == "trigger"
                && trigger["topic"] as? String == "tandem/pond/fern1/event/played")
        #expect(publisher.events == ["tandem/pond/p/played": "tandem/pond/fern1/event/played"])
        #expect(try json(messages[4])["dry"] as? Bool == true)
    }

    @Test("By a setting a device is announced at once")
    func byDevice() throws {
        var publisher = EntityPublisher()
        _ = publisher.update([("pond", [moisture(41)])], of: "h", isByDevice: false, in: words)
        let messages = publisher.update([("pond", [moisture(41)])], of: "h", isByDevice: true, in: words)
        #expect(messages.first?.topic == "homeassistant/sensor/tandem_pond_fern1/moisture/config")
        let announced = try json(messages.last)
        #expect(messages.last?.topic == "homeassistant/device/tandem_pond_fern1/config")
        let component = (announced["components"] as? [String: [String: Any]])?["moisture"]
        #expect(component?["platform"] as? String == "sensor" && component?["unique_id"] != nil)
    }
}
