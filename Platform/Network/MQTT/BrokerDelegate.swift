import NIOCore

/// The authenticated identity of a connection.
public enum Principal: Hashable, Sendable {
    /// A device of a household, with its own topics, `tandem/<id>/...`.
    case device(id: String)
    /// A program that an adult has given access, with the topic filters that it was granted.
    case integration(id: String)
    /// An anonymous client of an original system. Each connection is a different principal, since a client id proves
    /// nothing.
    case legacy(connection: UInt64)
    /// Any client, with `--mqtt-open` on loopback: for conformance tests.
    case open
    /// The hub itself, as the publisher of messages from a `MessageOutlet`. It never connects.
    case hub
}

/// The claims of a CONNECT packet about its sender.
public struct ConnectionAttempt: Sendable {
    /// The client identifier; it may be empty with a clean session.
    public var clientID: String
    /// The user name: a device's or program's id.
    public var userName: String?
    /// The password: its token, as bytes.
    public var password: [UInt8]?
    /// Whether it wants a session that does not outlive the connection.
    public var isCleanSession: Bool
    /// Whether it has a will.
    public var hasWill: Bool
    /// The sender's network address as text, for the log and for rate limits.
    public var address: String
    /// A number that no other connection of this run has.
    public var connection: UInt64
    /// Whether the endpoint allows anonymous clients.
    public var allowsAnonymous: Bool
    /// Whether the endpoint allows clients with a name.
    public var allowsNamed: Bool
    /// Whether the endpoint is for devices that speak no TLS, and no other client with a name.
    public var isForPlainDevices: Bool

    /// Creates an attempt.
    public init(
        clientID: String, userName: String?, password: [UInt8]?, isCleanSession: Bool, hasWill: Bool, address: String,
        connection: UInt64, allowsAnonymous: Bool = false, allowsNamed: Bool = true, isForPlainDevices: Bool = false
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
        self.isForPlainDevices = isForPlainDevices
    }
}

/// The outcome of a `ConnectionAttempt`.
public enum Authentication: Sendable {
    case accepted(Principal)
    /// The client is refused, with a CONNACK return code of 2 to 5 [MQTT-3.2.2.3] or the same reason code of MQTT 5.0.
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

/// The delegate's decision about a PUBLISH.
public enum PublishOutcome: Sendable {
    /// The message is accepted: acknowledged once its batch is committed, and delivered to subscribers if `relay`. With
    /// `stores`, the delegate stores part of it, so if the commit fails the client has to send it again.
    case taken(relay: Bool, stores: Bool = true)
    /// The sender may not publish to the topic: the message is put aside, and the connection stays. MQTT 3.1.1 has no word
    /// for it and acknowledges [MQTT-3.3.5-2]; MQTT 5.0 refuses a message of QoS 1 or 2 by reason code 0x87.
    case foreign
}

/// The comparison of a message that a bridge or program publishes retained with the one that is kept of its topic.
///
/// A bridge publishes what its broker keeps anew whenever it connects, and programs do so when they start. That tells
/// nothing of now: the sensor may be gone for years.
public enum Repetition: Sendable {
    /// The message is another one, is not retained, or is a device's own: whoever connects itself lives. So is one that is
    /// kept while nothing that the delegate read of it is stored.
    case none
    /// The message is the same, byte for byte, and this connection has published it before.
    case same
    /// The message is the same, and the first of its topic on this connection.
    case again
    /// The message is what was kept before this connection began, behind another that has taken its place meanwhile: a bridge
    /// that told what it had kept was overtaken by what was measured.
    case overtaken
}

/// A delegate's reading of a message that is retained, until it is stored.
public struct RetainedReading: Hashable, Sendable {
    /// The number of the connection that published the message.
    public var connection: UInt64
    /// The number of the reading on that connection.
    public var number: UInt64

    /// Creates a reading.
    public init(connection: UInt64, number: UInt64) {
        self.connection = connection
        self.number = number
    }
}

/// The delegate's handler of one connection, called on the listener's event loop only.
public protocol MessageHandler: AnyObject {
    /// Handles a message. The payload is a slice of the received bytes: copy what is kept. The topic may be kept.
    func receive(topic: ByteBuffer, payload: ByteBuffer, retain: Bool, repetition: Repetition) -> PublishOutcome
    /// Reports a subscription, which ``BrokerDelegate/allows(_:_:topic:)`` had allowed.
    func subscribed(to filter: TopicFilter)
    /// Ends the handler, after its connection was closed.
    func close()
}

/// A party that waits for a commit, called on the listener's event loop only.
public protocol Acknowledger: AnyObject {
    /// Hands over the acknowledgements for the batch that is about to be committed.
    func sealed() -> ByteBuffer
    /// Sends the acknowledgements, since the batch is durable.
    func committed(_ acknowledgements: ByteBuffer)
    /// Closes without acknowledging, since the batch failed.
    func failed()
}

/// The kind of access to a topic.
public enum TopicAccess: Sendable {
    case publish, subscribe, receive
}

/// The delegate of the listener: it authenticates clients and handles messages. Called on the listener's event loop only.
public protocol BrokerDelegate: AnyObject {
    /// The handler of one connection.
    associatedtype Handler: MessageHandler

    /// Authenticates a client.
    func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication>
    /// Makes the handler for an authenticated connection.
    func handler(for principal: Principal, clientID: String) -> Handler
    /// Makes a handler for the will of a client that is absent. It has no connection, and `close` is not called.
    func handlerOfAbsent(_ principal: Principal, clientID: String) -> Handler
    /// Whether a principal has access to a topic; asking has no effect. It is asked when a filter is subscribed
    /// (`topic` may then be a filter), and again for each topic when a message is delivered, since permissions end. For
    /// stored messages it is asked each time, of publisher and receiver; for direct delivery the answer is cached until
    /// a subscription changes or `MessageOutlet.disconnect` is called.
    func allows(_ principal: Principal, _ access: TopicAccess, topic: String) -> Bool
    /// Reports that a connection of a principal gave way to another with the same token: of the same client identifier, or
    /// as the one that was silent longest of too many.
    func gaveWay(_ principal: Principal)
    /// Commits everything so far, then calls `waiter`. Batches are committed in order, one at a time.
    func commit(for waiter: any Acknowledger)
    /// Whether there is room to read on. If not, `resume` is called once there is.
    func hasRoom(resume: @escaping () -> Void) -> Bool
    /// The current time in UTC milliseconds, for what expires and outlives the process.
    func now() -> Int64
    /// Adds a change of retained messages or persistent sessions to the batch.
    func record(_ change: StoredChange)
    /// The changes that were stored before the hub last stopped.
    func restore() throws -> [StoredChange]
    /// Receives the outlet for publishing, once the listener has started.
    func attach(_ outlet: any MessageOutlet)
}

/// The delegate's access to MQTT clients, called on the listener's event loop only.
public protocol MessageOutlet: AnyObject {
    /// Publishes a message.
    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool)
    /// Closes the connections of a principal whose permissions have changed, and invalidates cached permissions.
    func disconnect(_ principal: Principal)
    /// Removes a principal for good: closes its connections and deletes its sessions and retained messages.
    func remove(_ principal: Principal)
    /// The listener's counters.
    var statistics: ListenerStatistics { get }
}

/// The quality of service of a message.
public enum QualityOfService: UInt8, Sendable, Comparable, CaseIterable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The identity of a session: the same client id of two principals is two sessions.
public struct MQTTSessionKey: Hashable, Sendable {
    /// The principal.
    public var principal: Principal
    /// The client identifier; it may be empty with a clean session.
    public var clientID: String

    /// Creates a key.
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
