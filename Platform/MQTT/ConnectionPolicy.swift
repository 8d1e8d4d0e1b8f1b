/// What a principal may use of MQTT, beside which topics.
public struct ConnectionPolicy: Sendable, Equatable {
    /// Whether a RETAIN flag of its PUBLISHes is heeded; otherwise it is taken off.
    public var mayRetain: Bool
    /// Whether a will in its CONNECT is stored; otherwise it is ignored.
    public var mayHaveWill: Bool
    /// Whether it may have a session that outlives the connection; otherwise every session of it is clean.
    public var mayPersist: Bool
}

extension Principal {
    /// An anonymous client of an original system leaves nothing behind: no retained message, will or session. Its
    /// CONNECT is accepted all the same, since the original application may ask for them.
    public var policy: ConnectionPolicy {
        switch self {
        case .device, .integration, .open, .hub:
            ConnectionPolicy(mayRetain: true, mayHaveWill: true, mayPersist: true)
        case .legacy:
            ConnectionPolicy(mayRetain: false, mayHaveWill: false, mayPersist: false)
        }
    }
}
