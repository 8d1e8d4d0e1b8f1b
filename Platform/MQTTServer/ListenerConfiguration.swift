import MQTT
import NIOCore

/// Where an `MQTTListener` listens, and what it allows.
public struct ListenerConfiguration: Sendable {
    /// An address and a port that clients come to.
    public struct Endpoint: Sendable {
        /// An address or host name of this machine.
        public var host: String
        /// 0 lets the system choose one, see `MQTTListener.port`.
        public var port: Int
        /// Whether somebody without a name may be let in here, where the host lets in such clients at all; see
        /// `ConnectionAttempt.allowsAnonymous`.
        public var allowsAnonymous: Bool
        /// Whether somebody with a name may be let in here: a name comes with a token, which some endpoints are no place
        /// for; see `ConnectionAttempt.allowsNamed`.
        public var allowsNamed: Bool
        /// Called with each accepted connection before MQTT is put on it: the place for TLS. Adds its handlers at once;
        /// nothing is read until the future it returns is done.
        public var prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)?

        /// Plain MQTT on loopback, on the port that IANA gave to it, unless said otherwise.
        public init(
            host: String = "127.0.0.1", port: Int = 1883, allowsAnonymous: Bool = false, allowsNamed: Bool = true,
            prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)? = nil
        ) {
            self.host = host
            self.port = port
            self.allowsAnonymous = allowsAnonymous
            self.allowsNamed = allowsNamed
            self.prepareChannel = prepareChannel
        }
    }

    /// All serve the same sessions; a client may leave by one and return by another.
    public var endpoints: [Endpoint]
    /// What a client may cost.
    public var limits: Limits
    /// Whether an address stands for many clients, as loopback and a proxy's do: those are held to the totals alone.
    public var isShared: @Sendable (SocketAddress) -> Bool = { _ in false }

    /// At least one endpoint, or nobody can connect.
    public init(endpoints: [Endpoint], limits: Limits = Limits()) {
        self.endpoints = endpoints
        self.limits = limits
    }

    /// One endpoint without TLS.
    public init(host: String = "127.0.0.1", port: Int = 1883, limits: Limits = Limits()) {
        self.init(endpoints: [Endpoint(host: host, port: port)], limits: limits)
    }
}
