import NIOCore

/// A CONNECT, section 3.1.
public struct Connect: Sendable, Equatable {
    public var version: ProtocolVersion
    /// Whether what was known of the client is forgotten first: Clean Session [MQTT-3.1.2-6], Clean Start in MQTT 5.0.
    public var isCleanSession: Bool
    /// Seconds; 0 turns the keep-alive off.
    public var keepAliveSeconds: UInt16
    /// May be empty, then the server chooses one.
    public var clientID: String
    public var will: Will?
    public var userName: String?
    public var password: [UInt8]?
    /// What MQTT 5.0 adds; in a CONNECT of MQTT 3.1.1 as that is meant.
    public var properties: ConnectProperties

    public init(
        clientID: String, isCleanSession: Bool = true, keepAliveSeconds: UInt16 = 60, will: Will? = nil,
        userName: String? = nil, password: [UInt8]? = nil, version: ProtocolVersion = .v311,
        properties: ConnectProperties? = nil
    ) {
        self.version = version
        self.isCleanSession = isCleanSession
        self.keepAliveSeconds = keepAliveSeconds
        self.clientID = clientID
        self.will = will
        self.userName = userName
        self.password = password
        var ofVersion = ConnectProperties()
        // A session of MQTT 3.1.1 that is not clean never ends by itself, section 3.1.2.4.
        if !version.hasProperties, !isCleanSession { ofVersion.sessionExpirySeconds = .max }
        self.properties = properties ?? ofVersion
    }
}

/// The properties of a CONNECT, MQTT 5.0, section 3.1.2.11. User properties are read and forgotten.
public struct ConnectProperties: Sendable, Equatable {
    /// How long the session outlives the connection: 0 not at all, `UInt32.max` for good.
    public var sessionExpirySeconds: UInt32 = 0
    /// How many messages of QoS 1 and 2 the client takes without having acknowledged them.
    public var receiveMaximum: UInt16 = .max
    /// The longest packet that the client takes, its fixed header included; nil without a limit.
    public var maximumPacketBytes: UInt32?
    /// The highest topic alias that the client takes.
    public var topicAliasMaximum: UInt16 = 0
    /// Whether the client wants reason strings beside those of CONNACK and DISCONNECT.
    public var requestsProblemInformation = true
    public var requestsResponseInformation = false
    /// Of enhanced authentication, section 4.12.
    public var authenticationMethod: String?

    public init() {}
}

/// The message that the server publishes when a connection ends without DISCONNECT, section 3.1.2.5.
public struct Will: Sendable, Equatable {
    public var topic: TopicName
    public var payload: [UInt8]
    public var qualityOfService: QualityOfService
    public var retain: Bool
    /// How long the server waits with it, and the client may come back, MQTT 5.0, section 3.1.3.2.2.
    public var delaySeconds: UInt32
    public var properties: PublishProperties?

    public init(
        topic: TopicName, payload: [UInt8], qualityOfService: QualityOfService = .atMostOnce, retain: Bool = false,
        delaySeconds: UInt32 = 0, properties: PublishProperties? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.retain = retain
        self.delaySeconds = delaySeconds
        self.properties = properties
    }
}
