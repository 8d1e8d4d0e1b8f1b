import NIOCore

/// Sessions, subscriptions and retained messages of one listener, section 4. Pure: what is to be stored comes out as
/// `StoredChange`, and it never asks anybody: the caller authorises before it delivers.
public struct Broker: Sendable {
    /// Where a session lies. Given again to another session once the first has ended.
    public struct SessionID: Hashable, Sendable {
        public let index: Int
    }

    public let limits: Limits
    /// Rises whenever the receivers of some topic may have changed.
    public internal(set) var generation: UInt64 = 0
    /// Messages that were lost to the limits of a session, or of the retained messages.
    public internal(set) var losses = Losses()
    /// How many those were.
    public var dropped: Int { losses[.queueFull] + losses[.retainedFull] }

    var slots: [MQTTSession?] = []
    var free: [Int] = []
    var index: [MQTTSessionKey: SessionID] = [:]
    /// The wall clock's time, UTC milliseconds: of it alone depends what has expired. The owner sets it.
    public var now: Int64 = 0
    var subscriptions = TopicTree<Subscribers>()
    var retained = RetainedMessages()
    private var departures: UInt64 = 0
    var holdings: [Principal: Holding] = [:]
    /// By the session that they wait for.
    var awaitedWills: [MQTTSessionKey: AwaitedWill] = [:]

    /// What the sessions of one principal hold together.
    struct Holding {
        var persistent: Set<SessionID> = []
        var subscriptions = 0
        var isEmpty: Bool { persistent.isEmpty && subscriptions == 0 }
    }

    public init(limits: Limits) { self.limits = limits }

    // MARK: Sessions

    public var sessionCount: Int { index.count }

    /// What all sessions hold, and the retained messages, put into the listener's figures.
    public func report(into statistics: inout ListenerStatistics) {
        statistics.sessions = sessionCount
        for case let session? in slots {
            statistics.queued += session.queuedMessages
            statistics.queuedBytes += session.queuedBytes
            statistics.inFlight += session.messagesInFlight
        }
        statistics.retained = retained.count
        statistics.retainedBytes = retained.bytes
        statistics.losses = statistics.losses.adding(losses)
    }

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
    /// - Parameters:
    ///   - isClean: whether a session that there is ends first.
    ///   - expirySeconds: how long the session outlives the connection: 0 not at all, `UInt32.max` for good.
    ///   - receiveMaximum: how many messages the client takes at once, beside this broker's own limit.
    /// - Returns: nil when the principal has as many persistent sessions as it may, each with a client.
    public mutating func open(
        _ key: MQTTSessionKey, isClean: Bool, expirySeconds: UInt32, receiveMaximum: Int = .max
    ) -> Opened? {
        var changes: [StoredChange] = []
        if let id = index[key] {
            // A live holder is impossible by contract; were there one, its session would simply change hands.
            if !isClean, slots[id.index]?.isPersistent == true {
                return resume(id, key, expirySeconds: expirySeconds, receiveMaximum: receiveMaximum)
            }
            changes += end(id)
        }
        let isPersistent = expirySeconds > 0
        if isPersistent {
            guard let room = makeRoom(for: key.principal) else { return nil }
            changes += room
            changes.append(.opened(key))
            if expirySeconds != .max { changes.append(.expiry(key, seconds: expirySeconds, departedAt: nil)) }
        }
        let id = insert(MQTTSession(key: key, isPersistent: isPersistent, expirySeconds: expirySeconds))
        slots[id.index]?.isConnected = true
        slots[id.index]?.window = receiveMaximum
        return Opened(session: id, isPresent: false, changes: changes)
    }

    private mutating func resume(
        _ id: SessionID, _ key: MQTTSessionKey, expirySeconds: UInt32, receiveMaximum: Int
    ) -> Opened {
        let isStored = slots[id.index]?.expirySeconds != expirySeconds || slots[id.index]?.expiresAt != nil
        slots[id.index]?.isConnected = true
        slots[id.index]?.window = receiveMaximum
        slots[id.index]?.expirySeconds = expirySeconds
        slots[id.index]?.expiresAt = nil
        // Who receives what was worked out while its owner may have been unknown to the host.
        generation += 1
        return Opened(
            session: id, isPresent: true,
            changes: isStored ? [.expiry(key, seconds: expirySeconds, departedAt: nil)] : [])
    }

    /// As `open`, with what MQTT 3.1.1 knows: a session that is clean, or one that lives for good.
    public mutating func open(_ key: MQTTSessionKey, isPersistent: Bool) -> Opened? {
        open(key, isClean: !isPersistent, expirySeconds: isPersistent ? .max : 0)
    }

    /// The client wants another life for its session than it asked for at first, MQTT 5.0, section 3.14.2.2.2. Returns what
    /// is to be stored.
    public mutating func setExpiry(_ id: SessionID, seconds: UInt32) -> [StoredChange] {
        slots[id.index]?.expirySeconds = seconds
        guard let session = slots[id.index], session.isPersistent else { return [] }
        return [.expiry(session.key, seconds: seconds, departedAt: nil)]
    }

    /// The client's connection is gone. A session that is not persistent ends [MQTT-3.1.2-6].
    public mutating func leave(_ id: SessionID) -> [StoredChange] {
        guard let session = slots[id.index] else { return [] }
        guard session.isPersistent, session.expirySeconds > 0 else { return end(id) }
        departures += 1
        slots[id.index]?.departure = departures
        var changes = queueReplays(id)
        slots[id.index]?.disconnect()
        if session.expirySeconds != .max {
            slots[id.index]?.expiresAt = now + Int64(session.expirySeconds) * 1_000
            changes.append(.expiry(session.key, seconds: session.expirySeconds, departedAt: now))
        }
        return changes
    }

    /// Ends the sessions, and forgets the retained messages, whose time is over. To be called now and then.
    public mutating func expire() -> [StoredChange] {
        let over = slots.indices.filter { slots[$0]?.expiresAt.map { $0 <= now } ?? false }
        return over.flatMap { end(SessionID(index: $0)) }
            + retained.removeExpired(at: now).map { .unretained(topic: $0) }
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
        awaitedWills = awaitedWills.filter { $0.key.principal != principal }
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
