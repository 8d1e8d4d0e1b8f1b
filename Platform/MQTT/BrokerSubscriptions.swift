import NIOCore

/// Who has subscribed to what, section 3.8.
extension Broker {
    /// The subscriptions filed under one filter.
    struct Subscribers: Sendable {
        var sessions: [SessionID: SubscriptionOptions] = [:]
        /// Those that share one, by the name of their group, in the order in which they came.
        var groups: [ByteBuffer: [(session: SessionID, options: SubscriptionOptions)]] = [:]

        var isEmpty: Bool { sessions.isEmpty && groups.isEmpty }
        var count: Int { groups.values.reduce(sessions.count) { $0 + $1.count } }
    }

    /// One receiver of a topic.
    public struct Route: Sendable, Equatable {
        public var session: SessionID
        /// Of all its subscriptions that match: the highest quality of service granted [MQTT-3.3.4-2], all identifiers, and
        /// whether one of them wants RETAIN as it was published.
        public var terms: SubscriptionTerms
        /// The same without those that leave out the session's own messages; nil where that leaves none.
        public var ownTerms: SubscriptionTerms?
    }

    /// What several subscriptions of one session come to for one topic.
    public struct SubscriptionTerms: Sendable, Equatable {
        public var qualityOfService: QualityOfService
        public var retainAsPublished: Bool
        public var identifiers: [UInt32]

        init(_ options: SubscriptionOptions) {
            qualityOfService = options.qualityOfService
            retainAsPublished = options.retainAsPublished
            identifiers = options.identifier.map { [$0] } ?? []
        }

        mutating func add(_ options: SubscriptionOptions) {
            qualityOfService = max(qualityOfService, options.qualityOfService)
            retainAsPublished = retainAsPublished || options.retainAsPublished
            if let identifier = options.identifier { identifiers.append(identifier) }
        }

        /// How a message is sent for them.
        public func delivery(of quality: QualityOfService, retain: Bool) -> DeliveryTerms {
            DeliveryTerms(
                qualityOfService: min(quality, qualityOfService), retain: retain && retainAsPublished,
                identifiers: identifiers)
        }
    }

    /// The members of one shared subscription, of which one receives each message.
    public struct Share: Sendable, Equatable {
        public var members: [Route]
    }

    /// Adds a subscription, or replaces the one with the same filter [MQTT-3.8.4-3], and lines up the retained messages
    /// that it matches. Whether the client may is the caller's question.
    ///
    /// - Returns: nil where a limit forbids it, else what is to be stored: nothing for a session that is not persistent,
    ///   or that holds the same already.
    public mutating func subscribe(
        _ id: SessionID, to filter: TopicFilter, _ options: SubscriptionOptions
    ) -> [StoredChange]? {
        // Its parts, for a copy of the session would make each change copy all of its subscriptions.
        guard let key = slots[id.index]?.key, let isPersistent = slots[id.index]?.isPersistent,
            filter.bytes.readableBytes <= limits.topicBytes, filter.levelCount <= limits.topicLevels
        else { return nil }
        let held = slots[id.index]?.subscriptions[filter]
        guard held != nil || hasRoomForSubscription(id, of: key.principal) else { return nil }
        // A shared subscription is sent none, MQTT 5.0, section 4.8.2.
        if !filter.isShared, options.retainHandling == .send || options.retainHandling == .sendIfNew && held == nil {
            slots[id.index]?.replays.append(filter, options)
        }
        if held == options { return [] }
        add(id, filter, options)
        return isPersistent ? [.subscribed(key, filter: filter.description, options)] : []
    }

    private func hasRoomForSubscription(_ id: SessionID, of principal: Principal) -> Bool {
        slots[id.index]?.subscriptions.count ?? 0 < limits.subscriptionsPerSession
            && holdings[principal]?.subscriptions ?? 0 < limits.subscriptionsPerPrincipal
    }

    /// Ends a subscription.
    ///
    /// - Returns: what is to be stored; nil where there was none, which is no error [MQTT-3.10.4-5].
    public mutating func unsubscribe(_ id: SessionID, from filter: TopicFilter) -> [StoredChange]? {
        guard let key = slots[id.index]?.key, let isPersistent = slots[id.index]?.isPersistent,
            slots[id.index]?.subscriptions.removeValue(forKey: filter) != nil
        else { return nil }
        slots[id.index]?.replays.remove(filter)
        hold(key.principal) { $0.subscriptions -= 1 }
        drop(id, filter)
        generation += 1
        return isPersistent ? [.unsubscribed(key, filter: filter.description)] : []
    }

    mutating func add(_ id: SessionID, _ filter: TopicFilter, _ options: SubscriptionOptions) {
        guard let principal = slots[id.index]?.key.principal else { return }
        let old = slots[id.index]?.subscriptions.updateValue(options, forKey: filter)
        if old == nil { hold(principal) { $0.subscriptions += 1 } }
        subscriptions.update(filter.matched) { subscribers in
            if subscribers == nil { subscribers = Subscribers() }
            guard let group = filter.group.map({ ByteBuffer(bytes: $0.readableBytesView) }) else {
                subscribers?.sessions[id] = options
                return
            }
            var members = subscribers?.groups[group] ?? []
            if let index = members.firstIndex(where: { $0.session == id }) {
                members[index].options = options
            } else {
                members.append((id, options))
            }
            subscribers?.groups[group] = members
        }
        generation += 1
    }

    mutating func drop(_ id: SessionID, _ filter: TopicFilter) {
        subscriptions.update(filter.matched) { subscribers in
            if let group = filter.group {
                subscribers?.groups[group]?.removeAll { $0.session == id }
                if subscribers?.groups[group]?.isEmpty == true { subscribers?.groups[group] = nil }
            } else {
                subscribers?.sessions[id] = nil
            }
            if subscribers?.isEmpty == true { subscribers = nil }
        }
    }

    /// Who receives what is published to `topic`, each session once; those that share a subscription aside.
    public func routes(for topic: TopicName) -> [Route] {
        var budget = WorkBudget(limits: limits)
        return receivers(of: topic, budget: &budget).routes
    }

    /// Who receives what is published to `topic`: each session once, and the members of each shared subscription. Charged
    /// with the filters that were looked at for it.
    public func receivers(of topic: TopicName, budget: inout WorkBudget) -> (routes: [Route], shares: [Share]) {
        let (matching, nodes) = subscriptions.elements(matching: topic.bytes)
        budget.spend(nodes / 4 + matching.reduce(0) { $0 + $1.count })
        guard !matching.isEmpty else { return ([], []) }
        var routes: [SessionID: Route] = [:]
        var shares: [Share] = []
        for subscribers in matching {
            for (session, options) in subscribers.sessions {
                let own = options.noLocal ? nil : SubscriptionTerms(options)
                guard var route = routes[session] else {
                    routes[session] = Route(session: session, terms: SubscriptionTerms(options), ownTerms: own)
                    continue
                }
                route.terms.add(options)
                if !options.noLocal {
                    if route.ownTerms == nil { route.ownTerms = own } else { route.ownTerms?.add(options) }
                }
                routes[session] = route
            }
            for members in subscribers.groups.values {
                shares.append(
                    Share(
                        members: members.map {
                            let terms = SubscriptionTerms($0.options)
                            return Route(session: $0.session, terms: terms, ownTerms: terms)
                        }))
            }
        }
        return (Array(routes.values), shares)
    }

    /// Forgets every answer of `routes` that callers keep.
    public mutating func invalidateRoutes() { generation += 1 }
}
