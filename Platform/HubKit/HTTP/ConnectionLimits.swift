import NIOCore

/// The limits for HTTP clients, over the plain and the HTTPS port together.
///
/// When there are too many connections, one that waits for its client is closed in favour of a new one: it is idle, or
/// its request is still arriving, or its response is not being read. It is one of the client's own address, or else of
/// the address with the most connections; among these, the one that has been silent, or below the least rate, for the
/// longest. If there is none, the new connection is closed.
public struct ConnectionLimits: Sendable {
    /// The number of connections; fewer if the process may open few files, see `FileBudget`.
    public var total = 1_024
    /// The number of connections of one address. Loopback and trusted proxies, which bring many clients, have no limit
    /// but the total.
    public var perPeer = 64
    /// The number of HTTP/2 streams at once, over all connections. A stream costs some thirty kilobytes before its
    /// client has sent anything. The one that is closed for a new one is chosen as with the connections.
    public var streams = 1_024
    /// The number of streams of one address, with the same exceptions as ``perPeer``.
    public var streamsPerPeer = 256
    /// The time after which a connection is closed that has no request, or whose response is not being read.
    public var idle = TimeAmount.seconds(60)
    /// The time for the closing messages of HTTP/2 and TLS, after ``idle`` or when the hub stops.
    public var farewell = TimeAmount.seconds(5)
    /// The time by which a request's body may be behind the least rate, or silent, before the request is ended.
    public var body = TimeAmount.seconds(30)
    /// The least rate at which a body may arrive, in bytes per second.
    public var leastBodyRate = 500
    /// The size of a body from a caller who is not signed in, in bytes. An invitation with all its fields has less than
    /// a thousand.
    public var anonymousBodyBytes = 16_384
    /// The size of all bodies that are in memory at once, in bytes. Bodies that are written to files do not count.
    public var bodyMemoryBytes = 64 << 20
    /// The time for which a connection stays open after its last response, so that the client can read it while the
    /// rest of the request is discarded (RFC 9112, 9.6).
    public var lingering = TimeAmount.seconds(30)
    /// The length of a request's target (path and query), in bytes; RFC 9110, 4.1 recommends at least 8,000.
    public var targetBytes = 8_192
    /// The size of all header fields of a request together, in bytes; HTTP/2 is told the same
    /// (SETTINGS_MAX_HEADER_LIST_SIZE).
    public var headerBytes = 16_384
    /// The number of header fields of a request.
    public var headerFields = 100
    /// The interval at which a page's WebSocket is pinged. One that answers neither of two pings is closed.
    public var ping = TimeAmount.seconds(30)

    /// Creates the default limits.
    public init() {}
}
