import MQTT
import NIOCore

/// A PUBLISH on its way to several receivers; what they have in common is made once.
struct RelayedMessage {
    let publish: Publish
    /// Whether it was published with RETAIN by a client that may.
    let retain: Bool
    /// The size of topic, payload and properties in bytes, as it counts in a queue.
    let size: Int
    private let topic: String
    private let publisher: Principal
    private let now: Int64
    private var copy: StoredMessage?

    init(_ publish: Publish, retain: Bool, topic: String, publisher: Principal, now: Int64) {
        self.publish = publish
        self.retain = retain
        self.topic = topic
        self.publisher = publisher
        self.now = now
        size =
            topic.utf8.count + publish.payload.readableBytes + (publish.properties?.forwarded.readableBytes ?? 0)
    }

    /// A copy that can be stored.
    var stored: StoredMessage {
        mutating get {
            if let copy { return copy }
            let made = StoredMessage(
                topic: topic, payload: Array(buffer: publish.payload), qualityOfService: publish.qualityOfService,
                publisher: publisher, properties: publish.properties.map { Array(buffer: $0.forwarded) } ?? [],
                expiresAt: publish.properties?.expirySeconds.map { now + Int64($0) * 1_000 })
            copy = made
            return made
        }
    }

    /// The properties for one receiver: a topic alias belongs to one connection, subscription identifiers to one
    /// receiver.
    func properties(for terms: DeliveryTerms) -> PublishProperties? {
        guard let own = publish.properties, own.topicAlias == nil, terms.identifiers.isEmpty else {
            return PublishProperties(
                forwarded: publish.properties?.forwarded ?? ByteBuffer(),
                expirySeconds: publish.properties?.expirySeconds, subscriptionIdentifiers: terms.identifiers)
        }
        return own
    }
}
