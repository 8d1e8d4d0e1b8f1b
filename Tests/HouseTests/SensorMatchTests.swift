import HubKit
import PlantsHub
import Testing

@testable import HomeAssistant

@Suite("What a found sensor can be taken over as")
struct SensorMatchTests {
    private func match(
        name: String = "", topic: String = "x/y", template: String? = nil, unit: String? = nil,
        class deviceClass: String? = nil
    ) -> SensorMatch {
        SensorMatch(
            AnnouncedSensor(
                uniqueID: "u", name: name, deviceID: "d", deviceName: "D", maker: "", model: "", stateTopic: topic,
                template: template, unit: unit, deviceClass: deviceClass), Plants.adoptedKinds)
    }

    private func matched(_ match: SensorMatch) -> (quantity: String, celsius: Double)? {
        guard case .matched(let found) = match else { return nil }
        return (found.quantity, 50 * found.factor + found.offset)
    }

    @Test("By its class, by the member of its template, by the level of its topic, by its name")
    func ways() {
        #expect(matched(match(unit: "%", class: "moisture"))?.quantity == "moisture")
        #expect(
            matched(match(template: "{{ value_json.soil_moisture }}", unit: "%", class: "humidity"))?.quantity
                == "moisture")
        #expect(matched(match(topic: "balcony/sensor/soil_moisture/state", unit: "%"))?.quantity == "moisture")
        #expect(matched(match(template: "{{ value_json.fer }}", unit: "µS/cm"))?.quantity == "conductivity")
        #expect(matched(match(topic: "x", unit: "lx"))?.quantity == "light")
        #expect(matched(match(name: "Soil moisture", topic: "x", unit: "%"))?.quantity == "moisture")
    }

    @Test("Units become the quantity's own")
    func units() throws {
        // 50 °F are 10 °C; 50 kPa are 500 hPa; 50 klx are 50,000 lx.
        #expect(abs(try #require(matched(match(unit: "°F", class: "temperature"))).celsius - 10) < 1e-9)
        #expect(try #require(matched(match(unit: "kPa", class: "pressure"))).celsius == 500)
        #expect(try #require(matched(match(unit: "klx", class: "illuminance"))).celsius == 50_000)
        guard case .unknownUnit("furlong") = match(unit: "furlong", class: "illuminance") else {
            Issue.record("a unit that nobody knows was taken")
            return
        }
    }

    @Test("What measures something else is left out, whatever it is called")
    func others() {
        for deviceClass in ["voltage", "signal_strength", "power", "duration"] {
            #expect(matched(match(template: "{{ value_json.battery }}", unit: "V", class: deviceClass)) == nil)
        }
        #expect(matched(match(name: "Uptime", unit: "s")) == nil)
    }

    @Test("A template that is not understood is told, not guessed")
    func templates() {
        guard
            case .unknownTemplate(.notUnderstood("if")) = match(
                template: "{{ value_json.moisture if value_json.moisture else 0 }}", unit: "%", class: "moisture")
        else {
            Issue.record("it was guessed")
            return
        }
    }
}
