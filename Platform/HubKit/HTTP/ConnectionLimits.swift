import NIOCore

/// What the clients of the pages may hold, on the plain port and on that of HTTPS together.
///
/// Where there are too many connections, one that waits for its client goes for the new one: it is idle, or its request
/// still comes, or its answer is not taken. It is one of the client's own address, or else of the address that holds
/// the most; of these the one that has sent nothing, or less than the least rate, for the longest. If there is none,
/// the new one goes.
public struct ConnectionLimits: Sendable {
    /// Connections in total; less where the process may have few files open, see `FileBudget`.
    public var total = 1_024
    /// Of them, those of one address; loopback and the trusted proxies, who bring everybody, are held to the total alone.
    public var perPeer = 64
    /// Streams of HTTP/2 at once, over all connections: a stream costs some thirty kilobytes before it has said anything.
    /// The one that goes for a new one is found as with the connections.
    public var streams = 1_024
    /// Of them, those of one address, with the same exceptions.
    public var streamsPerPeer = 256
    /// A connection without a request, or an answer that nobody takes, is closed after this.
    public var idle = TimeAmount.seconds(60)
    /// After `idle`, or when the hub stops, for the farewells of HTTP/2 and TLS.
    public var farewell = TimeAmount.seconds(5)
    /// A request's body may fall so far behind the least rate, and stop for so long, before it is ended.
    public var body = TimeAmount.seconds(30)
    /// A body may be sent as slowly as this, in bytes per second.
    public var leastBodyRate = 500
    /// Of a body for which nobody has signed in: an invitation with all its fields has less than a thousand bytes.
    public var anonymousBodyBytes = 16_384
    /// Of all bodies that are in memory at once. Files are written as they come, and do not count.
    public var bodyMemoryBytes = 64 << 20
    /// After an answer that closes the connection, for the client to take it while what it still sends is thrown away
    /// (RFC 9112, 9.6).
    public var lingering = TimeAmount.seconds(30)
    /// Of a request's target, in bytes; RFC 9110, 4.1 recommends at least 8,000.
    public var targetBytes = 8_192
    /// Of all header fields of a request together, in bytes; HTTP/2 gets the same (SETTINGS_MAX_HEADER_LIST_SIZE).
    public var headerBytes = 16_384
    /// How many header fields a request may have.
    public var headerFields = 100
    /// How often a page's WebSocket is asked whether it is still there; one that has said nothing until the second
    /// question after is closed.
    public var ping = TimeAmount.seconds(30)

    public init() {}
}
