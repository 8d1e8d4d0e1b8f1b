/// The wills of sessions that outlive their connections. They are part of the stored session (MQTT 5.0, section 4.1),
/// so that none is lost when the server stops or starts.
extension Broker {
    /// A will that waits until it is due, in case its client reconnects.
    struct AwaitedWill: Sendable, Equatable {
        var will: Will
        /// The time at which it is published, in UTC milliseconds.
        var at: Int64
    }

    /// A will to be published now.
    public struct DueWill: Sendable, Equatable {
        /// The session whose will it is.
        public var key: MQTTSessionKey
        /// The will.
        public var will: Will
    }

    /// Stores the will of a client that has connected, or removes the old one if it has none [MQTT-3.1.2-7].
    ///
    /// - Returns: the changes to store.
    public mutating func keep(_ will: Will?, of id: SessionID) -> [StoredChange] {
        guard let will, let session = slots[id.index], session.isPersistent else { return forgetWill(of: id) }
        slots[id.index]?.hasStoredWill = true
        return [.will(session.key, will, dueAt: nil)]
    }

    /// Removes a session's will after it was published or cancelled [MQTT-3.1.2-10].
    ///
    /// - Returns: the changes to store.
    public mutating func forgetWill(of id: SessionID) -> [StoredChange] {
        guard let session = slots[id.index], session.hasStoredWill else { return [] }
        slots[id.index]?.hasStoredWill = false
        return [.willSettled(session.key)]
    }

    /// Delays the will of a client whose connection was lost, by the time that it asked for or until its session ends,
    /// whichever comes first [MQTT-3.1.3-9].
    ///
    /// - Returns: the changes to store; nil if the will has to be published now.
    public mutating func delay(_ will: Will, of id: SessionID) -> [StoredChange]? {
        guard let session = slots[id.index] else { return nil }
        let delay = min(will.delaySeconds, session.expirySeconds)
        guard delay > 0, session.isPersistent else { return nil }
        let at = now + Int64(delay) * 1_000
        awaitedWills[session.key] = AwaitedWill(will: will, at: at)
        slots[id.index]?.hasStoredWill = true
        return [.will(session.key, will, dueAt: at)]
    }

    /// Settles the waiting will of a client that has reconnected: it is cancelled if the session continued, and due if
    /// the session has ended.
    public mutating func settleWill(of key: MQTTSessionKey, isSessionPresent: Bool) -> DueWill? {
        guard let awaited = awaitedWills.removeValue(forKey: key), !isSessionPresent else { return nil }
        return DueWill(key: key, will: awaited.will)
    }

    /// Removes the wills that are due, in their order.
    ///
    /// - Returns: the wills, and the changes to store.
    public mutating func takeDueWills() -> (wills: [DueWill], changes: [StoredChange]) {
        let due = awaitedWills.filter { $0.value.at <= now }
            .sorted { ($0.value.at, $0.key.clientID) < ($1.value.at, $1.key.clientID) }
        var changes: [StoredChange] = []
        for (key, _) in due {
            awaitedWills[key] = nil
            if let id = index[key] { changes += forgetWill(of: id) }
        }
        return (due.map { DueWill(key: $0.key, will: $0.value.will) }, changes)
    }

    /// Restores a will that was stored before the server stopped. If its client was connected then, the connection has
    /// ended with the server, and the delay begins now.
    mutating func restore(_ will: Will, of key: MQTTSessionKey, dueAt: Int64?) {
        guard let id = index[key], let session = slots[id.index] else { return }
        slots[id.index]?.hasStoredWill = true
        let delay = min(will.delaySeconds, session.expirySeconds)
        awaitedWills[key] = AwaitedWill(will: will, at: dueAt ?? now + Int64(delay) * 1_000)
    }
}
