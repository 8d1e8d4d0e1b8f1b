/// The restoring of what was stored before the server stopped.
extension Broker {
    /// Applies stored changes in order. Limits are ignored, since they may have been different then.
    public mutating func restore(_ changes: [StoredChange]) {
        for change in changes { restore(change) }
    }

    private mutating func restore(_ change: StoredChange) {
        switch change {
        case .retained(let message, let isRead):
            guard let topic = try? TopicName(message.topic, limits: .conformance) else { return }
            retained.restore(message, topic: topic, isRead: isRead)
        case .unretained(let topic):
            guard let topic = try? TopicName(topic, limits: .conformance) else { return }
            _ = retained.remove(topic)
        case .opened(let key):
            if index[key] == nil { _ = insert(MQTTSession(key: key, isPersistent: true)) }
        case .ended(let key):
            if let id = index[key] { _ = end(id) }
            awaitedWills[key] = nil
        case .expiry(let key, let seconds, let departedAt):
            guard let id = index[key] else { return }
            slots[id.index]?.expirySeconds = seconds
            // Of a client that was there when the hub stopped, the time begins now.
            slots[id.index]?.expiresAt = seconds == .max ? nil : (departedAt ?? now) + Int64(seconds) * 1_000
        case .subscribed(let key, let filter, let options):
            guard let id = index[key], let filter = try? TopicFilter(filter) else { return }
            add(id, filter, options)
        case .unsubscribed(let key, let filter):
            guard let id = index[key], let filter = try? TopicFilter(filter) else { return }
            _ = unsubscribe(id, from: filter)
        case .will(let key, let will, let dueAt): restore(will, of: key, dueAt: dueAt)
        case .willSettled(let key):
            awaitedWills[key] = nil
            if let id = index[key] { slots[id.index]?.hasStoredWill = false }
        case .queued(let key, let sequence, let message, let terms):
            if let id = index[key] { slots[id.index]?.restore(message, sequence: sequence, terms) }
        case .released(let key, let sequence):
            if let id = index[key] { slots[id.index]?.restoreRelease(sequence: sequence) }
        case .delivered(let key, let sequence):
            if let id = index[key] { slots[id.index]?.forget(sequence: sequence) }
        case .received(let key, let packetID):
            if let id = index[key] { slots[id.index]?.unreleased.insert(packetID) }
        case .completed(let key, let packetID):
            if let id = index[key] { slots[id.index]?.unreleased.remove(packetID) }
        }
    }
}
