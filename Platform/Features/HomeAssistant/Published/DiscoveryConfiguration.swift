import Foundation
import HubKit
import Localization

/// The configuration of an entity as it is announced (Home Assistant's documents, "MQTT discovery"), in the single-component form
/// that every version reads.
struct DiscoveryConfiguration: Encodable {
    /// The topics of what a companion announces.
    struct Topics: Hashable, Sendable {
        /// The companion's slug, or `hub`.
        var slug: String
        /// The id of the owner.
        var owner: String

        /// The id of the household, by which the hub is known where several hubs say what they have.
        var household: String

        /// What is retained there says whether the hub is there.
        var hub: String { "tandem/hub/\(household)/status" }
        /// The states of all the owner's entities, as one object.
        var state: String { "tandem/\(slug)/\(owner)/state" }
        /// Commands to one of them.
        func command(_ entity: String) -> String { "tandem/\(slug)/\(owner)/\(entity)/set" }
        /// Where an event of the owner's is said.
        func event(_ event: String) -> String { "tandem/\(slug)/\(owner)/event/\(event)" }
        /// The id that Home Assistant keeps.
        var id: String { "tandem_\(slug)_\(owner)" }
        /// Where one of them is announced.
        func configuration(_ entity: Entity) -> String {
            "homeassistant/\(entity.kind.component)/\(id)/\(entity.id)/config"
        }
        /// Where all of them are announced at once, to versions from 2024.11 on.
        var device: String { "homeassistant/device/\(id)/config" }
    }

    struct Device: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer = "Tandem"
        var model: String
        var viaDevice: String?
        var swVersion: String?
    }

    struct Origin: Encodable {
        var name = "Tandem"
        var swVersion = HubVersion.current
    }

    struct Availability: Encodable {
        var topic: String
        var valueTemplate: String?
    }

    var platform: String?
    var name: String?
    var uniqueId: String?
    var objectId: String?
    var device: Device?
    var origin: Origin?
    var stateTopic: String?
    var valueTemplate: String?
    var unitOfMeasurement: String?
    var deviceClass: String?
    var stateClass: String?
    var suggestedDisplayPrecision: Int?
    var entityCategory: String?
    var availability: [Availability]?
    var availabilityMode: String?
    var jsonAttributesTopic: String?
    var jsonAttributesTemplate: String?
    var payloadOn: String?
    var payloadOff: String?
    var commandTopic: String?
    var payloadPress: String?
    var min: Double?
    var max: Double?
    var step: Double?
    var automationType: String?
    var type: String?
    var subtype: String?
    var topic: String?
    var payload: String?
    var releaseUrl: String?
    var title: String?

    /// Describes an entity.
    ///
    /// - Parameter isAlone: whether it is announced by itself, with what is the same for all of its device.
    init(_ entity: Entity, _ topics: Topics, isAlone: Bool, in words: Localizer) {
        let name = words.string(entity.title)
        if isAlone {
            device = Self.device(of: entity.owner, topics, in: words)
            origin = Origin()
        } else {
            platform = entity.kind.component
        }
        if case .trigger(let trigger) = entity.kind {
            (automationType, type, subtype) = ("trigger", trigger.event, name)
            topic = topics.event(trigger.event)
            // What comes late, from a phone that was away, is not what is happening now.
            valueTemplate = "{{ 'late' if value_json is defined and value_json.isLate else 'now' }}"
            payload = "now"
            return
        }
        self.name = name
        uniqueId = "\(topics.id)_\(entity.id)"
        objectId = "\(topics.id)_\(entity.id)"
        entityCategory = entity.isDiagnostic ? "diagnostic" : nil
        availability = [Availability(topic: topics.hub)]
        if entity.state != .none {
            stateTopic = topics.state
            valueTemplate = "{{ value_json.get('\(entity.id)') }}"
            availability?.append(
                Availability(
                    topic: topics.state,
                    valueTemplate: "{{ 'online' if '\(entity.id)' in value_json else 'offline' }}"))
            availabilityMode = "all"
        }
        if !entity.attributes.isEmpty {
            jsonAttributesTopic = topics.state
            jsonAttributesTemplate =
                "{{ value_json.get('attributes', {}).get('\(entity.id)', {}) | tojson }}"
        }
        switch entity.kind {
        case .measurement(let measured):
            unitOfMeasurement = measured.unit.isEmpty ? nil : measured.unit
            deviceClass = measured.deviceClass
            stateClass = "measurement"
            suggestedDisplayPrecision = measured.decimals
        case .words: break
        case .flag(let isProblem):
            deviceClass = isProblem ? "problem" : nil
            (payloadOn, payloadOff) = ("True", "False")
        case .button:
            commandTopic = topics.command(entity.id)
            payloadPress = "PRESS"
        case .number(let range, let step, let unit):
            commandTopic = topics.command(entity.id)
            (min, max, self.step) = (range.lowerBound, range.upperBound, step)
            unitOfMeasurement = unit.isEmpty ? nil : unit
        case .update(let latest, let page):
            // Home Assistant's document "MQTT Update": one message that has both versions.
            valueTemplate =
                "{{ {'installed_version': value_json.get('\(entity.id)'), 'latest_version': '\(latest)'} | tojson }}"
            releaseUrl = page
            title = entity.owner.name
        case .trigger: break
        }
    }

    static func device(of owner: Entity.Owner, _ topics: Topics, in words: Localizer) -> Device {
        Device(
            identifiers: [topics.id], name: owner.name, model: words.string(owner.kind),
            viaDevice: topics.slug == "hub" ? nil : "tandem_hub_\(topics.household)",
            swVersion: topics.slug == "hub" ? HubVersion.current : nil)
    }
}

/// The announcement of a device with all its entities at once.
struct DeviceConfiguration: Encodable {
    var device: DiscoveryConfiguration.Device
    var origin = DiscoveryConfiguration.Origin()
    var components: [String: DiscoveryConfiguration]

    init(_ entities: [Entity], _ topics: DiscoveryConfiguration.Topics, in words: Localizer) {
        // Never empty: it is made of what an owner has.
        device = DiscoveryConfiguration.device(of: entities[0].owner, topics, in: words)
        components = Dictionary(
            entities.map { ($0.id, DiscoveryConfiguration($0, topics, isAlone: false, in: words)) }
        ) { first, _ in first }
    }
}

extension Entity.Kind {
    /// Home Assistant's name of the component that shows it.
    var component: String {
        switch self {
        case .measurement, .words: "sensor"
        case .flag: "binary_sensor"
        case .button: "button"
        case .number: "number"
        case .update: "update"
        case .trigger: "device_automation"
        }
    }
}
