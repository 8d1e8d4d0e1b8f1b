import NIOCore

/// Who a connection turned out to be.
public enum Principal: Hashable, Sendable {
    /// A device of a household: its own topics, `tandem/<id>/...`.
    case device(id: String)
    /// A program that an adult let in: the filters it was granted, wildcards allowed.
    case integration(id: String)
    /// An anonymous client of one of the original systems. Each connection is somebody else: a client id proves nothing.
    case legacy(connection: UInt64)
    /// Anybody, with `--mqtt-open` on loopback: for conformance suites.
    case open
    /// The hub itself, as the publisher of what comes through a `MessageOutlet`. Never connects.
    case hub
}

/// What a CONNECT packet says of its sender.
public struct ConnectionAttempt: Sendable {
    /// May be empty with a clean session.
    public var clientID: String
    /// A device's or a program's id.
    public var userName: String?
    /// Its token, as bytes.
    public var password: [UInt8]?
    /// Whether nothing is to be kept from or for another connection.
    public var isCleanSession: Bool
    /// Whether it leaves a message for the case that it is lost.
    public var hasWill: Bool
    /// The sender's network address in text, for the log and for rate limits.
    public var address: String
    /// Unlike every other connection of this run.
    public var connection: UInt64
    /// Whether it came to an endpoint where somebody without a name may be let in.
    public var allowsAnonymous: Bool
    /// Whether it came to an endpoint where somebody with a name may be let in.
    public var allowsNamed: Bool

    public init(
        clientID: String, userName: String?, password: [UInt8]?, isCleanSession: Bool, hasWill: Bool, address: String,
        connection: UInt64, allowsAnonymous: Bool = false, allowsNamed: Bool = true
    ) {
        self.clientID = clientID
        self.userName = userName
        self.password = password
        self.isCleanSession = isCleanSession
        self.hasWill = hasWill
        self.address = address
        self.connection = connection
        self.allowsAnonymous = allowsAnonymous
        self.allowsNamed = allowsNamed
    }
}

/// The answer to a `ConnectionAttempt`.
public enum Authentication: Sendable {
    case accepted(Principal)
    /// With a CONNACK return code of 2 to 5 [MQTT-3.2.2.3], or the reason code of MQTT 5.0 that is the same.
    case refused(ConnectReturnCode)
}

/// CONNACK return codes, MQTT 3.1.1 table 3.1.
public enum ConnectReturnCode: UInt8, Sendable {
    case accepted = 0
    case unacceptableProtocolVersion = 1
    case identifierRejected = 2
    case serverUnavailable = 3
    case badUserNameOrPassword = 4
    case notAuthorized = 5
}

/// What becomes of a PUBLISH.
public enum PublishOutcome: Sendable {
    /// Acknowledged once the batch it went into has committed, and handed on to subscribers if `relay`. `stores`: whether the
    /// host stores something of it, which a commit that fails loses, so that the client has to send it again.
    case taken(relay: Bool, stores: Bool = true)
    /// Not the sender's topic: logged, the connection closed, no acknowledgement.
    case foreign
}

/// One connection as the host sees it. Called on the listener's event loop only.
public protocol MessageHandler: AnyObject {
    /// The payload is a slice of the bytes read: copy what is kept. The topic may be kept.
    func receive(topic: ByteBuffer, payload: ByteBuffer, retain: Bool) -> PublishOutcome
    /// A filter was subscribed, which ``MessageHost/allows(_:_:topic:)`` had allowed.
    func subscribed(to filter: TopicFilter)
    /// The connection is gone.
    func close()
}

/// Who waits for a commit. Called on the listener's event loop only.
public protocol Acknowledger: AnyObject {
    /// The batch is sealed: hand over the acknowledgements that it owes.
    func sealed() -> ByteBuffer
    /// The batch is durable: send them.
    func committed(_ acknowledgements: ByteBuffer)
    /// The batch failed: close, send nothing.
    func failed()
}

/// Whether a text may be published to, or asked for, by somebody.
public enum TopicAccess: Sendable {
    case publish, subscribe, receive
}

/// The host behind the listener: who may come in, and where messages go. Called on the listener's event loop only.
public protocol MessageHost: AnyObject {
    associatedtype Handler: MessageHandler

    func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication>
    func handler(for principal: Principal, clientID: String) -> Handler
    /// One for what a client left to be published when it is gone: nobody has connected, and `close` is not called of it.
    func handlerOfAbsent(_ principal: Principal, clientID: String) -> Handler
    /// Whether somebody may; asking changes nothing. Asked when a filter is subscribed, and again for each topic when something is delivered: rights end. What was
    /// stored is asked for message by message, of its publisher and its receiver; for what is delivered at once the answer
    /// is kept until a subscription changes or `MessageOutlet.disconnect` is called. `topic` may be a filter when
    /// `access` is `subscribe`.
    func allows(_ principal: Principal, _ access: TopicAccess, topic: String) -> Bool
    /// Commits all that was taken so far, then calls `waiter`. Batches are committed in order, one at a time.
    func commit(for waiter: any Acknowledger)
    /// Whether there is room to read on; if not, `resume` is called once there is.
    func hasRoom(resume: @escaping () -> Void) -> Bool
    /// What the clock of the wall says, UTC milliseconds: for what expires, which outlives the process.
    func now() -> Int64
    /// Puts a change of retained messages or persistent sessions into the batch.
    func record(_ change: StoredChange)
    /// What was stored before the hub last stopped.
    func restore() throws -> [StoredChange]
    /// The listener stands: the way to publish into it.
    func attach(_ outlet: any MessageOutlet)
}

/// The way from the host to MQTT clients. Called on the listener's event loop only.
public protocol MessageOutlet: AnyObject {
    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool)
    /// Closes every connection of somebody whose right has ended, and asks anew who may receive what.
    func disconnect(_ principal: Principal)
    /// As `disconnect`, of somebody who never comes again: what it left goes too, its retained messages and sessions.
    func remove(_ principal: Principal)
    var statistics: ListenerStatistics { get }
}

/// MQTT's delivery promise.
public enum QualityOfService: UInt8, Sendable, Comparable, CaseIterable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Whose session: the same client id of two principals is two sessions.
public struct MQTTSessionKey: Hashable, Sendable {
    public var principal: Principal
    /// May be empty with a clean session.
    public var clientID: String

    public init(principal: Principal, clientID: String) {
        self.principal = principal
        self.clientID = clientID
    }

    /// Byte by byte: two spellings of one accented letter are two client ids.
    public static func == (left: Self, right: Self) -> Bool {
        left.principal == right.principal && left.clientID.utf8.elementsEqual(right.clientID.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(principal)
        for byte in clientID.utf8 { hasher.combine(byte) }
    }
}
