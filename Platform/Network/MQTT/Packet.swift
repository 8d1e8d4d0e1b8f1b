import NIOCore

/// A control packet of MQTT 3.1.1 and 5.0 (section 3), from a client or from a server.
public enum Packet: Sendable, Equatable {
    indirect case connect(Connect)
    indirect case connack(ConnectAcknowledgement)
    case publish(Publish)
    case puback(Acknowledgement)
    case pubrec(Acknowledgement)
    case pubrel(Acknowledgement)
    case pubcomp(Acknowledgement)
    case subscribe(Subscribe)
    /// A SUBACK, with a reason for each filter in the order of the SUBSCRIBE.
    case suback(packetID: UInt16, [ReasonCode], reasonString: String? = nil)
    case unsubscribe(Unsubscribe)
    /// An UNSUBACK, with a reason for each filter in the order of the UNSUBSCRIBE; MQTT 3.1.1 has none.
    case unsuback(packetID: UInt16, [ReasonCode] = [])
    case pingreq
    case pingresp
    case disconnect(Disconnect = Disconnect())
    /// An AUTH of enhanced authentication (MQTT 5.0, section 3.15), which this server recognises but does not support.
    case auth

    /// Creates a CONNACK of MQTT 3.1.1.
    public static func connack(sessionPresent: Bool, _ code: ConnectReturnCode) -> Packet {
        .connack(ConnectAcknowledgement(isSessionPresent: sessionPresent, reason: code.reasonCode))
    }
    /// Creates a PUBACK.
    public static func puback(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .puback(Acknowledgement(packetID: packetID, reason: reason))
    }
    /// Creates a PUBREC.
    public static func pubrec(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubrec(Acknowledgement(packetID: packetID, reason: reason))
    }
    /// Creates a PUBREL.
    public static func pubrel(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubrel(Acknowledgement(packetID: packetID, reason: reason))
    }
    /// Creates a PUBCOMP.
    public static func pubcomp(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubcomp(Acknowledgement(packetID: packetID, reason: reason))
    }
}

/// A CONNACK packet (section 3.2).
public struct ConnectAcknowledgement: Sendable, Equatable {
    /// Whether the session existed before.
    public var isSessionPresent: Bool
    /// The reason code.
    public var reason: ReasonCode
    /// The properties of MQTT 5.0 (section 3.2.2.3).
    public var properties = Properties()

    /// The server's limits and the session's parameters; nil, or true, stands for the default.
    public struct Properties: Sendable, Equatable {
        /// The time for which the session outlives the connection, if it differs from the client's request.
        public var sessionExpirySeconds: UInt32?
        /// The number of unacknowledged messages of QoS 1 and 2 that the server takes.
        public var receiveMaximum: UInt16?
        /// The highest quality of service that the server supports.
        public var maximumQualityOfService: QualityOfService?
        /// Whether the server supports retained messages.
        public var isRetainAvailable = true
        /// The longest packet that the server takes, including its fixed header, in bytes.
        public var maximumPacketBytes: UInt32?
        /// The client identifier that the server chose, if the client had none.
        public var assignedClientID: String?
        /// The highest topic alias that the server takes.
        public var topicAliasMaximum: UInt16?
        /// The reason in words.
        public var reasonString: String?
        /// The keep-alive that the server demands, in seconds.
        public var serverKeepAliveSeconds: UInt16?

        /// Creates the default properties.
        public init() {}
    }

    /// Creates a packet.
    public init(isSessionPresent: Bool = false, reason: ReasonCode, properties: Properties = Properties()) {
        self.isSessionPresent = isSessionPresent
        self.reason = reason
        self.properties = properties
    }
}

/// A PUBACK, PUBREC, PUBREL or PUBCOMP packet (sections 3.4 to 3.7).
public struct Acknowledgement: Sendable, Equatable {
    /// The packet identifier.
    public var packetID: UInt16
    /// The reason code, always success in MQTT 3.1.1.
    public var reason: ReasonCode
    /// The reason in words.
    public var reasonString: String?

    /// Creates a packet.
    public init(packetID: UInt16, reason: ReasonCode = .success, reasonString: String? = nil) {
        self.packetID = packetID
        self.reason = reason
        self.reasonString = reasonString
    }
}

/// A DISCONNECT packet (section 3.14). In MQTT 3.1.1 it has no content, and only clients send it.
public struct Disconnect: Sendable, Equatable {
    /// The reason code.
    public var reason: ReasonCode
    /// The new time for which the client's session outlives the connection.
    public var sessionExpirySeconds: UInt32?
    /// The reason in words.
    public var reasonString: String?

    /// Creates a packet.
    public init(_ reason: ReasonCode = .success, sessionExpirySeconds: UInt32? = nil, reasonString: String? = nil) {
        self.reason = reason
        self.sessionExpirySeconds = sessionExpirySeconds
        self.reasonString = reasonString
    }
}

/// A SUBSCRIBE packet (section 3.8).
public struct Subscribe: Sendable, Equatable {
    /// The packet identifier, repeated in the SUBACK.
    public var packetID: UInt16
    /// The filters with their options, in order. They are well-formed.
    public var subscriptions: [Subscription]
    /// The subscription identifier, sent with each message that matches one of the filters (MQTT 5.0, section
    /// 3.8.2.1.2).
    public var identifier: UInt32?

    /// One filter of a SUBSCRIBE.
    public struct Subscription: Sendable, Equatable {
        /// The topic filter.
        public var filter: TopicFilter
        /// The options.
        public var options: SubscriptionOptions

        /// Creates a subscription with a quality of service.
        public init(filter: TopicFilter, qualityOfService: QualityOfService) {
            self.init(filter: filter, options: SubscriptionOptions(qualityOfService: qualityOfService))
        }

        /// Creates a subscription with options.
        public init(filter: TopicFilter, options: SubscriptionOptions) {
            self.filter = filter
            self.options = options
        }
    }

    /// Creates a packet.
    public init(packetID: UInt16, subscriptions: [Subscription], identifier: UInt32? = nil) {
        self.packetID = packetID
        self.subscriptions = subscriptions
        self.identifier = identifier
    }

    /// The same with what a bridge of MQTT 3.1.1 means and cannot say: nothing comes back to it that it has published, and
    /// what is retained stays marked so (MQTT 5.0, section 3.8.3.1, No Local and Retain As Published).
    var byBridge: Subscribe {
        var own = self
        for index in own.subscriptions.indices {
            own.subscriptions[index].options.noLocal = !own.subscriptions[index].filter.isShared
            own.subscriptions[index].options.retainAsPublished = true
        }
        return own
    }
}

/// The options of a subscription (MQTT 5.0, section 3.8.3.1). MQTT 3.1.1 has only the quality of service.
public struct SubscriptionOptions: Sendable, Equatable {
    /// The highest quality of service.
    public var qualityOfService: QualityOfService
    /// Whether the client's own messages are excluded.
    public var noLocal = false
    /// Whether messages keep the RETAIN flag with which they were published.
    public var retainAsPublished = false
    /// The rule for sending retained messages.
    public var retainHandling = RetainHandling.send
    /// The subscription identifier, which is not part of the options byte.
    public var identifier: UInt32?

    /// The rule for sending retained messages to a new subscription.
    public enum RetainHandling: UInt8, Sendable {
        case send = 0
        case sendIfNew = 1
        case doNotSend = 2
    }

    /// Creates the options of MQTT 3.1.1.
    public init(qualityOfService: QualityOfService) { self.qualityOfService = qualityOfService }

    /// The options of MQTT 3.1.1 with QoS 0.
    public static let atMostOnce = SubscriptionOptions(qualityOfService: .atMostOnce)
    /// The options of MQTT 3.1.1 with QoS 1.
    public static let atLeastOnce = SubscriptionOptions(qualityOfService: .atLeastOnce)
    /// The options of MQTT 3.1.1 with QoS 2.
    public static let exactlyOnce = SubscriptionOptions(qualityOfService: .exactlyOnce)

    /// The options byte (section 3.8.3.1).
    public var byte: UInt8 {
        qualityOfService.rawValue | (noLocal ? 4 : 0) | (retainAsPublished ? 8 : 0) | retainHandling.rawValue << 4
    }

    /// Reads the options byte; nil if a value or reserved bit is invalid.
    public init?(byte: UInt8) {
        guard byte & 0xC0 == 0, let quality = QualityOfService(rawValue: byte & 3),
            let handling = RetainHandling(rawValue: byte >> 4)
        else { return nil }
        qualityOfService = quality
        noLocal = byte & 4 != 0
        retainAsPublished = byte & 8 != 0
        retainHandling = handling
    }
}

/// An UNSUBSCRIBE packet (section 3.10).
public struct Unsubscribe: Sendable, Equatable {
    /// The packet identifier, repeated in the UNSUBACK.
    public var packetID: UInt16
    /// The topic filters, in order.
    public var filters: [TopicFilter]

    /// Creates a packet.
    public init(packetID: UInt16, filters: [TopicFilter]) {
        self.packetID = packetID
        self.filters = filters
    }
}
