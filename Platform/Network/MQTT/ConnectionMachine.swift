import NIOCore

/// The protocol rules for one network connection: which packets may arrive when, and what follows from them.
///
/// It does no input or output: bytes, time and the outcome of authentication go in, actions come out.
public struct ConnectionMachine: Sendable {
    /// An action for the owner of the network connection.
    public enum Action: Sendable, Equatable {
        /// Authenticate the client, then call `accept`, or refuse with a CONNACK and close. Nothing else is read until
        /// then.
        case authenticate(Connect)
        case publish(Publish)
        /// A message that was sent with this packet id has arrived: PUBACK, or PUBCOMP, or a PUBREC that refuses it.
        case acknowledged(packetID: UInt16)
        /// PUBREC: the client has the message of QoS 2 with this packet id.
        case received(packetID: UInt16)
        /// PUBREL: the client will not send the message of QoS 2 with this packet id again.
        case released(packetID: UInt16)
        case subscribe(Subscribe)
        case unsubscribe(Unsubscribe)
        /// Send PINGRESP.
        case pong
        /// Send a CONNACK with this code, then close.
        case refuse(ReasonCode)
        /// Close: the client has said goodbye. It may have changed how long its session outlives the connection.
        case disconnect(sessionExpirySeconds: UInt32?)
    }

    /// The parameters of an accepted connection.
    public struct Opening: Sendable, Equatable {
        /// The principal and client id.
        public var key: MQTTSessionKey
        /// Whether an existing session ends first.
        public var isClean: Bool
        /// The time for which the session outlives the connection.
        public var expirySeconds: UInt32
        /// The number of unacknowledged messages that the client takes.
        public var receiveMaximum: Int
        /// The will; nil without one.
        public var will: Will?
        /// The properties of the CONNACK for a client of MQTT 5.0.
        public var properties: ConnectAcknowledgement.Properties
        /// Whether the session outlives the connection.
        public var isPersistent: Bool { expirySeconds > 0 }
    }

    private enum State {
        case awaitingConnect(since: NIODeadline)
        case authenticating(Connect)
        case connected
        case closed
    }

    private var state: State
    private let limits: Limits
    private let connection: UInt64
    private var keepAlive: TimeAmount?
    private var lastPacket: NIODeadline
    private var will: Will?
    /// The time for which the session outlives the connection, as the CONNECT said.
    private var expirySeconds: UInt32 = 0
    /// The protocol version; MQTT 3.1.1 until the CONNECT has arrived.
    public private(set) var version = ProtocolVersion.v311
    /// Whether the client says that it is a broker, which hands on what others publish.
    public private(set) var isBridge = false
    /// The properties of the CONNECT.
    public private(set) var properties = ConnectProperties()

    /// Creates the rules for a new connection.
    ///
    /// - Parameters:
    ///   - connection: a number that no other connection of this run has.
    ///   - limits: the limits for clients.
    ///   - now: the time at which the connection was opened.
    public init(connection: UInt64, limits: Limits, now: NIODeadline) {
        self.connection = connection
        self.limits = limits
        state = .awaitingConnect(since: now)
        lastPacket = now
    }

    /// Whether the client was accepted and has not left.
    public var isConnected: Bool { if case .connected = state { true } else { false } }
    /// Whether the client is being authenticated.
    public var isAuthenticating: Bool { if case .authenticating = state { true } else { false } }

    /// The longest packet to decode now, in bytes after the fixed header.
    public var packetLimit: Int { isConnected ? limits.packetBytes : limits.connectBytes }

    /// Handles a packet.
    ///
    /// - Throws: a violation, upon which the connection closes [MQTT-4.8.0-1]; the will, if any, is kept.
    public mutating func receive(_ packet: Packet, at now: NIODeadline) throws(ProtocolViolation) -> Action {
        lastPacket = now
        switch state {
        case .connected: return try receiveConnected(packet)
        case .awaitingConnect:
            guard case .connect(let connect) = packet else { throw .packetBeforeConnect }
            return receive(connect)
        case .authenticating, .closed: throw .wrongDirection
        }
    }

    /// Handles a CONNECT of an unknown protocol level. The answer is that of MQTT 3.1.1, return code 1 [MQTT-3.1.2-2], which a
    /// client of any version reads: so mosquitto answers, and bridges try another level upon it.
    public mutating func receiveUnsupportedProtocolLevel(_ level: UInt8) throws(ProtocolViolation) -> Action {
        guard case .awaitingConnect = state else { throw .secondConnect }
        state = .closed
        return .refuse(.unsupportedProtocolVersion)
    }

    private mutating func receive(_ connect: Connect) -> Action {
        version = connect.version
        isBridge = connect.isBridge
        properties = connect.properties
        if let reason = refusal(of: connect) {
            state = .closed
            return .refuse(reason)
        }
        state = .authenticating(connect)
        return .authenticate(connect)
    }

    /// The reason to refuse a CONNECT before authentication; nil to go on.
    private func refusal(of connect: Connect) -> ReasonCode? {
        guard connect.version >= limits.oldestVersion else { return .unsupportedProtocolVersion }
        let length = connect.clientID.utf8.count
        // Without an id there is nothing to find a session by again [MQTT-3.1.3-8]; in MQTT 5.0 the server gives one.
        guard length > 0 || connect.isCleanSession || version.hasProperties, length <= limits.clientIDBytes else {
            return .clientIdentifierNotValid
        }
        if let will = connect.will, !will.topic.isWithin(limits) { return .topicNameInvalid }
        // [MQTT-4.12.0-1]
        return properties.authenticationMethod == nil ? nil : .badAuthenticationMethod
    }

    /// Handles a PUBLISH of a connected client, which the caller then has to take.
    public mutating func receive(_ publish: borrowing Publish, at now: NIODeadline) throws(ProtocolViolation) {
        lastPacket = now
        try check(publish)
    }

    private func check(_ publish: borrowing Publish) throws(ProtocolViolation) {
        guard publish.properties?.subscriptionIdentifiers.isEmpty ?? true else { throw .identifierFromClient }
        guard publish.topic.readableBytes > 0 || publish.properties?.topicAlias != nil || !version.hasProperties
        else { throw .emptyTopicWithoutAlias }
    }

    private mutating func receiveConnected(_ packet: Packet) throws(ProtocolViolation) -> Action {
        switch packet {
        case .publish(let publish):
            try check(publish)
            return .publish(publish)
        case .puback(let acknowledgement): return .acknowledged(packetID: acknowledgement.packetID)
        case .pubrec(let acknowledgement):
            return acknowledgement.reason.isError
                ? .acknowledged(packetID: acknowledgement.packetID) : .received(packetID: acknowledgement.packetID)
        case .pubrel(let acknowledgement): return .released(packetID: acknowledgement.packetID)
        case .pubcomp(let acknowledgement): return .acknowledged(packetID: acknowledgement.packetID)
        case .subscribe(let subscribe): return .subscribe(isBridge ? subscribe.byBridge : subscribe)
        case .unsubscribe(let unsubscribe): return .unsubscribe(unsubscribe)
        case .pingreq: return .pong
        case .disconnect(let disconnect):
            if let seconds = disconnect.sessionExpirySeconds, seconds > 0, expirySeconds == 0 { throw .sessionExpiry }
            // [MQTT-3.1.2-10], [MQTT-3.14.4-3]; MQTT 5.0, section 3.14.2.1
            if disconnect.reason == .success { will = nil }
            state = .closed
            return .disconnect(sessionExpirySeconds: disconnect.sessionExpirySeconds)
        case .connect: throw .secondConnect
        case .auth: throw .authenticationPacket
        // Only servers send them.
        case .connack, .suback, .unsuback, .pingresp: throw .wrongDirection
        }
    }

    /// Accepts the CONNECT as coming from `principal`. Nil if the connection has closed meanwhile.
    public mutating func accept(_ principal: Principal, at now: NIODeadline) -> Opening? {
        guard case .authenticating(let connect) = state else { return nil }
        state = .connected
        lastPacket = now
        let policy = principal.policy
        if policy.mayHaveWill { will = connect.will }
        var properties = ConnectAcknowledgement.Properties()
        properties.receiveMaximum = limits.receiveMaximum
        properties.topicAliasMaximum = limits.topicAliases == 0 ? nil : limits.topicAliases
        properties.maximumPacketBytes = UInt32(clamping: limits.packetBytes)
        if !policy.mayRetain { properties.isRetainAvailable = false }
        var seconds = connect.keepAliveSeconds
        if version.hasProperties, let longest = limits.longestKeepAliveSeconds, seconds == 0 || seconds > longest {
            seconds = longest
            properties.serverKeepAliveSeconds = longest
        }
        // One and a half times [MQTT-3.1.2-24].
        keepAlive = seconds == 0 ? nil : .milliseconds(Int64(seconds) * 1_500)
        expirySeconds = policy.mayPersist ? connect.properties.sessionExpirySeconds : 0
        if expirySeconds != connect.properties.sessionExpirySeconds { properties.sessionExpirySeconds = expirySeconds }
        return Opening(
            key: MQTTSessionKey(principal: principal, clientID: sessionID(of: connect, &properties)),
            isClean: connect.isCleanSession || !policy.mayPersist, expirySeconds: expirySeconds,
            receiveMaximum: Int(connect.properties.receiveMaximum), will: will, properties: properties)
    }

    /// The client's own id, or a unique one [MQTT-3.1.3-6], which a client of MQTT 5.0 is told [MQTT-3.2.2-16].
    private func sessionID(of connect: Connect, _ properties: inout ConnectAcknowledgement.Properties) -> String {
        guard connect.clientID.isEmpty else { return connect.clientID }
        // No client can send U+0000.
        guard version.hasProperties else { return "\0\(connection)" }
        let id = "tandem-" + String(UInt64.random(in: .min ... .max), radix: 36)
        properties.assignedClientID = id
        return id
    }

    /// The violation of a connection that has been silent for too long; nil otherwise. During authentication the server
    /// is the one who is silent.
    public func overdue(at now: NIODeadline) -> ProtocolViolation? {
        switch state {
        case .awaitingConnect(let since): return now - since > limits.connectTime ? .noConnect : nil
        case .connected:
            guard let keepAlive, now - lastPacket > keepAlive else { return nil }
            return .keepAlive
        case .authenticating, .closed: return nil
        }
    }

    /// Restarts the keep-alive, because the server itself did not read until now.
    public mutating func excuse(at now: NIODeadline) { lastPacket = now }

    /// Handles the end of the network connection.
    ///
    /// - Returns: the will to publish now; nil without one.
    public mutating func close() -> Will? {
        state = .closed
        defer { will = nil }
        return will
    }
}
