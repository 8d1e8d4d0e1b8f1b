/// A message at rest: copied, with its publisher, whose right is asked again when it is delivered.
public struct StoredMessage: Sendable, Equatable {
    public var topic: String
    public var payload: [UInt8]
    /// That it was published with.
    public var qualityOfService: QualityOfService
    public var publisher: Principal
    /// What goes on to subscribers of MQTT 5.0: property fields, as `PublishProperties.forwarded`.
    public var properties: [UInt8]
    /// When it is worth delivering no longer, UTC milliseconds; nil never.
    public var expiresAt: Int64?

    public init(
        topic: String, payload: [UInt8], qualityOfService: QualityOfService, publisher: Principal,
        properties: [UInt8] = [], expiresAt: Int64? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.publisher = publisher
        self.properties = properties
        self.expiresAt = expiresAt
    }

    /// Whether it is not to be delivered any more [MQTT-3.3.2-5].
    public func isExpired(at now: Int64) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Bytes of topic, payload and properties.
    public var size: Int { topic.utf8.count + payload.count + properties.count }
}

/// On what terms a session is sent a message.
public struct DeliveryTerms: Sendable, Equatable {
    /// The lower of the message's and the subscription's [MQTT-3.8.4-8].
    public var qualityOfService: QualityOfService
    /// Whether it goes out with RETAIN.
    public var retain: Bool
    /// Of the subscriptions that it is for [MQTT-3.3.4-3].
    public var identifiers: [UInt32]

    public init(qualityOfService: QualityOfService = .atLeastOnce, retain: Bool = false, identifiers: [UInt32] = []) {
        self.qualityOfService = qualityOfService
        self.retain = retain
        self.identifiers = identifiers
    }
}

/// A change of what must outlive the process. Replaying every change in order gives the state back.
public enum StoredChange: Sendable, Equatable {
    case retained(StoredMessage)
    case unretained(topic: String)
    case opened(MQTTSessionKey)
    case ended(MQTTSessionKey)
    /// How long a session outlives its connection, and when its client left, UTC milliseconds; nil while it is there.
    /// Never stored of a session that lives for good.
    case expiry(MQTTSessionKey, seconds: UInt32, departedAt: Int64?)
    case subscribed(MQTTSessionKey, filter: String, SubscriptionOptions)
    case unsubscribed(MQTTSessionKey, filter: String)
    /// What is published when the session's client is gone without a goodbye; and when, UTC milliseconds, nil while it is
    /// there.
    case will(MQTTSessionKey, Will, dueAt: Int64?)
    /// It was published, or is not wanted any more.
    case willSettled(MQTTSessionKey)
    /// `sequence` rises within the session.
    case queued(MQTTSessionKey, sequence: UInt64, StoredMessage, DeliveryTerms = DeliveryTerms())
    /// The client has a message of QoS 2, which is not to be sent again; what is left is to say so.
    case released(MQTTSessionKey, sequence: UInt64)
    case delivered(MQTTSessionKey, sequence: UInt64)
    /// A message of QoS 2 with this packet id has come, and is not to be taken again.
    case received(MQTTSessionKey, packetID: UInt16)
    /// The packet id is free again.
    case completed(MQTTSessionKey, packetID: UInt16)
}
