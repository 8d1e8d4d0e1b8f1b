import Logging
import MQTT
import NIOCore

/// How a message goes from who publishes it to who has subscribed.
extension BrokerServer {
    /// The checked topic of these bytes.
    func route(_ topic: ByteBuffer) throws(ProtocolViolation) -> TopicRoute {
        if let route = routes[topic] { return route }
        let route = try TopicRoute(topic, limits: limits)
        // The table is a shortcut, so it may be begun again, and long topics do without it.
        if routes.count >= 10_000 { routes.removeAll(keepingCapacity: true) }
        if topic.readableBytes <= 256 { routes[route.topic.bytes] = route }
        return route
    }

    /// Retains the message if asked to, and hands it to whoever subscribed to it.
    ///
    /// - Parameter budget: is charged with it.
    func relay(
        _ publish: Publish, retain: Bool, _ route: TopicRoute, from publisher: Principal, budget: inout WorkBudget
    ) {
        if route.generation != broker.generation { refresh(route, budget: &budget) }
        budget.spend(
            WorkBudget.Cost.publish(bytes: publish.payload.readableBytes, receivers: route.receivers.count))
        guard retain || !route.receivers.isEmpty else { return }
        var copy: StoredMessage?
        func stored() -> StoredMessage {
            if let copy { return copy }
            let made = StoredMessage(
                topic: route.text, payload: Array(buffer: publish.payload),
                qualityOfService: publish.qualityOfService, publisher: publisher)
            copy = made
            return made
        }
        if retain {
            budget.spend(WorkBudget.Cost.retained)
            if let change = broker.retain(stored(), topic: route.topic) { record(change) }
        }
        let size = publish.topic.readableBytes + publish.payload.readableBytes
        for receiver in route.receivers {
            let client = connection(of: receiver.session)
            let offer = broker.offer(
                to: receiver.session, min(receiver.qualityOfService, publish.qualityOfService), size: size,
                isWritable: client?.isWritable ?? false, message: stored)
            let sequence: UInt64?
            switch offer {
            case .send(let number):
                sequence = number
                client?.send(
                    Publish(
                        topic: route.topic.bytes, payload: publish.payload,
                        packetID: number.map(MQTTSession.packetID(for:))
                    ))
            case .queued(let number): sequence = number
            case .dropped, .skipped: sequence = nil
            }
            if let sequence, let key = receiver.stored { record(.queued(key, sequence: sequence, stored())) }
        }
    }

    private func refresh(_ route: TopicRoute, budget: inout WorkBudget) {
        route.generation = broker.generation
        route.receivers = broker.routes(for: route.topic, budget: &budget).compactMap { found in
            guard let session = broker.session(found.session),
                host.allows(session.key.principal, .receive, topic: route.text)
            else { return nil }
            return TopicRoute.Receiver(
                session: found.session, qualityOfService: found.qualityOfService,
                stored: session.isPersistent ? session.key : nil)
        }
    }

    /// Sends what waits in the connection's session, as far as the client keeps up and its turn goes.
    func pump(_ connection: Connection<Host>) {
        guard let id = connection.session, broker.hasBacklog(id), let receiver = connection.principal else { return }
        connection.renewBudget()
        while connection.isWritable, let (delivery, changes) = broker.next(id, budget: &connection.budget) {
            changes.forEach(record)
            let message = delivery.message
            if host.allows(message.publisher, .publish, topic: message.topic),
                host.allows(receiver, .receive, topic: message.topic)
            {
                connection.send(
                    Publish(
                        message, packetID: delivery.packetID, retain: delivery.retain,
                        isDuplicate: delivery.isDuplicate))
            } else if let change = broker.discard(id, delivery) {
                record(change)
            }
            connection.endOverdueTurn()
        }
        if connection.budget.isSpent, broker.hasBacklog(id) { connection.waitForTurn() }
    }

    /// Publishes a will, if its owner still may, as if the owner had [MQTT-3.1.2-8].
    func publish(_ will: Will, of principal: Principal, through handler: Host.Handler) {
        guard let route = try? route(will.topic.bytes) else { return }
        let payload = ByteBuffer(bytes: will.payload)
        guard host.allows(principal, .publish, topic: route.text),
            case .taken(let relay) = handler.receive(topic: route.topic.bytes, payload: payload, retain: will.retain)
        else {
            return logger.info(
                "A will was dropped, since its owner may not publish it",
                metadata: ["topic": "\(printable(route.text))"])
        }
        hasUncommitted = true
        guard relay else { return }
        let publish = Publish(
            topic: route.topic.bytes, payload: payload, packetID: will.qualityOfService == .atMostOnce ? nil : 1)
        var budget = WorkBudget(limits: limits)
        self.relay(publish, retain: will.retain, route, from: principal, budget: &budget)
    }
}

extension BrokerServer: MessageOutlet {
    func publish(topic: String, payload: ByteBuffer, qualityOfService: QualityOfService, retain: Bool) {
        beginTurn()
        defer { endTurn() }
        do throws(ProtocolViolation) {
            let route = try self.route(ByteBuffer(string: topic))
            let publish = Publish(
                topic: route.topic.bytes, payload: payload, packetID: qualityOfService == .atMostOnce ? nil : 1)
            var budget = WorkBudget(limits: limits)
            relay(publish, retain: retain, route, from: .hub, budget: &budget)
        } catch {
            logger.error("The hub published to an invalid topic: \(error)", metadata: ["topic": "\(printable(topic))"])
        }
    }

    var statistics: ListenerStatistics {
        var statistics = ListenerStatistics()
        statistics.connections = connectionCount
        statistics.sessions = broker.sessionCount
        statistics.dropped = broker.dropped
        statistics.received = received
        statistics.sent = sent
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
