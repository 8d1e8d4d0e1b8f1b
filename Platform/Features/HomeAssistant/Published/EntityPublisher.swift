import Foundation
import HubKit
import Localization

/// The announcements and states that are published, so that only what is new is said.
struct EntityPublisher {
    private typealias Topics = DiscoveryConfiguration.Topics

    /// A retained message; an empty payload takes back what is retained.
    struct Message: Equatable, Sendable {
        var topic: String
        var payload: Data
    }

    private struct Place {
        var topics: DiscoveryConfiguration.Topics
        var entity: String
    }

    /// What is retained at the brokers, by topic.
    private var published: [String: Data] = [:]
    private var states: [DiscoveryConfiguration.Topics: EntityStates] = [:]
    private var places: [Entity.Series: [Place]] = [:]
    /// The topics of events, by those of the companions' own messages that they are.
    private(set) var events: [String: String] = [:]

    /// The encoder of states, whose keys are ids. The same bytes for the same state.
    private static let stateEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The encoder of announcements, whose members Home Assistant writes with underscores.
    private static let configurationEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    /// Takes what there is now.
    ///
    /// - Parameters:
    ///   - entities: of each companion, by its slug.
    ///   - household: whose they are.
    ///   - isByDevice: whether to announce a device at once.
    /// - Returns: what is new: announcements first, then states, and empty messages for what has gone.
    mutating func update(
        _ entities: [(slug: String, entities: [Entity])], of household: String, isByDevice: Bool, in words: Localizer
    ) -> [Message] {
        var wanted: [String: Data] = [:]
        var order: [String] = []
        func want(_ topic: String, _ payload: some Encodable, _ encoder: JSONEncoder = Self.configurationEncoder) {
            // Of strings and finite numbers, it cannot fail.
            guard let data = try? encoder.encode(payload) else { return }
            if wanted.updateValue(data, forKey: topic) == nil { order.append(topic) }
        }
        states = [:]
        places = [:]
        events = [:]
        for (slug, all) in entities {
            var owners: [String] = []
            let byOwner = Dictionary(grouping: all) { entity in
                if owners.last != entity.owner.id, !owners.contains(entity.owner.id) { owners.append(entity.owner.id) }
                return entity.owner.id
            }
            for owner in owners {
                guard let entities = byOwner[owner] else { continue }
                let topics = Topics(slug: slug, owner: owner, household: household)
                if isByDevice {
                    want(topics.device, DeviceConfiguration(entities, topics, in: words))
                } else {
                    for entity in entities {
                        want(
                            topics.configuration(entity),
                            DiscoveryConfiguration(entity, topics, isAlone: true, in: words))
                    }
                }
                let state = EntityStates(entities, in: words)
                states[topics] = state
                for entity in entities {
                    if case .trigger(let trigger) = entity.kind { events[trigger.topic] = topics.event(trigger.event) }
                    guard let series = entity.series else { continue }
                    places[series, default: []].append(Place(topics: topics, entity: entity.id))
                }
            }
        }
        for (topics, state) in states.sorted(by: { $0.key.state < $1.key.state }) {
            want(topics.state, state, Self.stateEncoder)
        }
        let gone = published.keys.filter { wanted[$0] == nil }.sorted()
        let news = order.filter { published[$0] != wanted[$0] }
        let messages =
            gone.map { Message(topic: $0, payload: Data()) }
            + news.map { Message(topic: $0, payload: wanted[$0] ?? Data()) }
        published = wanted
        return messages
    }

    /// Takes new readings.
    ///
    /// - Returns: the states that they change.
    mutating func update(_ readings: [Entity.Series: Double]) -> [Message] {
        var changed: Set<DiscoveryConfiguration.Topics> = []
        for (series, value) in readings {
            for place in places[series] ?? [] {
                states[place.topics]?.set(value, of: place.entity)
                changed.insert(place.topics)
            }
        }
        return changed.sorted { $0.state < $1.state }.compactMap { topics in
            guard let state = states[topics], let data = try? Self.stateEncoder.encode(state),
                published[topics.state] != data
            else { return nil }
            published[topics.state] = data
            return Message(topic: topics.state, payload: data)
        }
    }

    /// The topics on which something is retained.
    var topics: Set<String> { Set(published.keys) }

    /// The topic of the states of what is announced on a topic; nil for one that is none of the hub's own.
    static func stateTopic(ofConfiguration topic: String) -> String? {
        guard let node = topic.split(separator: "/").first(where: { $0.hasPrefix("tandem_") }) else { return nil }
        let parts = node.split(separator: "_", maxSplits: 2)
        return parts.count == 3 ? "tandem/\(parts[1])/\(parts[2])/state" : nil
    }

    /// All that is retained, announcements first: for a broker that has just been connected to, and for a Home Assistant that has
    /// just started.
    var all: [Message] {
        published.map { Message(topic: $0.key, payload: $0.value) }
            .sorted {
                ($0.topic.hasSuffix("/state") ? 1 : 0, $0.topic) < ($1.topic.hasSuffix("/state") ? 1 : 0, $1.topic)
            }
    }
}
