/// The features of MQTT that a principal may use, besides its topics.
public struct ConnectionPolicy: Sendable, Equatable {
    /// Whether the RETAIN flag of its messages is respected; otherwise it is removed.
    public var mayRetain: Bool
    /// Whether the will in its CONNECT is respected; otherwise it is ignored.
    public var mayHaveWill: Bool
    /// Whether it may have a session that outlives the connection; otherwise every session is clean.
    public var mayPersist: Bool
}

extension Principal {
    /// The features that the principal may use. An anonymous client of an original system leaves nothing behind: no
    /// retained message, will or session. Its CONNECT is accepted nevertheless, since the original application may ask
    /// for them.
    public var policy: ConnectionPolicy {
        switch self {
        case .device, .integration, .open, .hub:
            ConnectionPolicy(mayRetain: true, mayHaveWill: true, mayPersist: true)
        case .legacy:
            ConnectionPolicy(mayRetain: false, mayHaveWill: false, mayPersist: false)
        }
    }
}
