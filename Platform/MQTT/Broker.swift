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
    public private(set) var generation: UInt64 = 0
    /// Messages that were lost to the limits of a session, or of the retained messages.
    public private(set) var dropped = 0

    var slots: [Session?] = []
    var free: [Int] = []
    var index: [SessionKey: SessionID] = [:]
    private var subscriptions = TopicTree<[SessionID: QualityOfService]>()
    var retained = RetainedMessages()
    private var departures: UInt64 = 0
    private var holdings: [Principal: Holding] = [:]

    /// What the sessions of one principal hold together.
    private struct Holding {
        var persistent: Set<SessionID> = []
        var subscriptions = 0
        var isEmpty: Bool { persistent.isEmpty && subscriptions == 0 }
    }

    public init(limits: Limits) { self.limits = limits }

    // MARK: Sessions

    public var sessionCount: Int { index.count }

    public func session(_ id: SessionID) -> Session? { slots[id.index] }

    /// The session of this key that has a client now, which a further CONNECT takes over [MQTT-3.1.4-2]: the old
    /// connection is to be closed first.
    public func connected(_ key: SessionKey) -> SessionID? {
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
    public mutating func open(_ key: SessionKey, isPersistent: Bool) -> Opened? {
        var changes: [StoredChange] = []
        if let id = index[key] {
            // A live holder is impossible by contract; were there one, its session would simply change hands.
            if isPersistent, slots[id.index]?.isPersistent == true {
                slots[id.index]?.isConnected = true
                // Who receives what was worked out while its owner may have been unknown to the house.
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
        let id = insert(Session(key: key, isPersistent: isPersistent))
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

    mutating func insert(_ session: Session) -> SessionID {
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

    private mutating func hold(_ principal: Principal, _ change: (inout Holding) -> Void) {
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

    // MARK: Subscriptions

    /// Adds a subscription, or replaces the one with the same filter [MQTT-3.8.4-3], and lines up the retained messages
    /// that it matches. Whether the client may is the caller's question.
    ///
    /// - Returns: nil where a limit forbids it, else what is to be stored: nothing for a session that is not persistent,
    ///   or that holds the same already.
    public mutating func subscribe(
        _ id: SessionID, to filter: TopicFilter, _ qualityOfService: QualityOfService
    ) -> [StoredChange]? {
        // Its parts, for a copy of the session would make each change copy all of its subscriptions.
        guard let key = slots[id.index]?.key, let isPersistent = slots[id.index]?.isPersistent,
            filter.bytes.readableBytes <= limits.topicBytes, filter.levelCount <= limits.topicLevels
        else { return nil }
        let held = slots[id.index]?.subscriptions[filter]
        guard held != nil || hasRoomForSubscription(id, of: key.principal) else { return nil }
        slots[id.index]?.replays.append(filter, qualityOfService)
        if held == qualityOfService { return [] }
        add(id, filter, qualityOfService)
        return isPersistent ? [.subscribed(key, filter: filter.description, qualityOfService)] : []
    }

    private func hasRoomForSubscription(_ id: SessionID, of principal: Principal) -> Bool {
        slots[id.index]?.subscriptions.count ?? 0 < limits.subscriptionsPerSession
            && holdings[principal]?.subscriptions ?? 0 < limits.subscriptionsPerPrincipal
    }

    /// Ends a subscription. One that does not exist is no error [MQTT-3.10.4-5].
    public mutating func unsubscribe(_ id: SessionID, from filter: TopicFilter) -> [StoredChange] {
        guard let key = slots[id.index]?.key, let isPersistent = slots[id.index]?.isPersistent,
            slots[id.index]?.subscriptions.removeValue(forKey: filter) != nil
        else { return [] }
        slots[id.index]?.replays.remove(filter)
        hold(key.principal) { $0.subscriptions -= 1 }
        drop(id, filter)
        generation += 1
        return isPersistent ? [.unsubscribed(key, filter: filter.description)] : []
    }

    mutating func add(_ id: SessionID, _ filter: TopicFilter, _ qualityOfService: QualityOfService) {
        guard let principal = slots[id.index]?.key.principal else { return }
        let old = slots[id.index]?.subscriptions.updateValue(qualityOfService, forKey: filter)
        if old == nil { hold(principal) { $0.subscriptions += 1 } }
        subscriptions.update(filter.bytes) {
            if $0 == nil { $0 = [id: qualityOfService] } else { $0?[id] = qualityOfService }
        }
        generation += 1
    }

    private mutating func drop(_ id: SessionID, _ filter: TopicFilter) {
        subscriptions.update(filter.bytes) {
            $0?[id] = nil
            if $0?.isEmpty == true { $0 = nil }
        }
    }

    /// Who receives what is published to `topic`, each session once.
    public func routes(for topic: TopicName) -> [Route] {
        var budget = WorkBudget(limits: limits)
        return routes(for: topic, budget: &budget)
    }

    /// As `routes(for:)`, charged with the filters that were looked at for it.
    public func routes(for topic: TopicName, budget: inout WorkBudget) -> [Route] {
        let (matching, nodes) = subscriptions.elements(matching: topic.bytes)
        budget.spend(nodes / 4 + matching.reduce(0) { $0 + $1.count })
        guard !matching.isEmpty else { return [] }
        var best: [SessionID: QualityOfService] = [:]
        for subscribers in matching { best.merge(subscribers) { max($0, $1) } }
        return best.map { Route(session: $0.key, qualityOfService: $0.value) }
    }

    /// Forgets every answer of `routes` that callers keep.
    public mutating func invalidateRoutes() { generation += 1 }

    // MARK: Messages

    /// Hands a message to one receiver; see `Session.offer`. Where the outcome has a sequence number and the session is
    /// persistent, the message is to be stored.
    public mutating func offer(
        to id: SessionID, _ qualityOfService: QualityOfService, size: Int, isWritable: Bool,
        message: () -> StoredMessage
    ) -> Session.Offer {
        let offer = slots[id.index]?.offer(
            qualityOfService, size: size, isWritable: isWritable, limits: limits, message: message)
        if offer == .dropped { dropped += 1 }
        return offer ?? .skipped
    }

    /// The client has acknowledged. Returns what is to be stored.
    public mutating func acknowledge(_ id: SessionID, packetID: UInt16) -> StoredChange? {
        guard let sequence = slots[id.index]?.acknowledge(packetID: packetID),
            let session = slots[id.index], session.isPersistent
        else { return nil }
        return .delivered(session.key, sequence: sequence)
    }

    /// Whether `next` may have something.
    public func hasBacklog(_ id: SessionID) -> Bool {
        guard let session = slots[id.index] else { return false }
        return !session.isQueueEmpty || !session.replays.isEmpty
    }

    /// The next message to send, nil while there is none, too many are unacknowledged, or the budget is spent. One of
    /// QoS 1 counts as sent. `changes` is to be stored. The caller asks whether publisher and receiver still may, and
    /// calls `discard` if not.
    public mutating func next(
        _ id: SessionID, budget: inout WorkBudget
    ) -> (delivery: Session.Delivery, changes: [StoredChange])? {
        guard !budget.isSpent else { return nil }
        if let delivery = slots[id.index]?.next(limits: limits) {
            budget.spend(WorkBudget.Cost.delivery)
            return (delivery, [])
        }
        guard slots[id.index]?.isQueueEmpty == true else { return nil }
        while !budget.isSpent, let replay = slots[id.index]?.replays.first {
            switch retained.next(under: replay.filter, from: replay.position, budget: &budget) {
            case .found(let message, let topic):
                budget.spend(WorkBudget.Cost.delivery)
                let sent = self.replay(message, replay.granted, to: id)
                slots[id.index]?.replays.move(to: sent == nil ? .at(topic) : .after(topic))
                return sent
            case .paused(let position): slots[id.index]?.replays.move(to: position)
            case .end: slots[id.index]?.replays.removeFirst()
            }
        }
        return nil
    }

    /// A retained message, unless the window is full.
    private mutating func replay(
        _ message: StoredMessage, _ granted: QualityOfService, to id: SessionID
    ) -> (delivery: Session.Delivery, changes: [StoredChange])? {
        let offer = slots[id.index]?.offer(
            min(granted, message.qualityOfService), size: 0, isWritable: true, retain: true, mayQueue: false,
            limits: limits
        ) { message }
        guard case .send(let sequence) = offer, let key = slots[id.index]?.key else { return nil }
        let delivery = Session.Delivery(message: message, sequence: sequence, retain: true, isDuplicate: false)
        guard let sequence, slots[id.index]?.isPersistent == true else { return (delivery, []) }
        return (delivery, [.queued(key, sequence: sequence, message)])
    }

    /// A message from `next` was not sent, since somebody's right has ended.
    public mutating func discard(_ id: SessionID, _ delivery: Session.Delivery) -> StoredChange? {
        guard let packetID = delivery.packetID else { return nil }
        return acknowledge(id, packetID: packetID)
    }

    /// Keeps the message as the last of its topic, in place of the one before; an empty payload removes that
    /// [MQTT-3.3.1-5], [MQTT-3.3.1-10]. Returns what is to be stored: nothing where a limit, of all or of the publisher,
    /// forbids it.
    public mutating func retain(_ message: StoredMessage, topic: TopicName) -> StoredChange? {
        guard !message.payload.isEmpty else {
            return retained.remove(topic) ? .unretained(topic: message.topic) : nil
        }
        guard retained.insert(message, topic: topic, limits: limits) else {
            dropped += 1
            return nil
        }
        return .retained(message)
    }

    /// The client left before it was sent all that its subscriptions owe it: of QoS 1, that waits for its return. What
    /// one turn can find is queued, and so stored; how far the rest has come is remembered.
    private mutating func queueReplays(_ id: SessionID) -> [StoredChange] {
        var changes: [StoredChange] = []
        var budget = WorkBudget(limits: limits)
        slots[id.index]?.replays.keepAcknowledged()
        while !budget.isSpent, let session = slots[id.index], let replay = session.replays.first {
            switch retained.next(under: replay.filter, from: replay.position, budget: &budget) {
            case .found(let message, let topic):
                slots[id.index]?.replays.move(to: .after(topic))
                guard message.qualityOfService != .atMostOnce else { continue }
                let offer = slots[id.index]?.offer(
                    .atLeastOnce, size: message.size, isWritable: false, retain: true, limits: limits
                ) { message }
                guard case .queued(let sequence?) = offer else {
                    slots[id.index]?.replays.move(to: .at(topic))
                    return changes
                }
                changes.append(.queued(session.key, sequence: sequence, message))
            case .paused(let position): slots[id.index]?.replays.move(to: position)
            case .end: slots[id.index]?.replays.removeFirst()
            }
        }
        return changes
    }
}
