import Logging
import MQTT
import NIOCore

/// The delivery of messages from publishers to subscribers.
extension BrokerServer {
    /// The route of a topic, which is checked first.
    func route(_ topic: ByteBuffer) throws(ProtocolViolation) -> TopicRoute {
        if let route = routes[topic] { return route }
        let route = try TopicRoute(topic, limits: limits)
        routes.insert(route)
        return route
    }

    /// Retains the message if asked to, and delivers it to its subscribers.
    ///
    /// - Parameters:
    ///   - reading: the delegate's reading of a message that is retained, which the next commit stores.
    ///   - session: the publisher's session, whose subscriptions may exclude its own messages.
    ///   - budget: the budget that is charged.
    func relay(
        _ publish: Publish, retain: Bool, reading: RetainedReading? = nil, _ route: TopicRoute,
        from publisher: Principal, session: Broker.SessionID? = nil, budget: inout WorkBudget
    ) {
        if route.generation != broker.generation { refresh(route, budget: &budget) }
        budget.spend(
            WorkBudget.Cost.publish(
                bytes: publish.payload.readableBytes, receivers: route.receivers.count + route.shares.count))
        guard retain || !route.receivers.isEmpty || !route.shares.isEmpty else { return }
        var message = RelayedMessage(publish, retain: retain, topic: route.text, publisher: publisher, now: broker.now)
        if retain {
            budget.spend(WorkBudget.Cost.retained)
            if let change = broker.retain(message.stored, topic: route.topic, reading: reading) { record(change) }
        }
        for receiver in route.receivers {
            let terms = receiver.session == session ? receiver.route.ownTerms : receiver.route.terms
            if let terms { deliver(&message, route, to: receiver, terms) }
            writeEarly()
        }
        for index in route.shares.indices {
            guard let receiver = nextMember(of: &route.shares[index]) else { continue }
            deliver(&message, route, to: receiver, receiver.route.terms)
        }
    }

    /// Delivers a message to one receiver. A message of QoS 2 for a session that outlives the hub is sent only after it
    /// is stored with its packet id: if it were sent before and the hub stopped, that id would be given to another
    /// message, which the receiver would take for the same [MQTT-4.3.3-10].
    private func deliver(
        _ message: inout RelayedMessage, _ route: TopicRoute, to receiver: TopicRoute.Receiver,
        _ subscription: Broker.SubscriptionTerms
    ) {
        let publish = message.publish
        let client = connection(of: receiver.session)
        let terms = subscription.delivery(of: publish.qualityOfService, retain: message.retain)
        let offer = broker.offer(
            to: receiver.session, terms, size: message.size, isWritable: client?.isWritable ?? false
        ) { message.stored }
        let sequence: UInt64?
        switch offer {
        case .send(let number):
            sequence = number
            let isSent = client?.send(
                Publish(
                    topic: route.topic.bytes, payload: publish.payload,
                    packetID: number.map(MQTTSession.packetID(for:)), qualityOfService: terms.qualityOfService,
                    retain: terms.retain, properties: message.properties(for: terms)),
                afterCommit: receiver.stored != nil && terms.qualityOfService == .exactlyOnce)
            // Longer than the client takes: as if it had been delivered [MQTT-3.1.2-25].
            if isSent == false { counted.losses.count(.receiverLimit) }
            if isSent == false, let number {
                _ = broker.acknowledge(receiver.session, packetID: MQTTSession.packetID(for: number))
                return
            }
        case .queued(let number): sequence = number
        case .dropped, .skipped: sequence = nil
        }
        if let sequence, let key = receiver.stored {
            record(.queued(key, sequence: sequence, message.stored, terms))
        }
    }

    /// The member of a shared subscription whose turn it is: first among those that are connected and writable, then
    /// among those that are connected, then among all, for whom the message may wait.
    private func nextMember(of share: inout TopicRoute.Share) -> TopicRoute.Receiver? {
        let order = share.members.indices.map { share.members[(share.next + $0) % share.members.count] }
        share.next = share.members.isEmpty ? 0 : (share.next + 1) % share.members.count
        return order.first { connection(of: $0.session)?.isWritable == true }
            ?? order.first { connection(of: $0.session) != nil } ?? order.first
    }

    private func refresh(_ route: TopicRoute, budget: inout WorkBudget) {
        route.generation = broker.generation
        let before = route.receiverCount
        let (found, shares) = broker.receivers(of: route.topic, budget: &budget)
        func permitted(_ found: Broker.Route) -> TopicRoute.Receiver? {
            guard let session = broker.session(found.session),
                delegate.allows(session.key.principal, .receive, topic: route.text)
            else { return nil }
            return TopicRoute.Receiver(route: found, stored: session.isPersistent ? session.key : nil)
        }
        // In the order in which their sessions were made: who was there first is sent it first, and memory is gone through from one
        // end to the other.
        route.receivers = found.compactMap(permitted).sorted { $0.session.index < $1.session.index }
        route.shares = shares.map { TopicRoute.Share(members: $0.members.compactMap(permitted)) }
            .filter { !$0.members.isEmpty }
        routes.changed(route, from: before)
    }

    /// Sends what waits in the connection's session, as far as the client keeps up and its turn allows.
    func pump(_ connection: Connection<Delegate>) {
        guard let id = connection.session, broker.hasBacklog(id), let receiver = connection.principal else { return }
        connection.renewTurn()
        while connection.isWritable, let (delivery, changes) = broker.next(id, budget: &connection.turn.work) {
            changes.forEach(record)
            if delivery.isReleased {
                connection.sendRelease(delivery)
            } else if let loss = deliver(delivery, to: receiver, on: connection) {
                counted.losses.count(loss)
                if let change = broker.discard(id, delivery) { record(change) }
            }
            connection.turn.endIfOverdue()
        }
        if connection.turn.work.isSpent, broker.hasBacklog(id) { connection.waitForTurn() }
    }

    /// Sends a message that waited, unless it has expired or a permission has ended; then returns the reason.
    private func deliver(
        _ delivery: MQTTSession.Delivery, to receiver: Principal, on connection: Connection<Delegate>
    ) -> Loss? {
        let message = delivery.message
        if message.isExpired(at: broker.now) { return .expired }
        guard delegate.allows(message.publisher, .publish, topic: message.topic),
            delegate.allows(receiver, .receive, topic: message.topic)
        else { return .rightEnded }
        let isSent = connection.send(
            Publish(delivery, now: broker.now),
            afterCommit: delivery.terms.qualityOfService == .exactlyOnce && connection.hasStoredSession)
        return isSent ? nil : .receiverLimit
    }

    /// Publishes a will as if its owner had sent it, if it still may [MQTT-3.1.2-8].
    func publish(_ will: Will, of principal: Principal, through handler: Delegate.Handler) {
        guard let route = try? route(will.topic.bytes) else { return }
        let payload = ByteBuffer(bytes: will.payload)
        guard delegate.allows(principal, .publish, topic: route.text),
            case .taken(let relay, let stores) = handler.receive(
                topic: route.topic.bytes, payload: payload, retain: will.retain, repetition: .none)
        else {
            counted.losses.count(.rightEnded)
            return logger.info(
                "A will was dropped, since its owner may not publish it",
                metadata: ["topic": "\(printable(route.text))"])
        }
        hasUncommitted = true
        guard relay else { return }
        let publish = Publish(
            topic: route.topic.bytes, payload: payload, qualityOfService: will.qualityOfService,
            properties: will.properties)
        var budget = WorkBudget(limits: limits)
        guard will.retain, stores else {
            return self.relay(publish, retain: will.retain, route, from: principal, budget: &budget)
        }
        lastWill += 1
        // Of no connection: they are numbered from 1.
        let reading = RetainedReading(connection: 0, number: lastWill)
        self.relay(publish, retain: true, reading: reading, route, from: principal, budget: &budget)
        delegate.commit(for: CommitWaiter { self.broker.committed(reading, topic: route.topic.bytes) })
    }
}

extension BrokerServer: MessageOutlet {
    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool) {
        beginTurn()
        defer { endTurn() }
        do throws(ProtocolViolation) {
            let route = try self.route(ByteBuffer(string: topic))
            let publish = Publish(topic: route.topic.bytes, payload: payload, qualityOfService: qualityOfService)
            var budget = WorkBudget(limits: limits)
            relay(publish, retain: retain, route, from: .hub, budget: &budget)
        } catch {
            logger.error("The hub published to an invalid topic: \(error)", metadata: ["topic": "\(printable(topic))"])
        }
    }

    var statistics: ListenerStatistics {
        var statistics = counted
        statistics.connections = connectionCount
        statistics.halfOpen = halfOpenCount
        broker.report(into: &statistics)
        return statistics
    }

    func disconnect(_ principal: Principal) {
        beginTurn()
        broker.invalidateRoutes()
        for connection in all.values where connection.principal == principal { connection.close() }
        endTurn()
    }

    func remove(_ principal: Principal) {
        beginTurn()
        disconnect(principal)
        broker.remove(principal).forEach(record)
        endTurn()
    }
}
