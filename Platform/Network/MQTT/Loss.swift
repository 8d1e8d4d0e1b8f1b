/// The reason why a message was lost or a client refused. Reasons are counted without anything that names a device or a
/// person.
public enum Loss: String, Sendable, CaseIterable, Codable {
    // Messages that were taken, and did not reach a receiver.
    /// The receiver was too slow or absent for too long: as many messages wait as may, `Limits.queuedMessages`.
    case queueFull = "queue_full"
    /// The message could not be retained: `Limits.retainedMessages`.
    case retainedFull = "retained_full"
    /// The message is longer than its receiver takes [MQTT-3.1.2-25].
    case receiverLimit = "receiver_limit"
    /// The message had expired when its receiver connected (MQTT 5.0, section 3.3.2.3.3).
    case expired
    /// The sender's or receiver's permission has ended.
    case rightEnded = "right_ended"
    /// A device sent more to its page than the channel's rate allows.
    case channelRate = "channel_rate"
    /// A page did not read what its device sent.
    case slowPage = "slow_page"

    // Messages that were not taken for what they were meant to be.
    /// The topic is not one that the sender may publish to.
    case foreignTopic = "foreign_topic"
    /// The companion does not understand the device's message.
    case notUnderstood = "not_understood"

    /// A subscription was not granted.
    case subscription

    // Clients that were not let in.
    /// The client has no name, an unknown one, or a wrong token.
    case signIn = "sign_in"
    /// The client's protocol version is not accepted, `Limits.oldestVersion`.
    case protocolVersion = "protocol_version"
    /// The client identifier is missing or too long.
    case clientIdentifier = "client_identifier"
    /// The number of clients is at its limit: in total, of one address, or with one token.
    case tooManyClients = "too_many_clients"
    /// The principal has as many sessions as it may.
    case tooManySessions = "too_many_sessions"
    /// The client could not be authenticated because of an error.
    case unavailable

    // Connections that were ended.
    /// The connection had not sent its CONNECT, and was closed in favour of another.
    case gaveWay = "gave_way"
    /// The connection did not send its CONNECT in time.
    case noConnect = "no_connect"
    /// The client sent nothing for one and a half times its keep-alive.
    case keepAlive = "keep_alive"
    /// The client read nothing of what was sent to it.
    case noReader = "no_reader"
    /// The client's packet is longer than `Limits.packetBytes`.
    case packetTooLarge = "packet_too_large"
    /// The client had more unacknowledged messages than the receive maximum.
    case receiveMaximum = "receive_maximum"
    /// The client violated the protocol in another way.
    case violation
    /// The client's message could not be stored, and so was not acknowledged.
    case storage

    /// The kind of loss.
    public enum Kind: String, Sendable, CaseIterable, Codable {
        case droppedMessage = "dropped_message"
        case refusedMessage = "refused_message"
        case refusedSubscription = "refused_subscription"
        case refusedClient = "refused_client"
        case closedConnection = "closed_connection"
    }

    /// The kind of loss that the reason belongs to.
    public var kind: Kind {
        switch self {
        case .queueFull, .retainedFull, .receiverLimit, .expired, .rightEnded, .channelRate, .slowPage: .droppedMessage
        case .foreignTopic, .notUnderstood: .refusedMessage
        case .subscription: .refusedSubscription
        case .signIn, .protocolVersion, .clientIdentifier, .tooManyClients, .tooManySessions, .unavailable:
            .refusedClient
        case .gaveWay, .noConnect, .keepAlive, .noReader, .packetTooLarge, .receiveMaximum, .violation, .storage:
            .closedConnection
        }
    }
}

/// Counters for each reason.
public struct Losses: Sendable, Equatable {
    private var counts: [Loss: Int] = [:]

    /// Creates counters that are all zero.
    public init() {}

    /// The count for one reason.
    public subscript(loss: Loss) -> Int { counts[loss] ?? 0 }

    /// Adds to the count for one reason.
    public mutating func count(_ loss: Loss, _ number: Int = 1) { counts[loss, default: 0] += number }

    /// The sum of these counters and others.
    public func adding(_ others: Losses) -> Losses {
        var sum = self
        for (loss, number) in others.counts { sum.count(loss, number) }
        return sum
    }
}

extension ReasonCode {
    /// The reason that is counted when a CONNECT is refused with this code.
    public var lossOfClient: Loss {
        switch self {
        case .unsupportedProtocolVersion: .protocolVersion
        case .clientIdentifierNotValid: .clientIdentifier
        case .badUserNameOrPassword, .notAuthorized, .badAuthenticationMethod: .signIn
        default: .unavailable
        }
    }
}

extension ProtocolViolation {
    /// The reason that is counted when a connection is closed for this violation.
    public var loss: Loss {
        switch self {
        case .noConnect: .noConnect
        case .keepAlive: .keepAlive
        case .noReader: .noReader
        case .packetTooLarge: .packetTooLarge
        case .receiveMaximum: .receiveMaximum
        default: .violation
        }
    }
}
