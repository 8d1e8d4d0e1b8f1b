import NIOCore

/// The delivery, acknowledgement and retaining of messages.
extension Broker {
    /// Offers a message to one receiver; see `MQTTSession.offer`. If the outcome has a sequence number and the session
    /// is persistent, the message has to be stored.
    public mutating func offer(
        to id: SessionID, _ terms: DeliveryTerms, size: Int, isWritable: Bool, message: () -> StoredMessage
    ) -> MQTTSession.Offer {
        let offer = slots[id.index]?.offer(
            terms, size: size, isWritable: isWritable, limits: limits, message: message)
        if offer == .dropped { losses.count(.queueFull) }
        return offer ?? .skipped
    }

    /// Handles the acknowledgement of a message of QoS 1, or the completion or refusal of one of QoS 2.
    ///
    /// - Returns: the change to store.
    public mutating func acknowledge(_ id: SessionID, packetID: UInt16) -> StoredChange? {
        guard let sequence = slots[id.index]?.acknowledge(packetID: packetID),
            let session = slots[id.index], session.isPersistent
        else { return nil }
        return .delivered(session.key, sequence: sequence)
    }

    /// Handles a PUBREC: the client has a message of QoS 2 [MQTT-4.3.3-4]. A PUBREL has to follow once the changes are
    /// stored.
    ///
    /// - Returns: the changes to store; nil if there is no such message.
    public mutating func release(_ id: SessionID, packetID: UInt16) -> [StoredChange]? {
        guard case .release(let sequence, let isNew)? = slots[id.index]?.release(packetID: packetID) else { return nil }
        guard isNew, let session = slots[id.index], session.isPersistent else { return [] }
        return [.released(session.key, sequence: sequence)]
    }

    /// Registers a message of QoS 2 from the client.
    ///
    /// - Returns: the changes to store; nil if the message arrived before and must not be delivered again
    ///   [MQTT-4.3.3-10].
    public mutating func receive(_ id: SessionID, packetID: UInt16) -> [StoredChange]? {
        guard slots[id.index]?.unreleased.insert(packetID).inserted == true, let key = slots[id.index]?.key else {
            return nil
        }
        return slots[id.index]?.isPersistent == true ? [.received(key, packetID: packetID)] : []
    }

    /// Whether a message of QoS 2 with this packet id arrived and was not released by its client.
    public func hasReceived(_ id: SessionID, packetID: UInt16) -> Bool {
        slots[id.index]?.unreleased.contains(packetID) ?? false
    }

    /// Forgets a message of QoS 2 that could not be stored, and so was not acknowledged.
    ///
    /// - Returns: the changes to store.
    public mutating func withdraw(_ key: MQTTSessionKey, packetID: UInt16) -> [StoredChange] {
        guard let id = index[key], slots[id.index]?.unreleased.remove(packetID) != nil else { return [] }
        slots[id.index]?.withdrawn.insert(packetID)
        return slots[id.index]?.isPersistent == true ? [.completed(key, packetID: packetID)] : []
    }

    /// Whether a repeated message of QoS 2, or another with its packet id, was delivered before and then forgotten by
    /// ``withdraw(_:packetID:)``.
    public mutating func takeWithdrawn(_ id: SessionID, packetID: UInt16) -> Bool {
        slots[id.index]?.withdrawn.remove(packetID) != nil
    }

    /// Handles a PUBREL: the client has released a message of QoS 2 [MQTT-4.3.3-11].
    ///
    /// - Returns: the changes to store before the PUBCOMP; nil if there is no such message.
    public mutating func complete(_ id: SessionID, packetID: UInt16) -> [StoredChange]? {
        guard slots[id.index]?.unreleased.remove(packetID) != nil, let key = slots[id.index]?.key else { return nil }
        return slots[id.index]?.isPersistent == true ? [.completed(key, packetID: packetID)] : []
    }

    /// Whether `next` may have a message.
    public func hasBacklog(_ id: SessionID) -> Bool {
        guard let session = slots[id.index] else { return false }
        return !session.isQueueEmpty || !session.replays.isEmpty
    }

    /// The next message to send; nil if there is none, too many are unacknowledged, or the budget is spent. A message
    /// of QoS 1 counts as sent. The caller stores `changes`, checks whether publisher and receiver still have their
    /// permissions, and calls `discard` if not.
    public mutating func next(
        _ id: SessionID, budget: inout WorkBudget
    ) -> (delivery: MQTTSession.Delivery, changes: [StoredChange])? {
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
                let sent = self.replay(message, replay.options, to: id)
                slots[id.index]?.replays.move(to: sent == nil ? .at(topic) : .after(topic))
                return sent
            case .paused(let position): slots[id.index]?.replays.move(to: position)
            case .end: slots[id.index]?.replays.removeFirst()
            }
        }
        return nil
    }

    /// A retained message for a new subscription, unless the window is full.
    private mutating func replay(
        _ message: StoredMessage, _ options: SubscriptionOptions, to id: SessionID
    ) -> (delivery: MQTTSession.Delivery, changes: [StoredChange])? {
        let terms = options.replayTerms(of: message)
        let offer = slots[id.index]?.offer(
            terms, size: message.size, isWritable: true, mayQueue: false, limits: limits
        ) { message }
        guard case .send(let sequence) = offer, let key = slots[id.index]?.key else { return nil }
        let delivery = MQTTSession.Delivery(message: message, sequence: sequence, terms: terms, isDuplicate: false)
        guard let sequence, slots[id.index]?.isPersistent == true else { return (delivery, []) }
        return (delivery, [.queued(key, sequence: sequence, message, terms)])
    }

    /// Discards a message of `next` that was not sent because a permission has ended.
    public mutating func discard(_ id: SessionID, _ delivery: MQTTSession.Delivery) -> StoredChange? {
        guard let packetID = delivery.packetID else { return nil }
        return acknowledge(id, packetID: packetID)
    }

    /// The comparison of a message that a connection publishes retained with the one that is kept of its topic.
    public func repetition(of payload: ByteBuffer, topic: ByteBuffer, by connection: UInt64) -> Repetition {
        retained.repetition(of: payload, topic: topic, by: connection)
    }

    /// The payload that is kept of a topic, if what the host read of it is stored and a connection has not published it itself.
    public func kept(topic: ByteBuffer, before connection: UInt64) -> [UInt8]? {
        retained.kept(topic: topic, before: connection)
    }

    /// Notes that a connection has published the message that is kept of a topic.
    public mutating func note(_ connection: UInt64, topic: ByteBuffer) { retained.note(connection, topic: topic) }

    /// Notes that what the host read of a topic's message is stored, unless another message has taken its place.
    public mutating func committed(_ reading: RetainedReading, topic: ByteBuffer) {
        retained.committed(reading, topic: topic)
    }

    /// Retains a message in place of the topic's last one; an empty payload deletes it [MQTT-3.3.1-5], [MQTT-3.3.1-10].
    ///
    /// - Parameter reading: the host's reading of it, which the next commit stores; nil if it has read nothing.
    /// - Returns: the change to store; nil if a limit, in total or of the publisher, forbids it.
    public mutating func retain(
        _ message: StoredMessage, topic: TopicName, reading: RetainedReading? = nil
    ) -> StoredChange? {
        let isOldStored = retained.publisher(of: topic).map { $0 != .hub } ?? false
        guard !message.payload.isEmpty else {
            return retained.remove(topic) && isOldStored ? .unretained(topic: message.topic) : nil
        }
        guard retained.insert(message, topic: topic, limits: limits) else {
            losses.count(.retainedFull)
            return nil
        }
        if let reading { retained.take(reading, topic: topic.bytes) }
        // What the hub itself retains it says anew when it starts: a disk need not be written to for it.
        if message.publisher == .hub { return isOldStored ? .unretained(topic: message.topic) : nil }
        return .retained(message, isRead: reading == nil ? nil : true)
    }

    /// Queues retained messages of QoS 1 that the client was not sent before it left. Those that fit into one turn are
    /// queued and so stored; for the rest the position is remembered.
    mutating func queueReplays(_ id: SessionID) -> [StoredChange] {
        var changes: [StoredChange] = []
        var budget = WorkBudget(limits: limits)
        slots[id.index]?.replays.keepAcknowledged()
        while !budget.isSpent, let session = slots[id.index], let replay = session.replays.first {
            switch retained.next(under: replay.filter, from: replay.position, budget: &budget) {
            case .found(let message, let topic):
                slots[id.index]?.replays.move(to: .after(topic))
                guard message.qualityOfService != .atMostOnce else { continue }
                let terms = replay.options.replayTerms(of: message)
                let offer = slots[id.index]?.offer(terms, size: message.size, isWritable: false, limits: limits) {
                    message
                }
                guard case .queued(let sequence?) = offer else {
                    slots[id.index]?.replays.move(to: .at(topic))
                    return changes
                }
                changes.append(.queued(session.key, sequence: sequence, message, terms))
            case .paused(let position): slots[id.index]?.replays.move(to: position)
            case .end: slots[id.index]?.replays.removeFirst()
            }
        }
        return changes
    }
}

extension SubscriptionOptions {
    /// The terms for sending a retained message to the subscription: with RETAIN [MQTT-3.3.1-8].
    fileprivate func replayTerms(of message: StoredMessage) -> DeliveryTerms {
        DeliveryTerms(
            qualityOfService: min(qualityOfService, message.qualityOfService), retain: true,
            identifiers: identifier.map { [$0] } ?? [])
    }
}
