import MQTT
import NIOCore

/// A broker with small limits and four clients, driven by bytes: each deed is a byte and what it takes. At the end what
/// it said is to be stored makes another broker, which owes its clients the same.
struct FuzzedBroker {
    private static let limits: Limits = {
        var limits = Limits()
        limits.topicLevels = 6
        limits.subscriptionsPerSession = 4
        limits.messagesInFlight = 2
        limits.queuedMessages = 5
        limits.queuedBytes = 200
        limits.retainedMessages = 6
        limits.retainedBytes = 300
        limits.retainedMessagesPerPrincipal = 5
        limits.retainedBytesPerPrincipal = 250
        limits.subscriptionsPerPrincipal = 5
        limits.filtersPerPacket = 6
        limits.workPerTurn = 64
        limits.persistentSessionsPerPrincipal = 2
        return limits
    }()

    private struct Client {
        var machine: ConnectionMachine
        var bytes = ByteBuffer()
        var session: Broker.SessionID?
        var key: MQTTSessionKey?
    }

    private var broker = Broker(limits: Self.limits)
    private var clients: [Client?] = [nil, nil, nil, nil]
    private var stored: [StoredChange] = []
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    mutating func play(_ input: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(input)
        while !input.isEmpty {
            let deed = input.byte()
            let number = Int(deed & 3)
            switch deed >> 2 & 7 {
            case 0...3: try receive(input.run(), from: number)
            case 4: drain(number, most: Int(input.byte() & 7))
            case 5: close(number)
            case 6:
                now = now + .milliseconds(Int64(input.uint16()))
                for client in clients.indices where clients[client]?.machine.overdue(at: now) != nil { close(client) }
            default: if let session = clients[number]?.session { end(session, number) }
            }
            try checkBounds()
        }
        for number in clients.indices { close(number) }
        try checkRestored()
    }

    private mutating func receive(_ bytes: [UInt8], from number: Int) throws(BrokenProperty) {
        var client =
            clients[number]
            ?? Client(machine: ConnectionMachine(connection: UInt64(number), limits: Self.limits, now: now))
        client.bytes.writeBytes(bytes)
        clients[number] = client
        while clients[number] != nil {
            do throws(ProtocolViolation) {
                guard let action = try nextAction(number) else { return }
                follow(action, number)
            } catch {
                close(number)
            }
        }
    }

    private mutating func nextAction(_ number: Int) throws(ProtocolViolation) -> ConnectionMachine.Action? {
        guard var client = clients[number] else { return nil }
        defer { if clients[number] != nil { clients[number] = client } }
        switch try Packet.decode(
            from: &client.bytes, maximumLength: client.machine.packetLimit,
            maximumFilters: Self.limits.filtersPerPacket,
            version: client.machine.version)
        {
        case .incomplete: return nil
        case .unsupportedProtocolLevel(let level):
            return try client.machine.receiveUnsupportedProtocolLevel(level)
        case .packet(let packet): return try client.machine.receive(packet, at: now)
        }
    }

    private mutating func follow(_ action: ConnectionMachine.Action, _ number: Int) {
        switch action {
        case .authenticate(let connect): accept(connect, number)
        case .publish(let publish):
            if let session = clients[number]?.session, publish.qualityOfService == .exactlyOnce,
                let id = publish.packetID
            {
                guard let changes = broker.receive(session, packetID: id) else { return }
                stored += changes
            }
            self.publish(publish)
        case .received(let id):
            if let session = clients[number]?.session { stored += broker.release(session, packetID: id) ?? [] }
        case .released(let id):
            if let session = clients[number]?.session { stored += broker.complete(session, packetID: id) ?? [] }
        case .acknowledged(let id):
            if let session = clients[number]?.session, let change = broker.acknowledge(session, packetID: id) {
                stored.append(change)
            }
        case .subscribe(let subscribe):
            guard let session = clients[number]?.session else { return }
            for wanted in subscribe.subscriptions {
                stored += broker.subscribe(session, to: wanted.filter, wanted.options) ?? []
            }
        case .unsubscribe(let unsubscribe):
            guard let session = clients[number]?.session else { return }
            for filter in unsubscribe.filters { stored += broker.unsubscribe(session, from: filter) ?? [] }
        case .pong: break
        case .refuse, .disconnect: close(number)
        }
    }

    private mutating func accept(_ connect: Connect, _ number: Int) {
        let principals: [Principal] = [
            .device(id: "fern"), .integration(id: "house"), .legacy(connection: UInt64(number)), .open,
        ]
        let principal = principals[Int(connect.keepAliveSeconds & 3)]
        guard let opening = clients[number]?.machine.accept(principal, at: now) else { return close(number) }
        if let holder = broker.connected(opening.key) {
            for other in clients.indices where clients[other]?.session == holder { close(other) }
        }
        guard
            let opened = broker.open(
                opening.key, isClean: opening.isClean, expirySeconds: opening.expirySeconds,
                receiveMaximum: opening.receiveMaximum)
        else { return close(number) }
        stored += opened.changes
        clients[number]?.session = opened.session
        clients[number]?.key = opening.key
    }

    private mutating func publish(_ publish: Publish) {
        guard let topic = try? TopicName(bytes: publish.topic, limits: Self.limits) else { return }
        let message = StoredMessage(
            topic: topic.description, payload: Array(buffer: publish.payload),
            qualityOfService: publish.qualityOfService, publisher: .open)
        if publish.retain, let change = broker.retain(message, topic: topic) { stored.append(change) }
        for route in broker.routes(for: topic) {
            let granted = route.terms.delivery(of: message.qualityOfService, retain: publish.retain)
            let offer = broker.offer(
                to: route.session, granted, size: message.topic.utf8.count + message.payload.count,
                isWritable: message.payload.count % 2 == 0
            ) { message }
            guard let session = broker.session(route.session), session.isPersistent else { continue }
            switch offer {
            case .send(let sequence?), .queued(let sequence?):
                stored.append(.queued(session.key, sequence: sequence, message, granted))
            default: continue
            }
        }
    }

    private mutating func drain(_ number: Int, most: Int) {
        guard let session = clients[number]?.session else { return }
        var budget = WorkBudget(limits: Self.limits)
        for _ in 0...most {
            guard let (delivery, changes) = broker.next(session, budget: &budget) else { return }
            stored += changes
            if delivery.message.payload.first == 0, let change = broker.discard(session, delivery) {
                stored.append(change)
            }
        }
    }

    private mutating func close(_ number: Int) {
        guard var client = clients[number] else { return }
        clients[number] = nil
        _ = client.machine.close()
        if let session = client.session { stored += broker.leave(session) }
    }

    private mutating func end(_ session: Broker.SessionID, _ number: Int) {
        clients[number] = nil
        stored += broker.end(session)
    }

    /// The sessions that outlive their connections, by what was stored.
    private var persistent: [MQTTSessionKey] {
        var keys: [MQTTSessionKey] = []
        for change in stored {
            if case .opened(let key) = change { keys.append(key) }
            if case .ended(let key) = change { keys.removeAll { $0 == key } }
        }
        return keys
    }

    private func checkBounds() throws(BrokenProperty) {
        try require(broker.sessionCount <= 4 + 2 * 4, "sessions are bounded: \(broker.sessionCount)")
        for client in clients {
            guard let id = client?.session else { continue }
            guard let session = broker.session(id) else { throw BrokenProperty(description: "a client has a session") }
            try require(session.subscriptions.count <= Self.limits.subscriptionsPerSession, "subscriptions are bounded")
            let most = Self.limits.queuedMessages + Self.limits.messagesInFlight
            // What was on its way when a client left waits with the rest.
            try require(session.backlog <= 2 * most, "the backlog is bounded: \(session.backlog)")
        }
    }

    /// All have left. What was stored, replayed, is the same sessions with the same messages, and the same retained ones.
    private mutating func checkRestored() throws(BrokenProperty) {
        var restored = Broker(limits: Self.limits)
        restored.restore(stored)
        try require(restored.sessionCount == broker.sessionCount, "the same sessions are there after a restart")
        let watcher = MQTTSessionKey(principal: .integration(id: "watcher"), clientID: "watcher")
        try require(
            Self.retained(&restored, watcher) == Self.retained(&broker, watcher),
            "the same messages are retained after a restart")
        let keys = persistent
        try require(Set(keys).count == keys.count, "a session that is there is not opened once more")
        for key in keys {
            let mine = broker.open(key, isPersistent: true), theirs = restored.open(key, isPersistent: true)
            guard let mine, let theirs, mine.isPresent, theirs.isPresent else {
                throw BrokenProperty(
                    description: "every session that was stored is present, before and after a restart")
            }
            let before = broker.session(mine.session), after = restored.session(theirs.session)
            try require(before?.subscriptions == after?.subscriptions, "the same subscriptions hold after a restart")
            try require(
                before?.backlog == after?.backlog,
                "the same messages wait after a restart: \(before?.backlog ?? 0), \(after?.backlog ?? 0)")
            _ = broker.leave(mine.session)
            _ = restored.leave(theirs.session)
        }
    }

    private static func retained(_ broker: inout Broker, _ watcher: MQTTSessionKey) -> [StoredMessage] {
        guard let id = broker.open(watcher, isPersistent: false)?.session, let all = try? TopicFilter("#"),
            let reserved = try? TopicFilter("$SYS/#")
        else { return [] }
        _ = broker.subscribe(id, to: all, .atMostOnce)
        _ = broker.subscribe(id, to: reserved, .atMostOnce)
        var messages: [StoredMessage] = []
        var budget = WorkBudget(limits: limits)
        // Each step ends the replay or has spent what there was.
        for _ in 0..<1_000 where broker.hasBacklog(id) {
            budget.renew()
            while let (delivery, _) = broker.next(id, budget: &budget) { messages.append(delivery.message) }
        }
        _ = broker.leave(id)
        return messages
    }
}

extension FuzzTarget {
    /// A session that is there again, a message that waits for it, and one that is retained.
    static var brokerSeeds: [[UInt8]] {
        func packet(_ packet: Packet) -> [UInt8] {
            var bytes = ByteBuffer()
            packet.write(into: &bytes)
            return [UInt8(clamping: bytes.readableBytes)] + Array(buffer: bytes)
        }
        guard let filter = try? TopicFilter("a/#"), let topic = try? TopicName("a/b") else { return [] }
        func connect(_ id: String, keepAlive: UInt16) -> [UInt8] {
            packet(.connect(Connect(clientID: id, isCleanSession: false, keepAliveSeconds: keepAlive)))
        }
        let subscribe = packet(
            .subscribe(Subscribe(packetID: 1, subscriptions: [.init(filter: filter, qualityOfService: .atLeastOnce)])))
        func publish(_ payload: String, retain: Bool) -> [UInt8] {
            packet(
                .publish(
                    Publish(topic: topic.bytes, payload: ByteBuffer(string: payload), packetID: 7, retain: retain)))
        }
        let beginning = [0] + connect("r", keepAlive: 4) + [0] + subscribe + [1] + connect("s", keepAlive: 7)
        return [
            beginning + [1] + publish("x", retain: true) + [1] + publish("yy", retain: false) + [16, 3],
            beginning + [20, 1] + publish("x", retain: false) + [1] + publish("zz", retain: true) + [0]
                + connect("r", keepAlive: 4) + [16, 7] + [0] + packet(.puback(packetID: 1)) + [24, 1, 1, 28],
        ]
    }
}
