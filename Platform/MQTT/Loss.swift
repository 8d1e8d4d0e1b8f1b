/// Why something that was sent did not come through, or somebody was not let in. Counted by reason, and by nothing that names
/// a device or a person.
public enum Loss: String, Sendable, CaseIterable, Codable {
    // Messages that were taken, and did not reach a receiver.
    /// Its receiver did not keep up, or was away for too long: as many wait as may, `Limits.queuedMessages`.
    case queueFull = "queue_full"
    /// It could not be kept as the last of its topic: `Limits.retainedMessages`.
    case retainedFull = "retained_full"
    /// It is longer than its receiver takes [MQTT-3.1.2-25].
    case receiverLimit = "receiver_limit"
    /// It was too old when its receiver was there, MQTT 5.0, section 3.3.2.3.3.
    case expired
    /// Its sender or its receiver may no longer.
    case rightEnded = "right_ended"
    /// A device sent its page more than its channel's rate.
    case channelRate = "channel_rate"
    /// A page did not take what its device sent.
    case slowPage = "slow_page"

    // Messages that were not taken for what they were meant to be.
    /// The topic is not the sender's own.
    case foreignTopic = "foreign_topic"
    /// A device sent what its companion does not understand.
    case notUnderstood = "not_understood"

    /// A filter that was not granted.
    case subscription

    // Clients that were not let in.
    /// With no name, one that nobody has, or a wrong token.
    case signIn = "sign_in"
    /// Of a protocol that is not spoken here, `Limits.oldestVersion`.
    case protocolVersion = "protocol_version"
    /// With a client identifier that is none, or too long.
    case clientIdentifier = "client_identifier"
    /// There are as many as there may be: in all, of one address, or with one token.
    case tooManyClients = "too_many_clients"
    /// It has as many sessions as it may.
    case tooManySessions = "too_many_sessions"
    /// It could not be found out who it is.
    case unavailable

    // Connections that were ended.
    /// It had not said who it is, and another came.
    case gaveWay = "gave_way"
    /// It did not say in time who it is.
    case noConnect = "no_connect"
    /// Nothing came for one and a half times its keep-alive.
    case keepAlive = "keep_alive"
    /// It took nothing of what was sent to it.
    case noReader = "no_reader"
    /// Its packet is longer than `Limits.packetBytes`.
    case packetTooLarge = "packet_too_large"
    /// It had more on its way than the receive maximum.
    case receiveMaximum = "receive_maximum"
    /// It broke the protocol otherwise.
    case violation
    /// What it sent could not be stored, so that it was not acknowledged.
    case storage

    /// What it was that was lost.
    public enum Kind: String, Sendable, CaseIterable, Codable {
        case droppedMessage = "dropped_message"
        case refusedMessage = "refused_message"
        case refusedSubscription = "refused_subscription"
        case refusedClient = "refused_client"
        case closedConnection = "closed_connection"
    }

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

/// How often each has happened.
public struct Losses: Sendable, Equatable {
    private var counts: [Loss: Int] = [:]

    public init() {}

    public subscript(loss: Loss) -> Int { counts[loss] ?? 0 }

    public mutating func count(_ loss: Loss, _ number: Int = 1) { counts[loss, default: 0] += number }

    /// Both together.
    public func adding(_ others: Losses) -> Losses {
        var sum = self
        for (loss, number) in others.counts { sum.count(loss, number) }
        return sum
    }
}

extension ReasonCode {
    /// What it is called when a CONNECT is refused with it.
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
    /// What it is called when a connection is closed for it.
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
