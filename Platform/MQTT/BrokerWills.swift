/// The wills of sessions that outlive their connections: part of what is stored of a session, MQTT 5.0, section 4.1, so that
/// neither the end of the server nor its return loses one.
extension Broker {
    /// A will whose client is gone, and may come back before it is due.
    struct AwaitedWill: Sendable, Equatable {
        var will: Will
        /// When it is published, UTC milliseconds.
        var at: Int64
    }

    /// A will that is to be published now.
    public struct DueWill: Sendable, Equatable {
        /// Whose it is.
        public var key: MQTTSessionKey
        public var will: Will
    }

    /// A client has connected, with this will or without one [MQTT-3.1.2-7]. Returns what is to be stored.
    public mutating func keep(_ will: Will?, of id: SessionID) -> [StoredChange] {
        guard let will, let session = slots[id.index], session.isPersistent else { return forgetWill(of: id) }
        slots[id.index]?.hasStoredWill = true
        return [.will(session.key, will, dueAt: nil)]
    }

    /// The session's will is published, or not wanted any more [MQTT-3.1.2-10]. Returns what is to be stored.
    public mutating func forgetWill(of id: SessionID) -> [StoredChange] {
        guard let session = slots[id.index], session.hasStoredWill else { return [] }
        slots[id.index]?.hasStoredWill = false
        return [.willSettled(session.key)]
    }

    /// The client is about to leave without a goodbye: its will waits for as long as it asked for, or until its session ends,
    /// whichever comes first [MQTT-3.1.3-9].
    ///
    /// - Returns: what is to be stored; nil where there is nothing to wait for, and the will is to be published now.
    public mutating func delay(_ will: Will, of id: SessionID) -> [StoredChange]? {
        guard let session = slots[id.index] else { return nil }
        let delay = min(will.delaySeconds, session.expirySeconds)
        guard delay > 0, session.isPersistent else { return nil }
        let at = now + Int64(delay) * 1_000
        awaitedWills[session.key] = AwaitedWill(will: will, at: at)
        slots[id.index]?.hasStoredWill = true
        return [.will(session.key, will, dueAt: at)]
    }

    /// A client has come back. Its session went on, and what waited is not wanted, or has ended, and it is due.
    public mutating func settleWill(of key: MQTTSessionKey, isSessionPresent: Bool) -> DueWill? {
        guard let awaited = awaitedWills.removeValue(forKey: key), !isSessionPresent else { return nil }
        return DueWill(key: key, will: awaited.will)
    }

    /// The wills whose time has come, in its order, and what is to be stored of that.
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

    /// A will that was stored before the server stopped. Of a client that was there then, the connection has ended with the
    /// server, and the wait begins now.
    mutating func restore(_ will: Will, of key: MQTTSessionKey, dueAt: Int64?) {
        guard let id = index[key], let session = slots[id.index] else { return }
        slots[id.index]?.hasStoredWill = true
        let delay = min(will.delaySeconds, session.expirySeconds)
        awaitedWills[key] = AwaitedWill(will: will, at: dueAt ?? now + Int64(delay) * 1_000)
    }
}
