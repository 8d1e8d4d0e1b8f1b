import MQTT
import NIOCore

/// The endpoints of an `MQTTListener`, and its limits.
public struct ListenerConfiguration: Sendable {
    /// An address and port for clients.
    public struct Endpoint: Sendable {
        /// An address or host name of this machine.
        public var host: String
        /// The port; 0 lets the system choose one, see `MQTTListener.port`.
        public var port: Int
        /// Whether anonymous clients are allowed here, if the delegate allows them at all; see
        /// `ConnectionAttempt.allowsAnonymous`.
        public var allowsAnonymous: Bool
        /// Whether clients with a name are allowed here. A name comes with a token, which should not be sent to every
        /// endpoint; see `ConnectionAttempt.allowsNamed`.
        public var allowsNamed: Bool
        /// Whether it is for devices that speak no TLS; see `ConnectionAttempt.isForPlainDevices`.
        public var isForPlainDevices: Bool
        /// A function that is called with each accepted connection before MQTT is added, such as for TLS. It adds its
        /// handlers at once; nothing is read until its future is done.
        public var prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)?

        /// Creates an endpoint; by default plain MQTT on loopback, on the port that IANA assigned.
        public init(
            host: String = "127.0.0.1", port: Int = 1883, allowsAnonymous: Bool = false, allowsNamed: Bool = true,
            isForPlainDevices: Bool = false,
            prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)? = nil
        ) {
            self.host = host
            self.port = port
            self.allowsAnonymous = allowsAnonymous
            self.allowsNamed = allowsNamed
            self.isForPlainDevices = isForPlainDevices
            self.prepareChannel = prepareChannel
        }
    }

    /// The endpoints. All serve the same sessions; a client may leave by one and return by another.
    public var endpoints: [Endpoint]
    /// The limits for clients.
    public var limits: Limits
    /// Whether an address stands for many clients, as loopback and a proxy's do, so that only the total limits apply.
    public var isShared: @Sendable (SocketAddress) -> Bool = { _ in false }

    /// Creates a configuration; without an endpoint nobody can connect.
    public init(endpoints: [Endpoint], limits: Limits = Limits()) {
        self.endpoints = endpoints
        self.limits = limits
    }

    /// Creates a configuration with one endpoint without TLS.
    public init(host: String = "127.0.0.1", port: Int = 1883, limits: Limits = Limits()) {
        self.init(endpoints: [Endpoint(host: host, port: port)], limits: limits)
    }
}
