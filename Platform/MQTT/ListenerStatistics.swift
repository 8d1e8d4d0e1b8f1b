/// What the listener has now, and counts since it started.
public struct ListenerStatistics: Sendable, Equatable {
    /// Clients connected now.
    public var connections = 0
    /// Network connections now whose client has not been let in.
    public var halfOpen = 0
    /// Sessions held now, with or without a client.
    public var sessions = 0
    /// PUBLISH packets that clients sent.
    public var receivedMessages = QualityCounts()
    /// PUBLISH packets sent to clients.
    public var sentMessages = QualityCounts()
    /// Bytes of MQTT that came, and that were sent: without those of TLS and WebSocket.
    public var receivedBytes = 0
    public var sentBytes = 0
    /// Messages that wait now in all sessions, and their bytes, topics and payloads.
    public var queued = 0
    public var queuedBytes = 0
    /// Messages that were sent and are not acknowledged now.
    public var inFlight = 0
    /// Retained messages now, and their bytes, topics and payloads.
    public var retained = 0
    public var retainedBytes = 0
    /// What did not come through, and who was not let in.
    public var losses = Losses()

    public init() {}

    /// Messages that a slow or absent subscriber lost to its limits, and those that were too many to be retained.
    public var dropped: Int { losses[.queueFull] + losses[.retainedFull] }
    public var received: Int { receivedMessages.total }
    public var sent: Int { sentMessages.total }
}

/// How many of each delivery promise.
public struct QualityCounts: Sendable, Equatable {
    private var atMostOnce = 0
    private var atLeastOnce = 0
    private var exactlyOnce = 0

    public init() {}

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

    public var total: Int { atMostOnce + atLeastOnce + exactlyOnce }
}
