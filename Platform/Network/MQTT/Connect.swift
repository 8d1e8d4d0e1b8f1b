import NIOCore

/// A CONNECT packet (section 3.1).
public struct Connect: Sendable, Equatable {
    /// The protocol version.
    public var version: ProtocolVersion
    /// Whether the client is the bridge of another broker, which repeats what it is told and wants none of it back: it sets the
    /// highest bit of the protocol level, as mosquitto, RSMB and HiveMQ do (mosquitto.conf(5), `try_private`).
    public var isBridge = false
    /// Whether an existing session ends first: Clean Session [MQTT-3.1.2-6], or Clean Start in MQTT 5.0.
    public var isCleanSession: Bool
    /// The keep-alive in seconds; 0 turns it off.
    public var keepAliveSeconds: UInt16
    /// The client identifier; if empty, the server chooses one.
    public var clientID: String
    /// The will; nil without one.
    public var will: Will?
    /// The user name; nil without one.
    public var userName: String?
    /// The password; nil without one.
    public var password: [UInt8]?
    /// The properties of MQTT 5.0; for MQTT 3.1.1 those with the same meaning.
    public var properties: ConnectProperties

    /// Creates a packet.
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

/// The properties of a CONNECT (MQTT 5.0, section 3.1.2.11). User properties are ignored.
public struct ConnectProperties: Sendable, Equatable {
    /// The time for which the session outlives the connection: 0 for not at all, `UInt32.max` for ever.
    public var sessionExpirySeconds: UInt32 = 0
    /// The number of unacknowledged messages of QoS 1 and 2 that the client takes.
    public var receiveMaximum: UInt16 = .max
    /// The longest packet that the client takes, including its fixed header, in bytes; nil without a limit.
    public var maximumPacketBytes: UInt32?
    /// The highest topic alias that the client takes.
    public var topicAliasMaximum: UInt16 = 0
    /// Whether the client wants reason strings in packets other than CONNACK and DISCONNECT.
    public var requestsProblemInformation = true
    /// Whether the client wants response information.
    public var requestsResponseInformation = false
    /// The method of enhanced authentication (section 4.12); nil for none.
    public var authenticationMethod: String?

    /// Creates the default properties.
    public init() {}
}

/// A message that the server publishes when a connection ends without DISCONNECT (section 3.1.2.5).
public struct Will: Sendable, Equatable {
    /// The topic.
    public var topic: TopicName
    /// The payload.
    public var payload: [UInt8]
    /// The quality of service.
    public var qualityOfService: QualityOfService
    /// Whether the message is retained.
    public var retain: Bool
    /// The time for which the server waits in case the client reconnects (MQTT 5.0, section 3.1.3.2.2).
    public var delaySeconds: UInt32
    /// The properties; nil without any.
    public var properties: PublishProperties?

    /// Creates a will.
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
