import Foundation
import HubKit
import Wire

/// A sensor that another program or device announces to Home Assistant (its MQTT discovery): where its values are and how a
/// message says them.
struct AnnouncedSensor: Sendable, Equatable {
    /// A topic on which the sensor, or what brings it, says whether it is there.
    struct Availability: Sendable, Equatable {
        var topic: String
        var available = "online"
        var notAvailable = "offline"
        /// The member of a JSON message that says it, by its template `{{ value_json.state }}`; empty for the message itself.
        var member = ""
    }

    /// The id that it keeps when its name or topics change.
    var uniqueID: String
    /// Its name beside that of its device; empty where it has none.
    var name: String
    /// The device that it is a part of: an id, and what people call it.
    var deviceID, deviceName: String
    /// Its maker and model; empty where they are not told.
    var maker, model: String
    var stateTopic: String
    /// The template by which a message says the value; nil for a bare number.
    var template: String?
    var unit, deviceClass: String?
    var availability: [Availability] = []
    /// Seconds after which a value is no longer true; nil for never.
    var expiresAfter: Int?
}

/// What a message on a discovery topic says.
enum Announcement: Sendable, Equatable {
    /// Sensors that measure numbers.
    case sensors([AnnouncedSensor])
    /// What was announced there has gone: the message is empty.
    case removed
    /// Something else that Home Assistant knows, such as a switch.
    case other

    /// The reason why an announcement is not understood.
    enum Fault: Error, Equatable, Sendable {
        case tooLong, notJSON, noStateTopic, badTopic
    }

    /// The longest message, in bytes: that of a device with some dozen sensors has 10 kB.
    static let longest = 65_536
    /// The most sensors of a device.
    private static let mostSensors = 64
    /// The part of a discovery topic that tells what it is about: `homeassistant/<component>/[<node>/]<object>/config`, or
    /// `homeassistant/device/<id>/config`.
    struct Topic: Sendable, Equatable {
        var component, node, object: String

        /// Reads a topic; nil for one that announces nothing.
        init?(_ topic: String, prefix: String = "homeassistant") {
            guard topic.hasPrefix(prefix + "/"), topic.hasSuffix("/config") else { return nil }
            let levels = topic.dropFirst(prefix.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
            guard (3...4).contains(levels.count), levels.allSatisfy({ !$0.isEmpty && Self.isID($0) }) else {
                return nil
            }
            component = String(levels[0])
            node = levels.count == 4 ? String(levels[1]) : ""
            object = String(levels[levels.count - 2])
        }

        private static func isID(_ text: Substring) -> Bool {
            text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
        }
    }

    /// Reads a message.
    ///
    /// - Throws: `Fault`.
    init(_ topic: Topic, _ payload: Span<UInt8>) throws(Fault) {
        guard payload.count <= Self.longest else { throw .tooLong }
        guard !payload.isEmpty else {
            self = .removed
            return
        }
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(payload) } catch { throw .notJSON }
        guard case .object = json else { throw .notJSON }
        let whole = Entry(json)
        if topic.component == "device" {
            guard case .object(let components)? = whole["components"] else { throw .notJSON }
            var sensors: [AnnouncedSensor] = []
            for (id, component) in components.prefix(Self.mostSensors) {
                let entry = Entry(component, within: whole)
                guard entry.text("platform") == "sensor" else { continue }
                // One without a value of its own costs only itself.
                do throws(Fault) { sensors.append(try Self.sensor(entry, topic, id: id)) } catch { continue }
            }
            self = sensors.isEmpty ? .other : .sensors(sensors)
        } else if topic.component == "sensor" {
            self = .sensors([try Self.sensor(whole, topic, id: topic.object)])
        } else {
            self = .other
        }
    }

    private static func sensor(_ entry: Entry, _ topic: Topic, id: String) throws(Fault) -> AnnouncedSensor {
        guard let stateTopic = entry.topic("state_topic") else { throw .noStateTopic }
        guard isTopic(stateTopic) else { throw .badTopic }
        let device = entry["device"].map { Entry($0) }
        let ids = device?.list("identifiers") ?? []
        let connections = device?["connections"]?[0]?[1]?.text.map { [$0] } ?? []
        let uniqueID = String((entry.text("unique_id") ?? entry.text("object_id") ?? "\(topic.node)_\(id)").prefix(256))
        let deviceID = ids.first ?? connections.first ?? (topic.node.isEmpty ? uniqueID : topic.node)
        let name = entry.text("name")?.shown ?? ""
        return AnnouncedSensor(
            uniqueID: uniqueID, name: name, deviceID: deviceID.shown,
            deviceName: device?.text("name")?.shown ?? (name.isEmpty ? deviceID.shown : name),
            maker: device?.text("manufacturer")?.shown ?? "", model: device?.text("model")?.shown ?? "",
            stateTopic: stateTopic,
            template: entry.text("value_template").map { String($0.prefix(ValueTemplate.longest + 1)) },
            unit: entry.text("unit_of_measurement")?.shown, deviceClass: entry.text("device_class")?.shown,
            availability: availability(entry),
            expiresAfter: entry.text("expire_after").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil })
    }

    private static func availability(_ entry: Entry) -> [AnnouncedSensor.Availability] {
        var entries: [Entry] = []
        switch entry["availability"] {
        case .array(let values)?: entries = values.prefix(2).map { Entry($0, base: entry.base) }
        case .object?: entries = entry["availability"].map { [Entry($0, base: entry.base)] } ?? []
        default: break
        }
        var all = entries.compactMap { one in
            one.topic("topic").map { one.availability($0, template: one.text("value_template")) }
        }
        if let topic = entry.topic("availability_topic") {
            all.append(entry.availability(topic, template: entry.text("availability_template")))
        }
        return all.filter { isTopic($0.topic) }
    }

    /// Whether a text is a topic to which one can subscribe without hearing others, and none of Tandem's own.
    private static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 512 && !text.hasPrefix("tandem/")
            && !text.contains(where: { $0 == "+" || $0 == "#" || $0 == "\0" })
            && !text.hasPrefix("$")
    }
}

/// An object of an announcement, by the whole or the short names of its members.
private struct Entry {
    private var members: [String: JSONValue] = [:]
    /// What `~` in a topic stands for.
    private(set) var base = ""

    /// - Parameters:
    ///   - outer: the announcement of the device, whose members hold for each of its entities.
    ///   - base: what `~` stands for outside of it.
    init(_ json: JSONValue, within outer: Entry? = nil, base: String = "") {
        if let outer {
            for name in [
                "device", "availability", "availability_topic", "availability_template", "payload_available",
                "payload_not_available", "state_topic",
            ] { members[name] = outer.members[name] }
        }
        self.base = outer?.base ?? base
        guard case .object(let all) = json else { return }
        for (name, value) in all { members[Self.names[name] ?? name] = value }
        if let own = members["~"]?.text { self.base = own }
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    func text(_ name: String) -> String? { members[name]?.text }

    /// The texts of a list, or of a single one.
    func list(_ name: String) -> [String] {
        if case .array(let values)? = members[name] { return values.compactMap(\.text) }
        return members[name]?.text.map { [$0] } ?? []
    }

    /// A topic, in which `~` at its beginning or end stands for the base.
    func topic(_ name: String) -> String? {
        guard var topic = text(name), !topic.isEmpty else { return nil }
        if topic.hasPrefix("~") { topic = base + topic.dropFirst() }
        if topic.hasSuffix("~") { topic = topic.dropLast() + base }
        return topic
    }

    func availability(_ topic: String, template: String?) -> AnnouncedSensor.Availability {
        var one = AnnouncedSensor.Availability(topic: topic)
        one.available = text("payload_available").map { String($0.prefix(64)) } ?? one.available
        one.notAvailable = text("payload_not_available").map { String($0.prefix(64)) } ?? one.notAvailable
        // Zigbee2MQTT's `{{ value_json.state }}`, which is the only one that is common.
        if let template, let dot = template.range(of: "value_json.") {
            one.member = String(template[dot.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        return one
    }

    /// The short names that announcements may use, of those members that are read (Home Assistant's documents, "Supported
    /// abbreviations in MQTT discovery messages").
    private static let names = [
        "stat_t": "state_topic", "val_tpl": "value_template", "unit_of_meas": "unit_of_measurement",
        "dev_cla": "device_class", "uniq_id": "unique_id", "obj_id": "object_id", "dev": "device", "ids": "identifiers",
        "cns": "connections", "mf": "manufacturer", "mdl": "model", "avty": "availability",
        "avty_t": "availability_topic",
        "avty_tpl": "availability_template", "pl_avail": "payload_available", "pl_not_avail": "payload_not_available",
        "exp_aft": "expire_after", "cmps": "components", "p": "platform", "t": "topic",
    ]
}

extension String {
    /// The text as it is shown: one line without signs that nobody sees, and not too long.
    fileprivate var shown: String {
        let line = String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        return String(line.withoutUnseenCharacters.prefix(64))
    }
}
