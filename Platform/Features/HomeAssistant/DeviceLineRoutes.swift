import HubKit
import Storage

/// The lines to paste for a device, by firmware, and what it sent last beside its own topics.
struct DeviceLineRoutes: Sendable {
    let home: HomeAssistant

    func add(to routes: Routes) {
        routes.get(
            "/api/devices/{id}/lines", .adult,
            "What to paste into a device's firmware so that the hub understands it, and what it sent last beside its own topics."
        ) { request in
            let device = try await home.devices.device(request.path("id"), household: request.member.household)
            let lines = home.quantity(ofKind: device.kind).map {
                DeviceLine.all(of: device.id, quantity: $0, port: request.hub.settings.mqttPort)
            }
            return try .json(DeviceLinesResponse(last: home.lastForeign(of: device.id), lines: lines ?? []))
        }
    }
}

private struct DeviceLinesResponse: Codable {
    /// The last message to a topic that is not the device's own; nil for none since the hub started.
    var last: LastForeignMessage?
    var lines: [DeviceLine]
}

/// The last message of a device beside its own topics, for its page.
struct LastForeignMessage: Codable, Sendable {
    var topic, payload: String
    var at: Int64
}

/// The lines for one firmware.
struct DeviceLine: Codable, Equatable {
    var firmware, text: String

    /// The lines for each firmware that publishes a quantity; `HOST` and `TOKEN` stand for what the hub does not know: how the device reaches it, and its
    /// token.
    static func all(of id: String, quantity: String, port: Int) -> [DeviceLine] {
        [
            DeviceLine(
                firmware: "ESPHome",
                text: """
                    mqtt:
                      broker: HOST
                      port: \(port)
                      username: \(id)
                      password: TOKEN
                      topic_prefix: tandem/\(id)
                    """),
            DeviceLine(
                firmware: "Tasmota",
                text: "Backlog MqttHost HOST; MqttPort \(port); MqttUser \(id); MqttPassword TOKEN"),
            DeviceLine(
                firmware: "Arduino",
                text: """
                    client.setServer("HOST", \(port));
                    client.connect("\(id)", "\(id)", "TOKEN");
                    client.publish("tandem/\(id)/\(quantity)", String(value, 1).c_str());
                    """),
            DeviceLine(
                firmware: "MicroPython",
                text: """
                    client = MQTTClient("\(id)", "HOST", port=\(port), user="\(id)", password="TOKEN")
                    client.connect()
                    client.publish(b"tandem/\(id)/\(quantity)", b"%.1f" % value)
                    """),
        ]
    }
}
