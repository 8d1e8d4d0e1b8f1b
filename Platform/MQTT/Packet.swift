import NIOCore

/// A control packet of MQTT 3.1.1 (section 3), from a client or from a server.
///
/// QoS 2 exists here only as far as its acknowledgements have a form; a PUBLISH of QoS 2 is refused by the decoder.
public enum Packet: Sendable, Equatable {
    indirect case connect(Connect)
    case connack(sessionPresent: Bool, ConnectReturnCode)
    case publish(Publish)
    case puback(packetID: UInt16)
    case pubrec(packetID: UInt16)
    case pubrel(packetID: UInt16)
    case pubcomp(packetID: UInt16)
    case subscribe(Subscribe)
    case suback(packetID: UInt16, [SubscribeReturnCode])
    case unsubscribe(Unsubscribe)
    case unsuback(packetID: UInt16)
    case pingreq
    case pingresp
    case disconnect
}

/// What a SUBACK says of one topic filter, section 3.9.3.
public enum SubscribeReturnCode: UInt8, Sendable {
    case maximumQoS0 = 0x00
    case maximumQoS1 = 0x01
    /// Never granted by this server yet.
    case maximumQoS2 = 0x02
    case failure = 0x80

    /// The success code for a granted quality of service.
    public init(granted: QualityOfService) {
        self = granted == .atMostOnce ? .maximumQoS0 : .maximumQoS1
    }
}

/// A SUBSCRIBE, section 3.8.
public struct Subscribe: Sendable, Equatable {
    /// Comes back in the SUBACK.
    public var packetID: UInt16
    /// The filters in the order sent, each with the highest quality of service that is wanted. Filters are
    /// well-formed. A request of QoS 2 is read as 1, the most that is granted [MQTT-3.8.4-6].
    public var subscriptions: [Subscription]

    /// One filter of a SUBSCRIBE.
    public struct Subscription: Sendable, Equatable {
        public var filter: TopicFilter
        public var qualityOfService: QualityOfService

        public init(filter: TopicFilter, qualityOfService: QualityOfService) {
            self.filter = filter
            self.qualityOfService = qualityOfService
        }
    }

    public init(packetID: UInt16, subscriptions: [Subscription]) {
        self.packetID = packetID
        self.subscriptions = subscriptions
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
