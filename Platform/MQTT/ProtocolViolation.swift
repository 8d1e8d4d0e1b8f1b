/// Bytes or behaviour that MQTT 3.1.1 forbids. The receiver closes the network connection [MQTT-4.8.0-1].
public struct ProtocolViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The normative statement of MQTT 3.1.1 that was broken, such as `MQTT-3.3.2-2`, or the section where the
    /// standard has no numbered statement, such as `2.2.3`.
    public let clause: String
    /// What was wrong and what to send instead.
    public let reason: String

    /// - Parameters:
    ///   - clause: the statement or section of MQTT 3.1.1.
    ///   - reason: a sentence for the log, without anything that the client sent.
    public init(_ clause: String, _ reason: String) {
        self.clause = clause
        self.reason = reason
    }

    public var description: String { "\(reason) [\(clause)]" }
}

extension ProtocolViolation {
    // Section 2: the fixed header.
    static let lengthTooLong = Self("2.2.3", "The remaining length takes more than four bytes.")
    static let packetTooLarge = Self("2.2.3", "The packet is larger than this server's limit; send smaller payloads.")
    static let reservedType = Self("2.2.1", "Packet types 0 and 15 are reserved.")
    static let reservedFlags = Self("MQTT-2.2.2-2", "The flags of the fixed header are not those of this packet type.")
    static let zeroPacketID = Self("MQTT-2.3.1-1", "A packet identifier must not be zero.")
    static let truncated = Self("2.2.3", "The packet ends before its last field.")
    static let trailingBytes = Self("2.2.3", "The packet has bytes after its last field.")

    // Section 1.5.3: text.
    static let illFormedText = Self("MQTT-1.5.3-1", "A text is not well-formed UTF-8.")
    static let nullInText = Self("MQTT-1.5.3-2", "A text must not contain U+0000.")

    // Section 3.1: CONNECT.
    static let packetBeforeConnect = Self("MQTT-3.1.0-1", "The first packet must be CONNECT.")
    static let secondConnect = Self("MQTT-3.1.0-2", "CONNECT was sent a second time.")
    static let protocolName = Self("MQTT-3.1.2-1", "The protocol name must be \"MQTT\".")
    static let connectFlag = Self("MQTT-3.1.2-3", "The reserved connect flag must be zero.")
    static let willWithoutFlag = Self("MQTT-3.1.2-11", "Will QoS and retain must be zero without a will.")
    static let willQualityOfService = Self("MQTT-3.1.2-14", "The will QoS must be 0, 1 or 2.")
    static let passwordWithoutUserName = Self("MQTT-3.1.2-22", "A password needs a user name.")

    // Section 3.3: PUBLISH.
    static let duplicateOfUnacknowledged = Self("MQTT-3.3.1-2", "DUP must be zero in a PUBLISH of QoS 0.")
    static let publishQualityOfService = Self("MQTT-3.3.1-4", "A PUBLISH must not have both QoS bits set.")
    static let exactlyOnce = Self("3.3.1.2", "This server does not take QoS 2 yet; publish with QoS 0 or 1.")
    static let wildcardInTopicName = Self("MQTT-3.3.2-2", "A topic name must not contain wildcards.")

    // Sections 3.8 to 3.14.
    static let noFilters = Self("MQTT-3.8.3-3", "SUBSCRIBE must contain at least one topic filter.")
    static let subscribeQualityOfService = Self("MQTT-3.8.3-4", "A requested QoS must be 0, 1 or 2.")
    static let noFiltersToLeave = Self("MQTT-3.10.3-2", "UNSUBSCRIBE must contain at least one topic filter.")
    static let tooManyFilters = Self(
        "3.8.3", "The packet has more topic filters than this server's limit; send them in several packets.")
    static let connackFlags = Self("3.2.2.1", "Bits 7-1 of the connect acknowledge flags are reserved.")
    static let connackReturnCode = Self("3.2.2.3", "Return codes above 5 are reserved.")
    static let subackReturnCode = Self("MQTT-3.9.3-2", "A SUBACK return code must be 0, 1, 2 or 0x80.")
    static let wrongDirection = Self("MQTT-4.8.0-1", "This packet is not one that a client may send now.")

    // Section 4.7: topics.
    static let emptyTopic = Self("MQTT-4.7.3-1", "Topic names and filters must be at least one character long.")
    static let longTopic = Self("MQTT-4.7.3-3", "The topic is longer than this server's limit.")
    static let tooManyLevels = Self("4.7", "The topic has more levels than this server's limit.")
    static let multiLevelWildcard = Self("MQTT-4.7.1-2", "\"#\" must be a whole level, and the last.")
    static let singleLevelWildcard = Self("MQTT-4.7.1-3", "\"+\" must be a whole level.")

    // Not of the standard: this server's patience.
    static let noConnect = Self("3.1", "No CONNECT came within the time limit.")
    /// The client takes nothing; found by who writes to it.
    public static let noReader = Self("4.8", "The client took nothing of what was sent to it within the time limit.")
    static let keepAlive = Self("MQTT-3.1.2-24", "Nothing came for one and a half times the keep-alive.")
}
