import NIOCore

/// One network connection by the rules of MQTT 3.1.1: which packets may come when, and what follows from them.
///
/// Pure: bytes, time and the outcome of authentication come in, what to do comes out.
public struct ConnectionMachine: Sendable {
    /// What the owner of the network connection has to do.
    public enum Action: Sendable, Equatable {
        /// Find out who it is, then call `accept`, or refuse with a CONNACK and close. Until then nothing else is read.
        case authenticate(Connect)
        case publish(Publish)
        /// A message that was sent with this packet id has arrived.
        case acknowledged(packetID: UInt16)
        case subscribe(Subscribe)
        case unsubscribe(Unsubscribe)
        /// Send PINGRESP.
        case pong
        /// Send a CONNACK with this code, then close.
        case refuse(ConnectReturnCode)
        /// The client said goodbye: close, without a will.
        case disconnect
    }

    /// What a connection starts with once its CONNECT is accepted.
    public struct Opening: Sendable, Equatable {
        public var key: MQTTSessionKey
        /// Whether the session outlives the connection.
        public var isPersistent: Bool
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

    /// - Parameters:
    ///   - connection: unlike every other connection of this run.
    ///   - now: when the network connection was opened.
    public init(connection: UInt64, limits: Limits, now: NIODeadline) {
        self.connection = connection
        self.limits = limits
        state = .awaitingConnect(since: now)
        lastPacket = now
    }

    public var isConnected: Bool { if case .connected = state { true } else { false } }
    public var isAuthenticating: Bool { if case .authenticating = state { true } else { false } }

    /// The longest packet to decode now, in bytes after the fixed header.
    public var packetLimit: Int { isConnected ? limits.packetBytes : limits.connectBytes }

    /// Takes what the decoder made of the next bytes; `incomplete` is none of its business.
    ///
    /// - Throws: a violation, on which the connection closes [MQTT-4.8.0-1]; the will, if any, stays.
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

    /// A CONNECT of a protocol level other than 4.
    public mutating func receiveUnsupportedProtocolLevel() throws(ProtocolViolation) -> Action {
        guard case .awaitingConnect = state else { throw .secondConnect }
        state = .closed
        return .refuse(.unacceptableProtocolVersion)
    }

    private mutating func receive(_ connect: Connect) -> Action {
        let length = connect.clientID.utf8.count
        // Without an id there is nothing to find a session by again [MQTT-3.1.3-8].
        guard length > 0 || connect.isCleanSession, length <= limits.clientIDBytes else {
            state = .closed
            return .refuse(.identifierRejected)
        }
        state = .authenticating(connect)
        return .authenticate(connect)
    }

    private mutating func receiveConnected(_ packet: Packet) throws(ProtocolViolation) -> Action {
        switch packet {
        case .publish(let publish): return .publish(publish)
        case .puback(let id): return .acknowledged(packetID: id)
        case .subscribe(let subscribe): return .subscribe(subscribe)
        case .unsubscribe(let unsubscribe): return .unsubscribe(unsubscribe)
        case .pingreq: return .pong
        case .disconnect:
            will = nil  // [MQTT-3.1.2-10], [MQTT-3.14.4-3]
            state = .closed
            return .disconnect
        case .connect: throw .secondConnect
        // The first three belong to QoS 2, which is not spoken yet; the rest only servers send.
        case .pubrec, .pubrel, .pubcomp, .connack, .suback, .unsuback, .pingresp: throw .wrongDirection
        }
    }

    /// The CONNECT was accepted as coming from `principal`. Nil when the connection has gone meanwhile.
    public mutating func accept(_ principal: Principal, at now: NIODeadline) -> Opening? {
        guard case .authenticating(let connect) = state else { return nil }
        state = .connected
        lastPacket = now
        let policy = principal.policy
        if policy.mayHaveWill { will = connect.will }
        // One and a half times [MQTT-3.1.2-24].
        keepAlive = connect.keepAliveSeconds == 0 ? nil : .milliseconds(Int64(connect.keepAliveSeconds) * 1_500)
        // No client can send U+0000, so the id that stands for an empty one is nobody else's [MQTT-3.1.3-6].
        let clientID = connect.clientID.isEmpty ? "\0\(connection)" : connect.clientID
        return Opening(
            key: MQTTSessionKey(principal: principal, clientID: clientID),
            isPersistent: policy.mayPersist && !connect.isCleanSession)
    }

    /// The violation of having been silent for too long, if the connection has. While a CONNECT is being looked into,
    /// the silence is the server's.
    public func overdue(at now: NIODeadline) -> ProtocolViolation? {
        switch state {
        case .awaitingConnect(let since): return now - since > limits.connectTime ? .noConnect : nil
        case .connected:
            guard let keepAlive, now - lastPacket > keepAlive else { return nil }
            return .keepAlive
        case .authenticating, .closed: return nil
        }
    }

    /// The silence until now was not the client's: the server did not read.
    public mutating func excuse(at now: NIODeadline) { lastPacket = now }

    /// The network connection is closing, for whatever reason. Returns the will that is now to be published.
    public mutating func close() -> Will? {
        state = .closed
        defer { will = nil }
        return will
    }
}
