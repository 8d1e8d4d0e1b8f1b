/// The outcome of a request (MQTT 5.0, section 2.4). MQTT 3.1.1 has codes for some of them only.
public enum ReasonCode: UInt8, Sendable {
    /// Success; also a normal disconnection, and a subscription with QoS 0.
    case success = 0x00
    case grantedQoS1 = 0x01
    case grantedQoS2 = 0x02
    case disconnectWithWill = 0x04
    case noMatchingSubscribers = 0x10
    case noSubscriptionExisted = 0x11
    case continueAuthentication = 0x18
    case reauthenticate = 0x19
    case unspecifiedError = 0x80
    case malformedPacket = 0x81
    case protocolError = 0x82
    case implementationSpecificError = 0x83
    case unsupportedProtocolVersion = 0x84
    case clientIdentifierNotValid = 0x85
    case badUserNameOrPassword = 0x86
    case notAuthorized = 0x87
    case serverUnavailable = 0x88
    case serverBusy = 0x89
    case banned = 0x8A
    case serverShuttingDown = 0x8B
    case badAuthenticationMethod = 0x8C
    case keepAliveTimeout = 0x8D
    case sessionTakenOver = 0x8E
    case topicFilterInvalid = 0x8F
    case topicNameInvalid = 0x90
    case packetIdentifierInUse = 0x91
    case packetIdentifierNotFound = 0x92
    case receiveMaximumExceeded = 0x93
    case topicAliasInvalid = 0x94
    case packetTooLarge = 0x95
    case messageRateTooHigh = 0x96
    case quotaExceeded = 0x97
    case administrativeAction = 0x98
    case payloadFormatInvalid = 0x99
    case retainNotSupported = 0x9A
    case qosNotSupported = 0x9B
    case useAnotherServer = 0x9C
    case serverMoved = 0x9D
    case sharedSubscriptionsNotSupported = 0x9E
    case connectionRateExceeded = 0x9F
    case maximumConnectTime = 0xA0
    case subscriptionIdentifiersNotSupported = 0xA1
    case wildcardSubscriptionsNotSupported = 0xA2

    /// Whether the request failed: 0x80 and above.
    public var isError: Bool { rawValue >= 0x80 }

    /// The code in a SUBACK for a subscription that was granted.
    public init(granted: QualityOfService) {
        self =
            switch granted {
            case .atMostOnce: .success
            case .atLeastOnce: .grantedQoS1
            case .exactlyOnce: .grantedQoS2
            }
    }

    /// The nearest return code of MQTT 3.1.1's CONNACK, table 3.1.
    public var connectReturnCode: ConnectReturnCode {
        switch self {
        case .success: .accepted
        case .unsupportedProtocolVersion: .unacceptableProtocolVersion
        case .clientIdentifierNotValid: .identifierRejected
        case .badUserNameOrPassword: .badUserNameOrPassword
        case .notAuthorized, .banned, .badAuthenticationMethod: .notAuthorized
        default: .serverUnavailable
        }
    }
}

extension ConnectReturnCode {
    /// The same outcome as a reason code of MQTT 5.0.
    public var reasonCode: ReasonCode {
        switch self {
        case .accepted: .success
        case .unacceptableProtocolVersion: .unsupportedProtocolVersion
        case .identifierRejected: .clientIdentifierNotValid
        case .serverUnavailable: .serverUnavailable
        case .badUserNameOrPassword: .badUserNameOrPassword
        case .notAuthorized: .notAuthorized
        }
    }
}

extension ReasonCode {
    /// The reason in words, for the reader of a client's log; nil if the code says it all.
    public var sentence: String? {
        switch self {
        case .unsupportedProtocolVersion: "This server speaks MQTT 3.1.1 and MQTT 5.0."
        case .clientIdentifierNotValid: "The client identifier is longer than this server's limit, or missing."
        case .badUserNameOrPassword: "The server does not know this user name with this password."
        case .notAuthorized: "This client may not do that here."
        case .topicNameInvalid: "The topic is longer than this server's limit, or deeper."
        case .serverUnavailable: "The server cannot answer now; try again later."
        case .quotaExceeded: "A limit of this server is reached."
        case .serverShuttingDown: "The server is stopping; come back in a minute."
        case .sessionTakenOver: "Another connection with the same client identifier has taken over."
        case .badAuthenticationMethod: "This server has no enhanced authentication; send a user name and a password."
        default: nil
        }
    }
}
