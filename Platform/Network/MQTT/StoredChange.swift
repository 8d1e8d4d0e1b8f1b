/// A message as it is stored, with its publisher, whose permission is checked again on delivery.
public struct StoredMessage: Sendable, Equatable {
    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// The quality of service with which it was published.
    public var qualityOfService: QualityOfService
    /// The publisher.
    public var publisher: Principal
    /// The properties that are forwarded to subscribers of MQTT 5.0, encoded as `PublishProperties.forwarded`.
    public var properties: [UInt8]
    /// The time at which it expires, in UTC milliseconds; nil for never.
    public var expiresAt: Int64?

    /// Creates a message.
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

    /// Whether the message has expired and must not be delivered [MQTT-3.3.2-5].
    public func isExpired(at now: Int64) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Bytes of topic, payload and properties.
    public var size: Int { topic.utf8.count + payload.count + properties.count }
}

/// The terms on which a session is sent a message.
public struct DeliveryTerms: Sendable, Equatable {
    /// The quality of service: the lower of the message's and the subscription's [MQTT-3.8.4-8].
    public var qualityOfService: QualityOfService
    /// The RETAIN flag.
    public var retain: Bool
    /// The identifiers of the matching subscriptions [MQTT-3.3.4-3].
    public var identifiers: [UInt32]

    /// Creates terms.
    public init(qualityOfService: QualityOfService = .atLeastOnce, retain: Bool = false, identifiers: [UInt32] = []) {
        self.qualityOfService = qualityOfService
        self.retain = retain
        self.identifiers = identifiers
    }
}

/// A change of data that outlives the process. Applying all changes in order restores the state.
public enum StoredChange: Sendable, Equatable {
    /// A message was retained, and whether the host has stored what it read of it in the same commit; nil where it was not
    /// read this time, so that what is known of the same message, byte for byte, stays.
    case retained(StoredMessage, isRead: Bool? = nil)
    case unretained(topic: String)
    case opened(MQTTSessionKey)
    case ended(MQTTSessionKey)
    /// The time for which a session outlives its connection, and the time at which its client left, in UTC
    /// milliseconds; nil while it is connected. Not stored for a session that is kept for ever.
    case expiry(MQTTSessionKey, seconds: UInt32, departedAt: Int64?)
    case subscribed(MQTTSessionKey, filter: String, SubscriptionOptions)
    case unsubscribed(MQTTSessionKey, filter: String)
    /// The session's will, and the time at which it is published, in UTC milliseconds; nil while the client is
    /// connected.
    case will(MQTTSessionKey, Will, dueAt: Int64?)
    /// The session's will was published or cancelled.
    case willSettled(MQTTSessionKey)
    /// A message was queued; `sequence` rises within the session.
    case queued(MQTTSessionKey, sequence: UInt64, StoredMessage, DeliveryTerms = DeliveryTerms())
    /// A message of QoS 2 was received by the client, so that only the PUBREL is left to send.
    case released(MQTTSessionKey, sequence: UInt64)
    case delivered(MQTTSessionKey, sequence: UInt64)
    /// A message of QoS 2 with this packet id arrived from the client and must not be delivered again.
    case received(MQTTSessionKey, packetID: UInt16)
    /// The packet id of a message of QoS 2 from the client is free again.
    case completed(MQTTSessionKey, packetID: UInt16)
}

extension StoredChange {
    /// The change after its commit has failed, for the next one: what the host has read was in that commit, and is lost.
    public var withoutReading: StoredChange {
        guard case .retained(let message, isRead: .some) = self else { return self }
        return .retained(message, isRead: false)
    }
}
