import MQTT
import NIOCore

/// The messages of a client, and its acknowledgements.
extension Connection {
    func take(_ publish: Publish) throws(ProtocolViolation) {
        guard let client, let session = client.session else { return }
        let route = try route(of: publish)
        if publish.qualityOfService == .exactlyOnce, let id = publish.packetID,
            server.broker.hasReceived(session, packetID: id)
        {
            if machine.version.hasProperties { acknowledgements.noteUnreleased(id) }
            return acknowledge(.pubrec(packetID: id))
        }
        if machine.version.hasProperties, publish.packetID != nil { try checkReceiveMaximum() }
        server.counted.receivedMessages[publish.qualityOfService] += 1
        let retain = publish.retain && client.mayRetain
        let repetition = retain && client.handsOn ? self.repetition(of: publish, route, from: client) : .none
        switch client.handler.receive(
            topic: route.topic.bytes, payload: publish.payload, retain: retain, repetition: repetition)
        {
        case .taken(let relay, let stores):
            acknowledgements.noteDue()
            let isFirst = acknowledge(publish, session, stores: stores)
            // What came late takes nobody's place, and nobody who listens is told of it.
            if relay, isFirst, repetition != .overtaken {
                let reading = retain && stores ? client.nextReading(on: number) : nil
                // Which counts once its commit is done.
                if let reading { acknowledgements.note(reading, topic: route.topic.bytes) }
                server.relay(
                    publish, retain: retain, reading: reading, route, from: client.principal, session: session,
                    budget: &turn.work
                )
                if retain, client.handsOn { server.broker.note(number, topic: route.topic.bytes) }
            } else {
                turn.work.spend(WorkBudget.Cost.publish(bytes: publish.payload.readableBytes, receivers: 0))
            }
        case .foreign: putAside(publish, route, session)
        }
    }

    /// The time after its CONNECT in which a client that hands on is telling what it has kept. A bridge does so twice, once for its
    /// session and once for its subscription, and what was measured meanwhile comes between.
    private static var telling: TimeAmount { .seconds(10) }

    /// The comparison of a retained message with what is kept of its topic, and with what was before the connection.
    private func repetition(
        of publish: Publish, _ route: TopicRoute, from client: AcceptedClient<Delegate.Handler>
    ) -> Repetition {
        let found = server.broker.repetition(of: publish.payload, topic: route.topic.bytes, by: number)
        guard server.now < client.openedAt + Self.telling else {
            client.keptBefore.forget()
            return found
        }
        if let kept = server.broker.kept(topic: route.topic.bytes, before: number) {
            client.keptBefore.note(kept, topic: route.topic.bytes)
        }
        return switch found {
        case .same, .again: .again
        case .none, .overtaken:
            client.keptBefore.takes(publish.payload, topic: route.topic.bytes) ? .overtaken : .none
        }
    }

    /// The route of a PUBLISH by its topic or alias (MQTT 5.0, section 3.3.2.3.4).
    private func route(of publish: Publish) throws(ProtocolViolation) -> TopicRoute {
        if let alias = publish.properties?.topicAlias {
            guard alias <= server.limits.topicAliases else { throw .topicAlias }
            if publish.topic.readableBytes == 0 {
                guard let route = aliases[alias] else { throw .unknownTopicAlias }
                return route
            }
            let route = try server.route(publish.topic)
            aliases[alias] = route
            return route
        }
        if let latest = aliases.latest, latest.topic.bytes == publish.topic { return latest }
        let route = try server.route(publish.topic)
        aliases.latest = route
        return route
    }

    /// Checks the receive maximum of this connection [MQTT-3.3.4-9], section 4.9.
    private func checkReceiveMaximum() throws(ProtocolViolation) {
        guard acknowledgements.unacknowledged < Int(server.limits.receiveMaximum) else { throw .receiveMaximum }
    }

    /// Prepares the acknowledgement of a message.
    ///
    /// - Returns: false if the message was delivered before and only has to be stored.
    private func acknowledge(_ publish: Publish, _ session: Broker.SessionID, stores: Bool) -> Bool {
        guard let id = publish.packetID else { return true }
        guard publish.qualityOfService == .exactlyOnce else {
            acknowledgements.appendPuback(id, isCounted: machine.version.hasProperties)
            return true
        }
        let isAgain = server.broker.takeWithdrawn(session, packetID: id) && publish.isDuplicate
        server.broker.receive(session, packetID: id)?.forEach(server.record)
        // What is only handed on is stored with its packet id by the next commit, after a kill too: it must not be handed on twice.
        if stores { acknowledgements.noteReceived(id) }
        if machine.version.hasProperties { acknowledgements.noteUnreleased(id) }
        acknowledge(.pubrec(packetID: id))
        return !isAgain
    }

    /// Puts a message aside whose topic the sender may not publish to: refused by reason code in MQTT 5.0, and in MQTT
    /// 3.1.1, which has no word for it, acknowledged by its QoS [MQTT-3.3.5-2]. Who announces itself to other systems
    /// before its first reading, as ESPHome does, would otherwise be thrown out for ever.
    private func putAside(_ publish: Publish, _ route: TopicRoute, _ session: Broker.SessionID) {
        server.counted.losses.count(.foreignTopic)
        turn.work.spend(WorkBudget.Cost.publish(bytes: publish.payload.readableBytes, receivers: 0))
        // One line of the log a connection, however often it announces.
        server.logger.log(
            level: hasPutAside ? .debug : .warning, "A client published to a topic that is not its own; put aside",
            metadata: metadata.merging(["topic": "\(printable(route.text))"]) { $1 })
        hasPutAside = true
        guard let id = publish.packetID else { return }
        guard machine.version.hasProperties else {
            acknowledgements.noteDue()
            _ = acknowledge(publish, session, stores: false)
            return
        }
        let text = machine.properties.requestsProblemInformation ? ReasonCode.notAuthorized.sentence : nil
        acknowledge(
            fitting(text) { text in
                let refusal = Acknowledgement(packetID: id, reason: .notAuthorized, reasonString: text)
                return publish.qualityOfService == .exactlyOnce ? .pubrec(refusal) : .puback(refusal)
            })
    }

    /// Handles a PUBACK, PUBCOMP, or a PUBREC that refuses.
    func acknowledged(_ packetID: UInt16) {
        guard let session else { return }
        if let change = server.broker.acknowledge(session, packetID: packetID) { server.record(change) }
        server.pump(self)
    }

    /// Handles a PUBREC: the PUBREL follows once it is stored that the message must not be sent again.
    func received(_ packetID: UInt16) {
        guard let session else { return }
        guard let changes = server.broker.release(session, packetID: packetID) else {
            let version = machine.version
            return response {
                Packet.pubrel(packetID: packetID, .packetIdentifierNotFound).write(into: &$0, version: version)
            }
        }
        changes.forEach(server.record)
        acknowledge(.pubrel(packetID: packetID))
    }

    /// Handles a PUBREL: the PUBCOMP follows once it is stored that the packet id is free. Otherwise the next message
    /// with that id would be taken for the same.
    func released(_ packetID: UInt16) {
        guard let session else { return }
        acknowledgements.release(packetID)
        guard let changes = server.broker.complete(session, packetID: packetID) else {
            // It may be free since a commit that failed.
            return acknowledge(.pubcomp(packetID: packetID, .packetIdentifierNotFound))
        }
        changes.forEach(server.record)
        acknowledge(.pubcomp(packetID: packetID))
    }
}
