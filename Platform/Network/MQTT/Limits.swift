import NIOCore

/// The limits for what one client may cost the listener. Every queue, buffer and table is bounded by one of these.
public struct Limits: Sendable, Equatable {
    /// The longest packet of a connected client, in bytes after the fixed header. A longer one closes the connection.
    public var packetBytes = 262_144
    /// The longest packet before a CONNECT is accepted, in bytes after the fixed header. A longer one closes the
    /// connection.
    public var connectBytes = 16_384
    /// The number of connected clients. Above it, CONNECT is refused with return code 3.
    public var connections = 10_000
    /// The number of connected clients of one network address, such as a bridge that brings many devices. Above it,
    /// CONNECT is refused with return code 3.
    public var connectionsPerAddress = 1_024
    /// The number of connected clients with the token of one device or program, each with its own client identifier.
    /// Above it, the one that was silent longest is closed. A device has one, and another while it reconnects from a
    /// different network.
    public var connectionsPerPrincipal = 64
    /// The number of network connections whose CONNECT was not accepted yet. Above it, the one that has waited longest
    /// is closed, of the address with the most.
    public var halfOpenConnections = 1_024
    /// The number of network connections of one address whose CONNECT was not accepted yet. Above it, the one that has
    /// waited longest is closed.
    public var halfOpenConnectionsPerAddress = 256
    /// The number of network connections whose CONNECT was not accepted yet at which no further one is accepted: it waits in
    /// the system's queue until one of them has signed in or gone, or has waited for ``acceptingPause``.
    public var acceptingPausesAt = 512
    /// The longest time for which a connection that has not sent its CONNECT keeps others waiting.
    public var acceptingPause = TimeAmount.seconds(5)
    /// The longest client identifier, in bytes. The standard asks for at least 23 [MQTT-3.1.3-5]. A longer one is
    /// refused with return code 2.
    public var clientIDBytes = 256
    /// The oldest protocol version that is accepted. MQTT 3.1 adds nothing to 3.1.1, and is allowed for conformance
    /// tests and old devices only. An older one is refused with return code 1.
    public var oldestVersion = ProtocolVersion.v311
    /// The number of unacknowledged messages of QoS 1 and 2 that a client of MQTT 5.0 may have sent: the Receive
    /// Maximum of CONNACK. More close the connection with reason code 0x93.
    public var receiveMaximum: UInt16 = 1_024
    /// The number of topic aliases that a client of MQTT 5.0 may have: the Topic Alias Maximum of CONNACK. A higher one
    /// closes the connection with reason code 0x94.
    public var topicAliases: UInt16 = 32
    /// The longest keep-alive of a client of MQTT 5.0, in seconds. A client that asks for a longer one or none is told
    /// this one. Nil leaves it to the client.
    public var longestKeepAliveSeconds: UInt16?
    /// The number of levels of a topic name or filter. More in a PUBLISH close the connection; in a SUBSCRIBE they are
    /// refused with 0x80.
    public var topicLevels = 64
    /// The length of a topic name or filter, in bytes; the standard's own limit is 65,535. A longer one in a PUBLISH or
    /// will closes the connection; in a SUBSCRIBE it is refused with 0x80.
    public var topicBytes = 1_024
    /// The number of filters in one SUBSCRIBE or UNSUBSCRIBE. More close the connection.
    public var filtersPerPacket = 256
    /// The number of filters of one session. More are refused with 0x80.
    public var subscriptionsPerSession = 200
    /// The number of filters of all sessions of one principal together. More are refused with 0x80.
    public var subscriptionsPerPrincipal = 1_000
    /// The number of unacknowledged messages to one client; further ones wait in the session's queue.
    public var messagesInFlight = 100
    /// The number of messages that wait in one session, for a slow or an absent client. Further ones are dropped and
    /// counted.
    public var queuedMessages = 1_000
    /// The size of the messages that wait in one session, topics and payloads, in bytes. Further ones are dropped and
    /// counted. As many bytes, but at least one message, may be unacknowledged by a client with a persistent session.
    public var queuedBytes = 1_048_576
    /// The size of one connection's write buffer in bytes, above which messages wait in the session's queue instead. A
    /// client with as many unread answers is not read from.
    public var outputBytes = 131_072
    /// The size of the system's receive buffer of one connection, in bytes.
    public var inputBytes = 131_072
    /// The number of retained messages. Messages of further topics are delivered but not retained, and counted as
    /// dropped.
    public var retainedMessages = 10_000
    /// The size of all retained messages, topics and payloads, in bytes.
    public var retainedBytes = 16_777_216
    /// The number of retained messages of one publisher. Messages of further topics are delivered but not retained, and
    /// counted as dropped.
    public var retainedMessagesPerPrincipal = 2_000
    /// The size of one publisher's retained messages, topics and payloads, in bytes.
    public var retainedBytesPerPrincipal = 4_194_304
    /// The number of persistent sessions of one principal. A further one ends the one that has been without its client
    /// longest.
    public var persistentSessionsPerPrincipal = 32
    /// The time in which a connection has to send its CONNECT.
    public var connectTime = TimeAmount.seconds(10)
    /// The time for which a client may read nothing of what waits for it. A longer one closes the connection, which
    /// also ends clients that have vanished with a keep-alive of zero.
    public var writeTime = TimeAmount.seconds(60)
    /// The work that one client may cause in one turn, in the units of `WorkBudget`. A client that has used it is not
    /// read from until others were served.
    public var workPerTurn = 2_048
    /// The longest time of one turn, whatever the work, since the worth of a unit of `workPerTurn` differs between
    /// machines. It is checked after some 64 units each, so a turn may be longer by these.
    public var turnTime = TimeAmount.milliseconds(2)
    /// The number of waiting clients that have a turn before the network is polled again.
    public var turnsTogether = 2
    /// The time for which a graceful shutdown waits for the current commit, and for clients to read what was sent.
    public var shutdownTime = TimeAmount.milliseconds(1_000)

    /// Creates the default limits.
    public init() {}

    /// The limits for conformance tests, as wide as the standard's: MQTT 3.1, topics of 65,535 bytes [MQTT-4.7.3-3]
    /// with as many levels as the tree of subscriptions can be deep, and the keep-alive of a minute that Eclipse Paho's
    /// suite expects a server to ask for.
    public static var conformance: Limits {
        var limits = Limits()
        limits.oldestVersion = .v31
        limits.topicBytes = Int(UInt16.max)
        limits.topicLevels = 4_096
        limits.longestKeepAliveSeconds = 60
        return limits
    }
}
