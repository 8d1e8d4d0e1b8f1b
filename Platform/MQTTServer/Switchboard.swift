import Logging
import MQTT
import NIOCore

/// All connections of one listener and what they share. Lives on one event loop.
///
/// The host is never called while the broker is being changed, so that it may publish whenever it is called.
final class Switchboard<Host: MessageHost> {
    let loop: any EventLoop
    let host: Host
    let limits: Limits
    let logger: Logger
    var broker: Broker
    /// PUBLISH packets received and sent.
    var received = 0
    var sent = 0
    /// The time when the turn began.
    private(set) var now = NIODeadline.now()

    private var connectionCount = 0
    private var admissions: Admissions
    /// By ticket, those that have not been let in.
    private var halfOpen: [Admissions.Ticket: Connection<Host>] = [:]
    private var all: [UInt64: Connection<Host>] = [:]
    /// By session index.
    private var clients: [Connection<Host>?] = []
    private var routes: [ByteBuffer: TopicRoute] = [:]
    private var dirty: [Connection<Host>] = []
    private var turns = 0
    /// Of the turn under way, or of the last one.
    private(set) var turnNumber: UInt64 = 0
    private var waiting = WaitingTurns<Host>()
    private var isTurnScheduled = false
    private var hasUncommitted = false
    private var lastNumber: UInt64 = 0
    private var meter = ListenerMeter()
    /// Kept when the last connection is gone, once the listener is shutting down.
    private var emptied: EventLoopPromise<Void>?

    init(loop: any EventLoop, host: Host, limits: Limits, logger: Logger) throws {
        self.loop = loop
        self.host = host
        self.limits = limits
        self.logger = logger
        broker = Broker(limits: limits)
        admissions = Admissions(limits: limits)
        broker.restore(try host.restore())
    }

    // MARK: Turns

    /// What is written between `beginTurn` and the matching `endTurn` leaves in one write a connection.
    func beginTurn() {
        if turns == 0 {
            now = .now()
            turnNumber += 1
        }
        turns += 1
    }

    func endTurn() {
        if turns == 1 {
            // Each may lead to more of the other.
            while !dirty.isEmpty || hasUncommitted {
                flushDirty()
                if hasUncommitted {
                    hasUncommitted = false
                    host.commit(for: CommitWaiter())
                }
            }
        }
        turns -= 1
    }

    /// Something happened outside a turn, such as the end of a commit, that is to be written or committed.
    private func scheduleTurn() {
        guard turns == 0, !isTurnScheduled else { return }
        isTurnScheduled = true
        loop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.beginTurn()
            self.endTurn()
        }
    }

    /// The connection has used its turn, and has more to do.
    func wait(_ connection: Connection<Host>) {
        waiting.append(connection)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !waiting.isScheduled, !waiting.isEmpty else { return }
        waiting.isScheduled = true
        loop.assumeIsolated().scheduleTask(in: WaitingTurns<Host>.pause) {
            for connection in self.waiting.next(self.limits.turnsTogether) { connection.takeTurn() }
            // Not before: a pause that began with the first of these turns would be over at their end, and the network
            // would not be looked at.
            self.waiting.isScheduled = false
            self.scheduleTurns()
        }
    }

    func markDirty(_ connection: Connection<Host>) {
        dirty.append(connection)
        scheduleTurn()
    }

    private func flushDirty() {
        // A flush may write to a connection that was flushed before.
        while !dirty.isEmpty {
            let connections = dirty
            dirty.removeAll(keepingCapacity: true)
            for connection in connections { connection.flush() }
        }
    }

    /// Puts a change into the host's batch; if no connection asks for its commit, the turn's end does.
    func record(_ change: StoredChange) {
        host.record(change)
        hasUncommitted = true
        scheduleTurn()
    }

    func willCommit() { hasUncommitted = false }

    // MARK: Connections

    /// - Parameters:
    ///   - allowsAnonymous: whether its endpoint lets in somebody without a name.
    ///   - isShared: whether its address stands for many clients, and is held to the totals alone.
    func makeConnection(allowsAnonymous: Bool, isShared: Bool) -> Connection<Host> {
        lastNumber += 1
        return Connection(number: lastNumber, board: self, allowsAnonymous: allowsAnonymous, isShared: isShared)
    }

    func arrived(_ connection: Connection<Host>) {
        all[connection.number] = connection
        guard emptied == nil else { return connection.close() }
        let (ticket, shed) = admissions.arrive(connection.address, isShared: connection.isShared)
        connection.ticket = ticket
        halfOpen[ticket] = connection
        if let shed { halfOpen[shed]?.closeForAnother() }
    }

    /// It is being found out who it is.
    func examines(_ connection: Connection<Host>) { connection.ticket.map { admissions.examine($0) } }

    /// It has been refused, and only has to hear it.
    func refused(_ connection: Connection<Host>) { connection.ticket.map { admissions.refuse($0) } }

    /// Whether it may become a client.
    func hasRoom(for connection: Connection<Host>) -> Bool {
        admissions.hasRoom(connection.address, isShared: connection.isShared)
    }

    func connection(of session: Broker.SessionID) -> Connection<Host>? {
        session.index < clients.count ? clients[session.index] : nil
    }

    func connected(_ connection: Connection<Host>, _ session: Broker.SessionID) {
        while clients.count <= session.index { clients.append(nil) }
        clients[session.index] = connection
        connectionCount += 1
        guard let ticket = connection.ticket.take() else { return }
        halfOpen[ticket] = nil
        admissions.accept(ticket, connection.address)
        connection.isAdmitted = true
    }

    func left(_ session: Broker.SessionID) {
        clients[session.index] = nil
        broker.leave(session).forEach(record)
        connectionCount -= 1
    }

    func departed(_ connection: Connection<Host>) {
        guard all.removeValue(forKey: connection.number) != nil else { return }
        if let ticket = connection.ticket.take() {
            halfOpen[ticket] = nil
            admissions.depart(ticket)
        } else if connection.isAdmitted {
            admissions.departClient(connection.address)
        }
        if all.isEmpty { emptied?.succeed() }
    }

    /// Ends every connection: publishes the wills, waits for the commit that holds all that was taken, sends its
    /// acknowledgements and closes. The future succeeds when the last connection is gone.
    func shutDown() -> EventLoopFuture<Void> {
        let gone = loop.makePromise(of: Void.self)
        emptied = gone
        beginTurn()
        for connection in all.values { connection.finish() }
        hasUncommitted = false
        let settled = loop.makePromise(of: Void.self)
        host.commit(for: CommitWaiter(settled))
        endTurn()
        if all.isEmpty { gone.succeed() }
        let deadline = loop.assumeIsolated().scheduleTask(in: limits.shutdownTime) {
            for connection in self.all.values { connection.close() }
            settled.succeed()
        }
        let stopped = settled.futureResult.and(gone.futureResult).map { _ in }
        stopped.assumeIsolated().whenComplete { _ in deadline.cancel() }
        return stopped
    }

    /// The listener's coarse timer: keep-alive, time limits and metrics.
    func tick() {
        beginTurn()
        for connection in all.values { connection.tick(now) }
        meter.report(statistics)
        endTurn()
    }

    // MARK: Messages

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
                        topic: route.topic.bytes, payload: publish.payload, packetID: number.map(Session.packetID(for:))
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
    func publish(_ will: Will, of principal: Principal, through sender: Host.Sender) {
        guard let route = try? route(will.topic.bytes) else { return }
        let payload = ByteBuffer(bytes: will.payload)
        guard host.allows(principal, .publish, topic: route.text),
            case .taken(let relay) = sender.receive(topic: route.topic.bytes, payload: payload, retain: will.retain)
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

extension Switchboard: MessageOutlet {
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
}
