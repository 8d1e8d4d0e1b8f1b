import NIOCore

/// The retained messages that a new subscription has yet to be sent [MQTT-3.3.1-6]. Only the position among them is
/// stored, so that a subscription costs nothing until its client has its turn.
struct Replay: Sendable {
    let filter: TopicFilter
    /// The options that the subscription was granted.
    var options: SubscriptionOptions
    var position = RetainedMessages.Position.start
}

/// The replays of one session, one after the other.
struct Replays: Sendable {
    private var waiting = CircularBuffer<Replay>(initialCapacity: 1)

    var isEmpty: Bool { waiting.isEmpty }
    var first: Replay? { waiting.first }

    /// Adds a replay. If the same one has not begun yet, it is replaced, so that there are at most two for each filter.
    mutating func append(_ filter: TopicFilter, _ options: SubscriptionOptions) {
        if let index = waiting.firstIndex(where: { $0.position == .start && $0.filter == filter }) {
            waiting[index].options = options
        } else {
            waiting.append(Replay(filter: filter, options: options))
        }
    }

    /// Removes the replays of a filter that was unsubscribed.
    mutating func remove(_ filter: TopicFilter) { waiting.removeAll { $0.filter == filter } }

    mutating func move(to position: RetainedMessages.Position) {
        if !waiting.isEmpty { waiting[waiting.startIndex].position = position }
    }

    mutating func removeFirst() { waiting.removeFirst() }

    /// Keeps only replays that a returning client must still get: messages of QoS 0 are not stored for it.
    mutating func keepAcknowledged() { waiting.removeAll { $0.options.qualityOfService == .atMostOnce } }
}
