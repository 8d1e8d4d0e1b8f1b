import NIOCore

/// The sessions, subscriptions and retained messages of one listener (MQTT, section 4). It does no input or output:
/// changes to store are returned as `StoredChange`, and the caller checks permissions before it calls.
public struct Broker: Sendable {
    /// The index of a session. It is reused after the session has ended.
    public struct SessionID: Hashable, Sendable {
        /// The index in the broker's table.
        public let index: Int
    }

    /// The limits for clients.
    public let limits: Limits
    /// A counter that rises whenever the receivers of a topic may have changed.
    public internal(set) var generation: UInt64 = 0
    /// The messages that were lost to the limits of sessions and retained messages, by reason.
    public internal(set) var losses = Losses()
    /// The number of messages that were lost to these limits.
    public var dropped: Int { losses[.queueFull] + losses[.retainedFull] }

    var slots: [MQTTSession?] = []
    var free: [Int] = []
    var index: [MQTTSessionKey: SessionID] = [:]
    /// The current time in UTC milliseconds, by which sessions and messages expire. The owner sets it.
    public var now: Int64 = 0
    var subscriptions = TopicTree<Subscribers>()
    var retained = RetainedMessages()
    private var departures: UInt64 = 0
    var holdings: [Principal: Holding] = [:]
    /// The wills that wait, by their sessions.
    var awaitedWills: [MQTTSessionKey: AwaitedWill] = [:]

    /// The totals of one principal's sessions.
    struct Holding {
        var persistent: Set<SessionID> = []
        var subscriptions = 0
        var isEmpty: Bool { persistent.isEmpty && subscriptions == 0 }
    }

    /// Creates a broker without sessions.
    public init(limits: Limits) { self.limits = limits }

    // MARK: Sessions

    /// The number of sessions, with and without a connected client.
    public var sessionCount: Int { index.count }

    /// Adds the totals of all sessions and retained messages to the listener's counters.
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

    /// The session with an index; nil if it has ended.
    public func session(_ id: SessionID) -> MQTTSession? { slots[id.index] }

    /// The session of a key that has a connected client. A further CONNECT takes it over [MQTT-3.1.4-2], after the old
    /// connection is closed.
    public func connected(_ key: MQTTSessionKey) -> SessionID? {
        guard let id = index[key], slots[id.index]?.isConnected == true else { return nil }
        return id
    }

    /// The result of opening a session.
    public struct Opened: Sendable, Equatable {
        /// The index of the session.
        public var session: SessionID
        /// Whether the session existed before, for CONNACK [MQTT-3.2.2-1] to [MQTT-3.2.2-3].
        public var isPresent: Bool
        /// The changes to store.
        public var changes: [StoredChange]
    }

    /// Opens a session for a client. No other client may be connected to it, see `connected`.
    ///
    /// - Parameters:
    ///   - key: the principal and client id.
    ///   - isClean: whether an existing session ends first.
    ///   - expirySeconds: the time for which the session outlives the connection: 0 for not at all, `UInt32.max` for
    ///     ever.
    ///   - receiveMaximum: the number of messages that the client takes at once, besides this broker's own limit.
    /// - Returns: nil if the principal has as many persistent sessions as it may, each with a connected client.
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

    /// Opens a session as MQTT 3.1.1 has it: either clean, or kept for ever.
    public mutating func open(_ key: MQTTSessionKey, isPersistent: Bool) -> Opened? {
        open(key, isClean: !isPersistent, expirySeconds: isPersistent ? .max : 0)
    }

    /// Changes how long a session outlives its connection, as a DISCONNECT may ask for (MQTT 5.0, section 3.14.2.2.2).
    ///
    /// - Returns: the changes to store.
    public mutating func setExpiry(_ id: SessionID, seconds: UInt32) -> [StoredChange] {
        slots[id.index]?.expirySeconds = seconds
        guard let session = slots[id.index], session.isPersistent else { return [] }
        return [.expiry(session.key, seconds: seconds, departedAt: nil)]
    }

    /// Marks a session as without its client. One that is not persistent ends [MQTT-3.1.2-6].
    ///
    /// - Returns: the changes to store.
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

    /// Ends expired sessions and deletes expired retained messages. To be called from time to time.
    ///
    /// - Returns: the changes to store.
    public mutating func expire() -> [StoredChange] {
        let over = slots.indices.filter { slots[$0]?.expiresAt.map { $0 <= now } ?? false }
        return over.flatMap { end(SessionID(index: $0)) }
            + retained.removeExpired(at: now).map { .unretained(topic: $0) }
    }

    /// Ends a session for good.
    ///
    /// - Returns: the changes to store.
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

    /// Removes a principal for good, with its sessions and retained messages.
    ///
    /// - Returns: the changes to store.
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

    /// Ends the persistent session of `principal` that has been without its client longest, if there are too many; nil
    /// if all have their client.
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
