import NIOCore

/// The subscriptions to topic filters (MQTT, section 3.8).
extension Broker {
    /// The subscriptions filed under one filter.
    struct Subscribers: Sendable {
        var sessions: [SessionID: SubscriptionOptions] = [:]
        /// The members of each shared subscription, by group, in the order in which they subscribed.
        var groups: [ByteBuffer: [(session: SessionID, options: SubscriptionOptions)]] = [:]

        var isEmpty: Bool { sessions.isEmpty && groups.isEmpty }
        var count: Int { groups.values.reduce(sessions.count) { $0 + $1.count } }
    }

    /// One receiver of a topic.
    public struct Route: Sendable, Equatable {
        /// The session that receives.
        public var session: SessionID
        /// The combined terms of all matching subscriptions: the highest quality of service [MQTT-3.3.4-2], all
        /// identifiers, and whether one of them wants RETAIN as published.
        public var terms: SubscriptionTerms
        /// The combined terms without subscriptions that exclude the session's own messages; nil if there is no other.
        public var ownTerms: SubscriptionTerms?
    }

    /// The combined terms of a session's subscriptions that match a topic.
    public struct SubscriptionTerms: Sendable, Equatable {
        /// The highest quality of service that was granted.
        public var qualityOfService: QualityOfService
        /// Whether messages keep the RETAIN flag with which they were published.
        public var retainAsPublished: Bool
        /// The identifiers of the subscriptions.
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

        /// The terms for sending one message.
        public func delivery(of quality: QualityOfService, retain: Bool) -> DeliveryTerms {
            DeliveryTerms(
                qualityOfService: min(quality, qualityOfService), retain: retain && retainAsPublished,
                identifiers: identifiers)
        }
    }

    /// The members of one shared subscription, one of which receives each message.
    public struct Share: Sendable, Equatable {
        /// The members, in the order in which they subscribed.
        public var members: [Route]
    }

    /// Adds a subscription, or replaces the one with the same filter [MQTT-3.8.4-3], and schedules the retained
    /// messages that it matches. The caller checks the permission.
    ///
    /// - Returns: the changes to store, none if the session is not persistent or has the same subscription already; nil
    ///   if a limit forbids it.
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
    /// - Returns: the changes to store; nil if there was no such subscription, which is not an error [MQTT-3.10.4-5].
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

    /// The receivers of a topic, each session once, without shared subscriptions.
    public func routes(for topic: TopicName) -> [Route] {
        var budget = WorkBudget(limits: limits)
        return receivers(of: topic, budget: &budget).routes
    }

    /// The receivers of a topic: each session once, and the members of each shared subscription. The budget is charged
    /// for the filters that were examined.
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

    /// Invalidates all answers of `routes` that callers have cached.
    public mutating func invalidateRoutes() { generation += 1 }
}
