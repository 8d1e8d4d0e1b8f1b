import Foundation
import NIOCore

/// What the clients of the pages may hold, on the plain port and on that of HTTPS together.
///
/// Where there are too many connections, one without a request goes for the new one: of the client's own address, or
/// else of the address that holds the most, the one that has been idle longest. If there is none, the new one goes.
public struct ConnectionLimits: Sendable {
    /// Connections in total; at most half of the files that the process may have open, since MQTT and the database
    /// want some too.
    public var total = 1_024
    /// Of them, those of one address; loopback and the trusted proxies, who bring everybody, are held to the total alone.
    public var perPeer = 64
    /// A connection without a request, or an answer that nobody takes, is closed after this.
    public var idle = TimeAmount.seconds(60)
    /// After `idle`, or when the hub stops, for the farewells of HTTP/2 and TLS.
    public var farewell = TimeAmount.seconds(5)
    /// From the head of a request to the end of its body; a body gets the time that it takes at the least rate besides.
    public var body = TimeAmount.seconds(30)
    /// A body may be sent as slowly as this, in bytes per second.
    public var leastBodyRate = 500

    public init() {}

    /// How long a body may take of which so much has come.
    func bodyTime(bytes: Int) -> TimeAmount {
        body + .milliseconds(Int64(bytes) * 1000 / Int64(max(leastBodyRate, 1)))
    }

    /// The total for a process that may have so many files open.
    func total(files: Int) -> Int { min(total, max(files / 2, 1)) }

    /// How many files this process may have open.
    static var files: Int {
        var limit = rlimit()
        #if os(Linux)
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let result = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return result == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
}
