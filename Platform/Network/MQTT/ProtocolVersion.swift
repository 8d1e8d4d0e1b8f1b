/// The protocol that a connection speaks: the level in its CONNECT, MQTT 3.1.1 and 5.0, section 3.1.2.2.
public enum ProtocolVersion: UInt8, Sendable, Comparable {
    /// MQTT 3.1 of IBM and Eurotech, whose packets are those of 3.1.1 under the protocol name `MQIsdp`, but for two things:
    /// PUBREL, SUBSCRIBE and UNSUBSCRIBE may come with DUP, and CONNACK does not say whether a session is present.
    case v31 = 3
    case v311 = 4
    case v5 = 5

    /// Whether packets have properties and reason codes.
    public var hasProperties: Bool { self == .v5 }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
