/// The listener's current state, and its counters since the start.
public struct ListenerStatistics: Sendable, Equatable {
    /// The number of connected clients.
    public var connections = 0
    /// The number of network connections whose client was not accepted yet.
    public var halfOpen = 0
    /// The number of sessions, with and without a connected client.
    public var sessions = 0
    /// The number of PUBLISH packets from clients.
    public var receivedMessages = QualityCounts()
    /// The number of PUBLISH packets to clients.
    public var sentMessages = QualityCounts()
    /// The number of received bytes of MQTT, without those of TLS and WebSocket.
    public var receivedBytes = 0
    /// The number of sent bytes of MQTT, without those of TLS and WebSocket.
    public var sentBytes = 0
    /// The number of messages that wait in all sessions.
    public var queued = 0
    /// The size of the messages that wait in all sessions, topics and payloads, in bytes.
    public var queuedBytes = 0
    /// The number of messages that were sent and are not acknowledged.
    public var inFlight = 0
    /// The number of retained messages.
    public var retained = 0
    /// The size of the retained messages, topics and payloads, in bytes.
    public var retainedBytes = 0
    /// The number of lost messages and refused clients, by reason.
    public var losses = Losses()

    /// Creates counters that are all zero.
    public init() {}

    /// The number of messages that were dropped by the limits of a subscriber or of the retained messages.
    public var dropped: Int { losses[.queueFull] + losses[.retainedFull] }
    /// The number of PUBLISH packets from clients, of all qualities of service.
    public var received: Int { receivedMessages.total }
    /// The number of PUBLISH packets to clients, of all qualities of service.
    public var sent: Int { sentMessages.total }
}

/// Counters for each quality of service.
public struct QualityCounts: Sendable, Equatable {
    private var atMostOnce = 0
    private var atLeastOnce = 0
    private var exactlyOnce = 0

    /// Creates counters that are all zero.
    public init() {}

    /// The count for one quality of service.
    public subscript(quality: QualityOfService) -> Int {
        get {
            switch quality {
            case .atMostOnce: atMostOnce
            case .atLeastOnce: atLeastOnce
            case .exactlyOnce: exactlyOnce
            }
        }
        set {
            switch quality {
            case .atMostOnce: atMostOnce = newValue
            case .atLeastOnce: atLeastOnce = newValue
            case .exactlyOnce: exactlyOnce = newValue
            }
        }
    }

    /// The sum of all counts.
    public var total: Int { atMostOnce + atLeastOnce + exactlyOnce }
}
