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
    /// A reason for each filter, in the order of the SUBSCRIBE.
    case suback(packetID: UInt16, [ReasonCode], reasonString: String? = nil)
    case unsubscribe(Unsubscribe)
    /// A reason for each filter, in the order of the UNSUBSCRIBE; MQTT 3.1.1 has none.
    case unsuback(packetID: UInt16, [ReasonCode] = [])
    case pingreq
    case pingresp
    case disconnect(Disconnect = Disconnect())
    /// Enhanced authentication, MQTT 5.0, section 3.15, of which this server reads no more than that it is asked for.
    case auth

    /// A CONNACK of MQTT 3.1.1.
    public static func connack(sessionPresent: Bool, _ code: ConnectReturnCode) -> Packet {
        .connack(ConnectAcknowledgement(isSessionPresent: sessionPresent, reason: code.reasonCode))
    }
    public static func puback(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .puback(Acknowledgement(packetID: packetID, reason: reason))
    }
    public static func pubrec(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubrec(Acknowledgement(packetID: packetID, reason: reason))
    }
    public static func pubrel(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubrel(Acknowledgement(packetID: packetID, reason: reason))
    }
    public static func pubcomp(packetID: UInt16, _ reason: ReasonCode = .success) -> Packet {
        .pubcomp(Acknowledgement(packetID: packetID, reason: reason))
    }
}

/// A CONNACK, section 3.2.
public struct ConnectAcknowledgement: Sendable, Equatable {
    public var isSessionPresent: Bool
    public var reason: ReasonCode
    /// What MQTT 5.0 adds, section 3.2.2.3.
    public var properties = Properties()

    /// What a server tells of itself and of the session. Nil, or true, where there is nothing to tell.
    public struct Properties: Sendable, Equatable {
        /// Where the server gives the session another life than was asked for.
        public var sessionExpirySeconds: UInt32?
        /// How many messages of QoS 1 and 2 the server takes without having acknowledged them.
        public var receiveMaximum: UInt16?
        public var maximumQualityOfService: QualityOfService?
        public var isRetainAvailable = true
        /// The longest packet that the server takes, its fixed header included.
        public var maximumPacketBytes: UInt32?
        /// Where the client asked for one.
        public var assignedClientID: String?
        /// The highest topic alias that the server takes.
        public var topicAliasMaximum: UInt16?
        public var reasonString: String?
        public var serverKeepAliveSeconds: UInt16?

        public init() {}
    }

    public init(isSessionPresent: Bool = false, reason: ReasonCode, properties: Properties = Properties()) {
        self.isSessionPresent = isSessionPresent
        self.reason = reason
        self.properties = properties
    }
}

/// A PUBACK, PUBREC, PUBREL or PUBCOMP, sections 3.4 to 3.7.
public struct Acknowledgement: Sendable, Equatable {
    public var packetID: UInt16
    /// Always success in MQTT 3.1.1.
    public var reason: ReasonCode
    public var reasonString: String?

    public init(packetID: UInt16, reason: ReasonCode = .success, reasonString: String? = nil) {
        self.packetID = packetID
        self.reason = reason
        self.reasonString = reasonString
    }
}

/// A DISCONNECT, section 3.14. In MQTT 3.1.1 only clients send it, and it says nothing.
public struct Disconnect: Sendable, Equatable {
    public var reason: ReasonCode
    /// From a client: another life for the session than its CONNECT asked for.
    public var sessionExpirySeconds: UInt32?
    public var reasonString: String?

    public init(_ reason: ReasonCode = .success, sessionExpirySeconds: UInt32? = nil, reasonString: String? = nil) {
        self.reason = reason
        self.sessionExpirySeconds = sessionExpirySeconds
        self.reasonString = reasonString
    }
}

/// A SUBSCRIBE, section 3.8.
public struct Subscribe: Sendable, Equatable {
    /// Comes back in the SUBACK.
    public var packetID: UInt16
    /// The filters in the order sent, each with what is wanted. Filters are well-formed.
    public var subscriptions: [Subscription]
    /// Comes back with each message that is delivered for one of the filters, MQTT 5.0, section 3.8.2.1.2.
    public var identifier: UInt32?

    /// One filter of a SUBSCRIBE.
    public struct Subscription: Sendable, Equatable {
        public var filter: TopicFilter
        public var options: SubscriptionOptions

        public init(filter: TopicFilter, qualityOfService: QualityOfService) {
            self.init(filter: filter, options: SubscriptionOptions(qualityOfService: qualityOfService))
        }

        public init(filter: TopicFilter, options: SubscriptionOptions) {
            self.filter = filter
            self.options = options
        }
    }

    public init(packetID: UInt16, subscriptions: [Subscription], identifier: UInt32? = nil) {
        self.packetID = packetID
        self.subscriptions = subscriptions
        self.identifier = identifier
    }
}

/// How a subscription is to be served, MQTT 5.0, section 3.8.3.1. MQTT 3.1.1 knows the quality of service alone.
public struct SubscriptionOptions: Sendable, Equatable {
    /// The highest that is wanted.
    public var qualityOfService: QualityOfService
    /// Whether the client's own messages are left out.
    public var noLocal = false
    /// Whether messages come with the RETAIN flag that they were published with.
    public var retainAsPublished = false
    public var retainHandling = RetainHandling.send
    /// That of the SUBSCRIBE, which is not among the options in the packet.
    public var identifier: UInt32?

    /// When a subscription is sent the retained messages.
    public enum RetainHandling: UInt8, Sendable {
        case send = 0
        case sendIfNew = 1
        case doNotSend = 2
    }

    public init(qualityOfService: QualityOfService) { self.qualityOfService = qualityOfService }

    /// As in MQTT 3.1.1, with nothing but the quality of service.
    public static let atMostOnce = SubscriptionOptions(qualityOfService: .atMostOnce)
    public static let atLeastOnce = SubscriptionOptions(qualityOfService: .atLeastOnce)
    public static let exactlyOnce = SubscriptionOptions(qualityOfService: .exactlyOnce)

    /// The byte of section 3.8.3.1.
    public var byte: UInt8 {
        qualityOfService.rawValue | (noLocal ? 4 : 0) | (retainAsPublished ? 8 : 0) | retainHandling.rawValue << 4
    }

    /// - Returns: nil where a reserved bit is set or a value is.
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

/// An UNSUBSCRIBE, section 3.10.
public struct Unsubscribe: Sendable, Equatable {
    /// Comes back in the UNSUBACK.
    public var packetID: UInt16
    /// The filters to leave, in the order sent.
    public var filters: [TopicFilter]

    public init(packetID: UInt16, filters: [TopicFilter]) {
        self.packetID = packetID
        self.filters = filters
    }
}
