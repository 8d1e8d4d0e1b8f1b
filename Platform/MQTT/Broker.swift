import NIOCore

/// Sessions, subscriptions and retained messages of one listener, section 4. Pure: what is to be stored comes out as
/// `StoredChange`, and it never asks anybody: the caller authorises before it delivers.
public struct Broker: Sendable {
    /// Where a session lies. Given again to another session once the first has ended.
    public struct SessionID: Hashable, Sendable {
        public let index: Int
    }

    /// One receiver of a topic.
    public struct Route: Sendable, Equatable {
        public var session: SessionID
        /// Of all its filters that match, the highest granted [MQTT-3.3.5-1].
        public var qualityOfService: QualityOfService
    }

    public let limits: Limits
    /// Rises whenever the receivers of some topic may have changed.
    public internal(set) var generation: UInt64 = 0
    /// Messages that were lost to the limits of a session, or of the retained messages.
    public internal(set) var dropped = 0

    var slots: [MQTTSession?] = []
    var free: [Int] = []
    var index: [MQTTSessionKey: SessionID] = [:]
    var subscriptions = TopicTree<[SessionID: QualityOfService]>()
    var retained = RetainedMessages()
    private var departures: UInt64 = 0
    var holdings: [Principal: Holding] = [:]

    /// What the sessions of one principal hold together.
    struct Holding {
        var persistent: Set<SessionID> = []
        var subscriptions = 0
        var isEmpty: Bool { persistent.isEmpty && subscriptions == 0 }
    }

    public init(limits: Limits) { self.limits = limits }

    // MARK: Sessions

    public var sessionCount: Int { index.count }

    public func session(_ id: SessionID) -> MQTTSession? { slots[id.index] }

    /// The session of this key that has a client now, which a further CONNECT takes over [MQTT-3.1.4-2]: the old
    /// connection is to be closed first.
    public func connected(_ key: MQTTSessionKey) -> SessionID? {
        guard let id = index[key], slots[id.index]?.isConnected == true else { return nil }
        return id
    }

    /// What `open` did.
    public struct Opened: Sendable, Equatable {
        public var session: SessionID
        /// For CONNACK [MQTT-3.2.2-1] to [MQTT-3.2.2-3].
        public var isPresent: Bool
        public var changes: [StoredChange]
    }

    /// A client connects. Nobody else is connected to the session, see `connected`.
    ///
    /// - Returns: nil when the principal has as many persistent sessions as it may, each with a client.
    public mutating func open(_ key: MQTTSessionKey, isPersistent: Bool) -> Opened? {
        var changes: [StoredChange] = []
        if let id = index[key] {
            // A live holder is impossible by contract; were there one, its session would simply change hands.
            if isPersistent, slots[id.index]?.isPersistent == true {
                slots[id.index]?.isConnected = true
                // Who receives what was worked out while its owner may have been unknown to the host.
                generation += 1
                return Opened(session: id, isPresent: true, changes: [])
            }
            changes += end(id)
        }
        if isPersistent {
            guard let room = makeRoom(for: key.principal) else { return nil }
            changes += room
            changes.append(.opened(key))
        }
        let id = insert(MQTTSession(key: key, isPersistent: isPersistent))
        slots[id.index]?.isConnected = true
        return Opened(session: id, isPresent: false, changes: changes)
    }

    /// The client's connection is gone. A session that is not persistent ends [MQTT-3.1.2-6].
    public mutating func leave(_ id: SessionID) -> [StoredChange] {
        guard let session = slots[id.index] else { return [] }
        guard session.isPersistent else { return end(id) }
        departures += 1
        slots[id.index]?.departure = departures
        let changes = queueReplays(id)
        slots[id.index]?.disconnect()
        return changes
    }

    /// Ends the session for good.
    public mutating func end(_ id: SessionID) -> [StoredChange] {
        guard let session = slots[id.index] else { return [] }
        for filter in session.subscriptions.keys { drop(id, filter) }
        if !session.subscriptions.isEmpty { generation += 1 }
        slots[id.index] = nil
        free.append(id.index)
        index[session.key] = nil
        hold(session.key.principal) {
            $0.persistent.remove(id)
            $0.subscriptions -= session.subscriptions.count
        }
        return session.isPersistent ? [.ended(session.key)] : []
    }

    /// Somebody never comes again: its sessions end, and what it left for others is stored no longer.
    ///
    /// - Returns: what is to be stored.
    public mutating func remove(_ principal: Principal) -> [StoredChange] {
        let sessions = index.filter { $0.key.principal == principal }.map(\.value).sorted { $0.index < $1.index }
        return sessions.flatMap { end($0) } + retained.removeAll(of: principal).map { .unretained(topic: $0) }
    }

    mutating func insert(_ session: MQTTSession) -> SessionID {
        let id: SessionID
        if let slot = free.popLast() {
            id = SessionID(index: slot)
            slots[slot] = session
        } else {
            id = SessionID(index: slots.count)
            slots.append(session)
        }
        index[session.key] = id
        if session.isPersistent { hold(session.key.principal) { $0.persistent.insert(id) } }
        return id
    }

    mutating func hold(_ principal: Principal, _ change: (inout Holding) -> Void) {
        var holding = holdings[principal] ?? Holding()
        change(&holding)
        holdings[principal] = holding.isEmpty ? nil : holding
    }

    /// Ends the longest absent persistent session of `principal` where it has too many; nil if none is absent.
    private mutating func makeRoom(for principal: Principal) -> [StoredChange]? {
        let mine = holdings[principal]?.persistent ?? []
        guard mine.count >= limits.persistentSessionsPerPrincipal else { return [] }
        let absent = mine.filter { slots[$0.index]?.isConnected == false }
        guard let oldest = absent.min(by: { slots[$0.index]?.departure ?? 0 < slots[$1.index]?.departure ?? 0 }) else {
            return nil
        }
        return end(oldest)
    }
}
