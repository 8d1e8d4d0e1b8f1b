/// Who has subscribed to what, section 3.8.
extension Broker {
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

    mutating func drop(_ id: SessionID, _ filter: TopicFilter) {
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
}
