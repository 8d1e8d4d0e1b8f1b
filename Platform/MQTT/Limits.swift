import NIOCore

/// What one client may cost the listener. Every queue, buffer and table of it is bounded by one of these.
public struct Limits: Sendable, Equatable {
    /// Longest packet from a connected client, in bytes after the fixed header. Longer: closed.
    public var packetBytes = 262_144
    /// Longest packet before a CONNECT was accepted, in bytes after the fixed header. Longer: closed.
    public var connectBytes = 16_384
    /// Connected clients. Above it CONNECT is refused with return code 3.
    public var connections = 10_000
    /// Of them, those of one network address, which may be a bridge's that brings many devices. Above it CONNECT is
    /// refused with return code 3.
    public var connectionsPerAddress = 1_024
    /// Of them, those with one device's or one program's token, each with a client identifier of its own. Above it CONNECT
    /// is refused with return code 3. A device has one, and one more while it comes again from another network.
    public var connectionsPerPrincipal = 64
    /// Network connections whose CONNECT has not been accepted yet. Where more come, the one that has waited longest of
    /// the address that holds the most is closed.
    public var halfOpenConnections = 1_024
    /// Of them, those of one network address, where the one that has waited longest is closed for a new one.
    public var halfOpenConnectionsPerAddress = 256
    /// Longest client identifier, in bytes. The standard asks for at least 23 [MQTT-3.1.3-5]. Longer: return code 2.
    public var clientIDBytes = 256
    /// The oldest protocol that is spoken: MQTT 3.1 has no more to say than 3.1.1, and is let in where a conformance run or
    /// an old device wants it. Older: refused with return code 1.
    public var oldestVersion = ProtocolVersion.v311
    /// Messages of QoS 1 and 2 that a client of MQTT 5.0 may have on their way without an acknowledgement: the Receive
    /// Maximum of CONNACK. More: closed with reason code 0x93.
    public var receiveMaximum: UInt16 = 1_024
    /// Topic aliases that a client of MQTT 5.0 may have: the Topic Alias Maximum of CONNACK. A higher one: closed with
    /// reason code 0x94.
    public var topicAliases: UInt16 = 32
    /// The longest keep-alive of a client of MQTT 5.0, in seconds, which is told one that wants a longer or none; nil
    /// leaves it to the client.
    public var longestKeepAliveSeconds: UInt16?
    /// Levels of a topic name or filter. More in a PUBLISH: closed; in a SUBSCRIBE: refused with 0x80.
    public var topicLevels = 64
    /// Bytes of a topic name or filter; the standard's own limit is 65,535. More in a PUBLISH or a will: closed; in a
    /// SUBSCRIBE: refused with 0x80.
    public var topicBytes = 1_024
    /// Filters in one SUBSCRIBE or UNSUBSCRIBE. More: closed.
    public var filtersPerPacket = 256
    /// Filters that one session may hold. More: refused with 0x80.
    public var subscriptionsPerSession = 200
    /// Filters that all sessions of one principal may hold together. More: refused with 0x80.
    public var subscriptionsPerPrincipal = 1_000
    /// QoS 1 messages on their way to one client without its PUBACK; further ones wait in the session's queue.
    public var messagesInFlight = 100
    /// Messages that wait in one session, for a slow or an absent client. Further ones are dropped and counted.
    public var queuedMessages = 1_000
    /// Bytes, topics and payloads, that wait in one session. What would exceed it is dropped and counted. As many, but at
    /// least one message, are on their way to a client whose session keeps them until they are acknowledged.
    public var queuedBytes = 1_048_576
    /// Bytes that may wait in one connection's write buffer before messages go to the session's queue instead. Who has
    /// as many answers waiting is not read from.
    public var outputBytes = 131_072
    /// Bytes that the system may keep of one connection before they are read.
    public var inputBytes = 131_072
    /// Retained messages in all. Further topics are delivered but not retained, and counted as dropped.
    public var retainedMessages = 10_000
    /// Bytes, topics and payloads, of all retained messages.
    public var retainedBytes = 16_777_216
    /// Of them, those that one principal published. Its further topics are delivered but not retained, and counted as
    /// dropped.
    public var retainedMessagesPerPrincipal = 2_000
    /// Bytes, topics and payloads, of the retained messages that one principal published.
    public var retainedBytesPerPrincipal = 4_194_304
    /// Persistent sessions of one principal. One more ends the one that has been absent longest.
    public var persistentSessionsPerPrincipal = 32
    /// How long a connection may take to send its CONNECT.
    public var connectTime = TimeAmount.seconds(10)
    /// How long a client may take nothing of what waits for it. Longer: closed, which is what ends a client that has
    /// vanished with a keep-alive of zero.
    public var writeTime = TimeAmount.seconds(60)
    /// What one client may cost in one turn, in the units of `WorkBudget`. Who has used it waits, unread, while others
    /// are served.
    public var workPerTurn = 2_048
    /// The longest that one turn may take, however little of the work it was: what `workPerTurn` is worth differs between
    /// machines. Looked at after each some 64 units, so that a turn is longer by one of them.
    public var turnTime = TimeAmount.milliseconds(2)
    /// How many of those who wait have a turn before the network is looked at again.
    public var turnsTogether = 2
    /// How long a graceful shutdown waits for the commit under way and for clients to read what was sent.
    public var shutdownTime = TimeAmount.milliseconds(1_000)

    public init() {}

    /// As far as the standard goes, for conformance suites: MQTT 3.1 too, topics of 65,535 bytes [MQTT-4.7.3-3] in as
    /// many levels as the tree of subscriptions can be deep, and the keep-alive of a minute that Eclipse Paho's suite expects
    /// a server to ask for.
    public static var conformance: Limits {
        var limits = Limits()
        limits.oldestVersion = .v31
        limits.topicBytes = Int(UInt16.max)
        limits.topicLevels = 4_096
        limits.longestKeepAliveSeconds = 60
        return limits
    }
}
