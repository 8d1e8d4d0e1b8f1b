import Logging
import MQTT
import NIOCore

/// What follows from the packets of a client.
extension Connection {
    func perform(_ action: ConnectionMachine.Action) throws(ProtocolViolation) {
        budget.spend(WorkBudget.Cost.packet)
        switch action {
        case .publish(let publish): try take(publish)
        case .acknowledged(let packetID): acknowledged(packetID)
        case .pong: response { Packet.pingresp.write(into: &$0) }
        case .authenticate(let connect): authenticate(connect)
        case .subscribe(let subscribe): self.subscribe(subscribe)
        case .unsubscribe(let unsubscribe): self.unsubscribe(unsubscribe)
        case .refuse(let code): refuse(code)
        case .disconnect: finish()
        }
    }

    private func take(_ publish: Publish) throws(ProtocolViolation) {
        guard let handler, let principal else { return }
        let route: TopicRoute
        if let latest, latest.topic.bytes == publish.topic {
            route = latest
        } else {
            route = try server.route(publish.topic)
            latest = route
        }
        server.received += 1
        let retain = publish.retain && mayRetain
        switch handler.receive(topic: publish.topic, payload: publish.payload, retain: retain) {
        case .taken(let relay):
            needsCommit = true
            if let id = publish.packetID { Packet.writePuback(id, into: &acknowledgements) }
            if relay {
                server.relay(publish, retain: retain, route, from: principal, budget: &budget)
            } else {
                budget.spend(WorkBudget.Cost.publish(bytes: publish.payload.readableBytes, receivers: 0))
            }
        case .foreign:
            server.logger.warning(
                "A client published to a topic that is not its own; closed without acknowledgement",
                metadata: metadata.merging(["topic": "\(printable(route.text))"]) { $1 })
            close()
        }
    }

    private func acknowledged(_ packetID: UInt16) {
        guard let session else { return }
        if let change = server.broker.acknowledge(session, packetID: packetID) { server.record(change) }
        server.pump(self)
    }

    private func subscribe(_ subscribe: Subscribe) {
        guard let session, let principal, let handler else { return }
        var isStored = false
        var refused: String?
        budget.spend(subscribe.subscriptions.count * WorkBudget.Cost.filter)
        let codes = subscribe.subscriptions.map { subscription -> SubscribeReturnCode in
            let filter = subscription.filter
            guard server.host.allows(principal, .subscribe, topic: filter.description),
                let changes = server.broker.subscribe(session, to: filter, subscription.qualityOfService)
            else {
                refused = refused ?? filter.description
                return .failure
            }
            handler.subscribed(to: filter)
            changes.forEach(server.record)
            isStored = isStored || !changes.isEmpty
            return SubscribeReturnCode(granted: subscription.qualityOfService)
        }
        if let refused {
            server.logger.info(
                "A subscription was refused", metadata: metadata.merging(["filter": "\(printable(refused))"]) { $1 })
        }
        response(afterCommit: isStored) { Packet.suback(packetID: subscribe.packetID, codes).write(into: &$0) }
        server.pump(self)
    }

    private func unsubscribe(_ unsubscribe: Unsubscribe) {
        guard let session else { return }
        var isStored = false
        budget.spend(unsubscribe.filters.count * WorkBudget.Cost.filter)
        for filter in unsubscribe.filters {
            let changes = server.broker.unsubscribe(session, from: filter)
            changes.forEach(server.record)
            isStored = isStored || !changes.isEmpty
        }
        response(afterCommit: isStored) { Packet.unsuback(packetID: unsubscribe.packetID).write(into: &$0) }
    }

    // MARK: Opening

    private func authenticate(_ connect: Connect) {
        clientID = connect.clientID
        server.examines(self)
        let attempt = ConnectionAttempt(
            clientID: connect.clientID, userName: connect.userName, password: connect.password,
            isCleanSession: connect.isCleanSession, hasWill: connect.will != nil, address: address, connection: number,
            allowsAnonymous: endpoint.allowsAnonymous, allowsNamed: endpoint.allowsNamed)
        server.host.authenticate(attempt).hop(to: server.loop).assumeIsolated().whenComplete { [weak self] result in
            guard let self, self.isOpen else { return }
            self.server.beginTurn()
            switch result {
            case .success(.accepted(let principal)): self.open(as: principal)
            case .success(.refused(let code)): self.refuse(code == .accepted ? .notAuthorized : code)
            case .failure(let error):
                self.server.logger.error("A client could not be authenticated: \(error)", metadata: self.metadata)
                self.refuse(.serverUnavailable)
            }
            self.server.endTurn()
            if self.isOpen, let waiting = self.partial.take() { self.process(waiting) }
            self.resumeReading()
        }
    }

    private func open(as principal: Principal) {
        guard let opening = machine.accept(principal, at: server.now) else { return }
        // [MQTT-3.1.4-2]
        if let holder = server.broker.connected(opening.key) { server.connection(of: holder)?.closeTakenOver() }
        guard server.hasRoom(for: self, as: principal) else {
            _ = machine.close()  // Never accepted, so without its will.
            server.logger.warning(
                "Too many clients, in all, of one address or with one token; one is refused", metadata: metadata)
            return refuse(.serverUnavailable)
        }
        guard let opened = server.broker.open(opening.key, isPersistent: opening.isPersistent) else {
            _ = machine.close()  // Never accepted, so without its will.
            server.logger.warning("A principal has too many persistent sessions", metadata: metadata)
            return refuse(.serverUnavailable)
        }
        self.principal = principal
        session = opened.session
        mayRetain = principal.policy.mayRetain
        handler = server.host.handler(for: principal, clientID: clientID)
        server.connected(self, opened.session)
        opened.changes.forEach(server.record)
        response(afterCommit: !opened.changes.isEmpty) {
            Packet.connack(sessionPresent: opened.isPresent, .accepted).write(into: &$0)
        }
        requestCommit()
        server.logger.debug("A client connected", metadata: metadata)
        server.pump(self)
    }
}
