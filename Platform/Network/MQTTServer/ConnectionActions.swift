import Logging
import MQTT
import NIOCore

/// The consequences of packets from a client.
extension Connection {
    func perform(_ action: ConnectionMachine.Action) throws(ProtocolViolation) {
        turn.work.spend(WorkBudget.Cost.packet)
        switch action {
        case .publish(let publish): try take(publish)
        case .acknowledged(let packetID): acknowledged(packetID)
        case .received(let packetID): received(packetID)
        case .released(let packetID): released(packetID)
        case .pong: response { Packet.pingresp.write(into: &$0) }
        case .authenticate(let connect): authenticate(connect)
        case .subscribe(let subscribe): self.subscribe(subscribe)
        case .unsubscribe(let unsubscribe): self.unsubscribe(unsubscribe)
        case .refuse(let code): refuse(code)
        case .disconnect(let sessionExpirySeconds):
            if let sessionExpirySeconds, let session {
                server.broker.setExpiry(session, seconds: sessionExpirySeconds).forEach(server.record)
            }
            finish()
        }
    }

    private func subscribe(_ subscribe: Subscribe) {
        guard let client, let session = client.session else { return }
        var isStored = false
        var refused: String?
        turn.work.spend(subscribe.subscriptions.count * WorkBudget.Cost.filter)
        let codes = subscribe.subscriptions.map { subscription -> ReasonCode in
            let filter = subscription.filter
            guard server.delegate.allows(client.principal, .subscribe, topic: String(buffer: filter.matched)) else {
                refused = refused ?? filter.description
                server.counted.losses.count(.subscription)
                return .notAuthorized
            }
            guard let changes = server.broker.subscribe(session, to: filter, subscription.options) else {
                refused = refused ?? filter.description
                server.counted.losses.count(.subscription)
                return .quotaExceeded
            }
            client.handler.subscribed(to: filter)
            changes.forEach(server.record)
            isStored = isStored || !changes.isEmpty
            return ReasonCode(granted: subscription.options.qualityOfService)
        }
        if let refused {
            server.logger.info(
                "A subscription was refused", metadata: metadata.merging(["filter": "\(printable(refused))"]) { $1 })
        }
        let version = machine.version
        response(afterCommit: isStored) {
            Packet.suback(packetID: subscribe.packetID, codes).write(into: &$0, version: version)
        }
        server.pump(self)
    }

    private func unsubscribe(_ unsubscribe: Unsubscribe) {
        guard let session else { return }
        var isStored = false
        turn.work.spend(unsubscribe.filters.count * WorkBudget.Cost.filter)
        let codes = unsubscribe.filters.map { filter -> ReasonCode in
            guard let changes = server.broker.unsubscribe(session, from: filter) else { return .noSubscriptionExisted }
            changes.forEach(server.record)
            isStored = isStored || !changes.isEmpty
            return .success
        }
        let version = machine.version
        response(afterCommit: isStored) {
            Packet.unsuback(packetID: unsubscribe.packetID, codes).write(into: &$0, version: version)
        }
    }

    // MARK: Opening

    private func authenticate(_ connect: Connect) {
        clientID = connect.clientID
        server.examines(self)
        let attempt = ConnectionAttempt(
            clientID: connect.clientID, userName: connect.userName, password: connect.password,
            isCleanSession: connect.isCleanSession, hasWill: connect.will != nil, address: address, connection: number,
            allowsAnonymous: endpoint.allowsAnonymous, allowsNamed: endpoint.allowsNamed,
            isForPlainDevices: endpoint.isForPlainDevices)
        server.delegate.authenticate(attempt).hop(to: server.loop).assumeIsolated().whenComplete { [weak self] result in
            guard let self, self.isOpen else { return }
            self.server.beginTurn()
            switch result {
            case .success(.accepted(let principal)): self.open(as: principal)
            case .success(.refused(let code)): self.refuse(code == .accepted ? .notAuthorized : code.reasonCode)
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
        guard server.makeRoom(for: self, as: principal) else {
            _ = machine.close()  // Never accepted, so without its will.
            server.logger.warning(
                "Too many clients, in all or of one address; one is refused", metadata: metadata)
            return refuse(.serverUnavailable, as: .tooManyClients)
        }
        guard
            let opened = server.broker.open(
                opening.key, isClean: opening.isClean, expirySeconds: opening.expirySeconds,
                receiveMaximum: opening.receiveMaximum)
        else {
            _ = machine.close()  // Never accepted, so without its will.
            server.logger.warning("A principal has too many persistent sessions", metadata: metadata)
            return refuse(.serverUnavailable, as: .tooManySessions)
        }
        client = AcceptedClient(
            principal, key: opening.key, session: opened.session,
            handler: server.delegate.handler(for: principal, clientID: clientID), isBridge: machine.isBridge,
            openedAt: server.now)
        server.connected(self, opened.session)
        server.settleWills(opened, of: opening.key)
        let changes = opened.changes + server.broker.keep(opening.will, of: opened.session)
        changes.forEach(server.record)
        let version = machine.version
        response(afterCommit: !changes.isEmpty) {
            Packet.connack(
                ConnectAcknowledgement(
                    isSessionPresent: opened.isPresent, reason: .success, properties: opening.properties)
            ).write(into: &$0, version: version)
        }
        requestCommit()
        server.logger.debug("A client connected", metadata: metadata)
        server.pump(self)
    }
}
