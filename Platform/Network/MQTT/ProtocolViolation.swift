/// Bytes or behaviour that MQTT forbids. The receiver closes the network connection [MQTT-4.8.0-1], in MQTT 5.0 after a
/// DISCONNECT with the reason code, section 4.13.
public struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The normative statement that was violated, such as `MQTT-3.3.2-2`, or the section if the standard has no
    /// numbered statement, such as `2.2.3`: of MQTT 3.1.1, or of MQTT 5.0 if only that has the rule.
    public let clause: String
    /// The error in words, with what to send instead.
    public let reason: String
    /// The reason code for a DISCONNECT of MQTT 5.0.
    public let code: ReasonCode

    /// Creates a violation.
    ///
    /// - Parameters:
    ///   - clause: the statement or section.
    ///   - reason: a sentence for the log and the client, without anything that the client sent.
    ///   - code: the reason code for a DISCONNECT of MQTT 5.0.
    public init(_ clause: String, _ reason: String, _ code: ReasonCode = .protocolError) {
        self.clause = clause
        self.reason = reason
        self.code = code
    }

    public var description: String { "\(reason) [\(clause)]" }
}

extension ProtocolViolation {
    // Section 2: the fixed header.
    static let lengthTooLong = Self("2.2.3", "The remaining length takes more than four bytes.", .malformedPacket)
    static let packetTooLarge = Self(
        "2.2.3", "The packet is larger than this server's limit; send smaller payloads.", .packetTooLarge)
    static let reservedType = Self("2.2.1", "Packet types 0 and 15 are reserved.", .malformedPacket)
    static let reservedFlags = Self(
        "MQTT-2.2.2-2", "The flags of the fixed header are not those of this packet type.", .malformedPacket)
    static let zeroPacketID = Self("MQTT-2.3.1-1", "A packet identifier must not be zero.", .protocolError)
    static let truncated = Self("2.2.3", "The packet ends before its last field.", .malformedPacket)
    static let trailingBytes = Self("2.2.3", "The packet has bytes after its last field.", .malformedPacket)

    // Section 1.5.3: text.
    static let illFormedText = Self("MQTT-1.5.3-1", "A text is not well-formed UTF-8.", .malformedPacket)
    static let nullInText = Self("MQTT-1.5.3-2", "A text must not contain U+0000.", .malformedPacket)

    // Section 3.1: CONNECT.
    static let packetBeforeConnect = Self("MQTT-3.1.0-1", "The first packet must be CONNECT.")
    static let secondConnect = Self("MQTT-3.1.0-2", "CONNECT was sent a second time.")
    static let protocolName = Self("MQTT-3.1.2-1", "The protocol name must be \"MQTT\".")
    static let connectFlag = Self("MQTT-3.1.2-3", "The reserved connect flag must be zero.", .malformedPacket)
    static let willWithoutFlag = Self(
        "MQTT-3.1.2-11", "Will QoS and retain must be zero without a will.", .malformedPacket)
    static let willQualityOfService = Self("MQTT-3.1.2-14", "The will QoS must be 0, 1 or 2.", .malformedPacket)
    static let passwordWithoutUserName = Self("MQTT-3.1.2-22", "A password needs a user name.")

    // Section 3.3: PUBLISH.
    static let duplicateOfUnacknowledged = Self(
        "MQTT-3.3.1-2", "DUP must be zero in a PUBLISH of QoS 0.", .malformedPacket)
    static let publishQualityOfService = Self(
        "MQTT-3.3.1-4", "A PUBLISH must not have both QoS bits set.", .malformedPacket)
    static let wildcardInTopicName = Self("MQTT-3.3.2-2", "A topic name must not contain wildcards.", .malformedPacket)

    static let emptyTopicWithoutAlias = Self(
        "MQTT-3.3.2-8", "A PUBLISH without a topic needs the alias of one.", .protocolError)
    /// The alias is zero, above the maximum in the CONNACK, or not assigned yet.
    public static let topicAlias = Self(
        "MQTT-3.3.2-9", "The topic alias is zero or above this server's maximum.", .topicAliasInvalid)
    /// The topic alias is not assigned.
    public static let unknownTopicAlias = Self(
        "3.3.2.3.4", "The topic alias stands for no topic on this connection.", .protocolError)
    static let wildcardInResponseTopic = Self(
        "MQTT-3.3.2-14", "A response topic must not contain wildcards.", .malformedPacket)
    static let identifierFromClient = Self(
        "MQTT-3.3.4-6", "A client must not send a subscription identifier with a PUBLISH.")
    /// More messages are unacknowledged than the CONNACK allowed.
    public static let receiveMaximum = Self(
        "MQTT-3.3.4-9", "More messages are unacknowledged than the receive maximum allows.", .receiveMaximumExceeded)

    // MQTT 5.0, section 2.2.2: properties.
    static let unknownProperty = Self("2.2.2.2", "The packet has a property that there is not.", .malformedPacket)
    static let propertyNotAllowed = Self("2.2.2.2", "The packet has a property that such packets do not have.")
    static let repeatedProperty = Self("2.2.2", "The packet has a property twice.")
    static let zeroProperty = Self("3.1.2.11", "A property must not be zero.")
    static let propertyFlag = Self("2.2.2", "A property must be zero or one.")
    static let longInteger = Self(
        "MQTT-1.5.5-1", "A variable byte integer takes more bytes than it needs.", .malformedPacket)
    static let unknownReasonCode = Self("2.4", "The packet has a reason code that there is not.", .malformedPacket)
    static let sharedNoLocal = Self("MQTT-3.8.3-4", "A shared subscription must not have No Local.")
    static let subscribeOptions = Self(
        "MQTT-3.8.3-5", "The reserved bits of the subscription options must be zero.", .malformedPacket)
    static let sharedFilter = Self(
        "MQTT-4.8.2-1", "A shared subscription is $share, a name without wildcards, and a filter.", .malformedPacket)
    static let authenticationData = Self(
        "3.1.2.11.10", "Authentication data needs an authentication method.")
    static let authenticationPacket = Self("4.12", "This server has no enhanced authentication.")
    static let sessionExpiry = Self(
        "3.14.2.2.2", "A session that ends with its connection cannot be given a longer life by DISCONNECT.")

    // Sections 3.8 to 3.14.
    static let noFilters = Self("MQTT-3.8.3-3", "SUBSCRIBE must contain at least one topic filter.")
    static let subscribeQualityOfService = Self("MQTT-3.8.3-4", "A requested QoS must be 0, 1 or 2.", .malformedPacket)
    static let noFiltersToLeave = Self("MQTT-3.10.3-2", "UNSUBSCRIBE must contain at least one topic filter.")
    static let tooManyFilters = Self(
        "3.8.3", "The packet has more topic filters than this server's limit; send them in several packets.",
        .implementationSpecificError)
    static let connackFlags = Self("3.2.2.1", "Bits 7-1 of the connect acknowledge flags are reserved.")
    static let connackReturnCode = Self("3.2.2.3", "Return codes above 5 are reserved.")
    static let subackReturnCode = Self("MQTT-3.9.3-2", "A SUBACK return code must be 0, 1, 2 or 0x80.")
    static let wrongDirection = Self("MQTT-4.8.0-1", "This packet is not one that a client may send now.")

    // Section 4.7: topics. What is not formed as they are is malformed: 0x8F and 0x90 are for what is, and is not taken here,
    // MQTT 5.0, section 3.14.2.1.
    static let emptyTopic = Self(
        "MQTT-4.7.3-1", "Topic names and filters must be at least one character long.", .malformedPacket)
    static let longTopic = Self("MQTT-4.7.3-3", "The topic is longer than this server's limit.", .topicNameInvalid)
    static let tooManyLevels = Self("4.7", "The topic has more levels than this server's limit.", .topicNameInvalid)
    static let multiLevelWildcard = Self(
        "MQTT-4.7.1-2", "\"#\" must be a whole level, and the last.", .malformedPacket)
    static let singleLevelWildcard = Self("MQTT-4.7.1-3", "\"+\" must be a whole level.", .malformedPacket)

    // Not of the standard: this server's patience.
    static let noConnect = Self("3.1", "No CONNECT came within the time limit.")
    /// The client reads nothing of what is sent to it.
    public static let noReader = Self(
        "4.8", "The client took nothing of what was sent to it within the time limit.", .implementationSpecificError)
    static let keepAlive = Self(
        "MQTT-3.1.2-24", "Nothing came for one and a half times the keep-alive.", .keepAliveTimeout)
}
