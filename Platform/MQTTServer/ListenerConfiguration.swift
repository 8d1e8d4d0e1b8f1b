import MQTT
import NIOCore

/// Where an `MQTTListener` listens, and what it allows.
public struct ListenerConfiguration: Sendable {
    /// An address or host name of this machine.
    public var host: String
    /// 0 lets the system choose one, see `MQTTListener.port`.
    public var port: Int
    /// What a client may cost.
    public var limits: Limits
    /// Called with each accepted connection before MQTT is put on it: the place for TLS.
    public var prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)?

    public init(
        host: String = "127.0.0.1", port: Int = 1883, limits: Limits = Limits(),
        prepareChannel: (@Sendable (any Channel) -> EventLoopFuture<Void>)? = nil
    ) {
        self.host = host
        self.port = port
        self.limits = limits
        self.prepareChannel = prepareChannel
    }
}
