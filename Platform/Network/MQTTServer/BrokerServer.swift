import Logging
import MQTT
import NIOCore

/// The connections of one listener and what they share, on one event loop.
///
/// The delegate is never called while the broker is being changed, so it may publish whenever it is called.
final class BrokerServer<Delegate: BrokerDelegate> {
    let loop: any EventLoop
    let delegate: Delegate
    let limits: Limits
    let logger: Logger
    var broker: Broker
    /// The counters that are updated as things happen; the rest is added on request.
    var counted = ListenerStatistics()
    /// The time when the turn began.
    private(set) var now = NIODeadline.now()

    private(set) var connectionCount = 0
    private var connectionLimiter: BrokerConnectionLimiter
    private var acceptPacer: AcceptPacer
    /// The connections that were not accepted yet, by ticket.
    private var halfOpen: [BrokerConnectionLimiter.Ticket: Connection<Delegate>] = [:]
    private(set) var all: [UInt64: Connection<Delegate>] = [:]
    /// The connections of clients, by session index.
    private var clients: [Connection<Delegate>?] = []
    var routes = RouteTable()
    private var dirty: [Connection<Delegate>] = []
    /// The number of connections at the beginning of `dirty` whose output was written before the end of the turn.
    private var writtenEarly = 0
    private var turns = 0
    /// The number of the current turn, or of the last one.
    private(set) var turnNumber: UInt64 = 0
    private var waiting = WaitingTurns<Delegate>()
    private var isTurnScheduled = false
    var hasUncommitted = false
    private var lastNumber: UInt64 = 0
    /// The number of the last will that the delegate has read and that is retained.
    var lastWill: UInt64 = 0
    /// The promise that is fulfilled when the last connection has closed during shutdown.
    private var emptied: EventLoopPromise<Void>?

    init(loop: any EventLoop, delegate: Delegate, limits: Limits, logger: Logger) throws {
        self.loop = loop
        self.delegate = delegate
        self.limits = limits
        self.logger = logger
        broker = Broker(limits: limits)
        broker.now = delegate.now()
        connectionLimiter = BrokerConnectionLimiter(limits: limits)
        acceptPacer = AcceptPacer(limits: limits)
        broker.restore(try delegate.restore())
    }

    // MARK: Turns

    /// Begins a turn. Everything that is written until the matching `endTurn` leaves in one write for each connection.
    func beginTurn() {
        if turns == 0 {
            now = .now()
            broker.now = delegate.now()
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
                    delegate.commit(for: CommitWaiter())
                }
            }
        }
        turns -= 1
    }

    /// Schedules a turn after an event outside of one, such as the end of a commit.
    private func scheduleTurn() {
        guard turns == 0, !isTurnScheduled else { return }
        isTurnScheduled = true
        loop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.beginTurn()
            self.endTurn()
        }
    }

    /// Queues a connection that has used its turn and has more to do.
    func wait(_ connection: Connection<Delegate>) {
        waiting.append(connection)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !waiting.isScheduled, !waiting.isEmpty else { return }
        waiting.isScheduled = true
        loop.assumeIsolated().scheduleTask(in: WaitingTurns<Delegate>.pause) {
            for connection in self.waiting.next(self.limits.turnsTogether) { connection.takeTurn() }
            // Not before: a pause that began with the first of these turns would be over at their end, and the network
            // would not be looked at.
            self.waiting.isScheduled = false
            self.scheduleTurns()
        }
    }

    func markDirty(_ connection: Connection<Delegate>) {
        dirty.append(connection)
        scheduleTurn()
    }

    /// Writes what was collected so far for connections of which there are many, so that the first of a crowd does not wait for
    /// the last. The end of the turn does the rest of a flush: it may take in more, which would overtake what is being delivered.
    func writeEarly() {
        guard dirty.count - writtenEarly >= Self.connectionsTogether else { return }
        for connection in dirty[writtenEarly...] { connection.writeEarly() }
        writtenEarly = dirty.count
    }

    /// The number of connections that are written to together before the end of a turn.
    private static var connectionsTogether: Int { 64 }

    private func flushDirty() {
        writtenEarly = 0
        // A flush may write to a connection that was flushed before.
        while !dirty.isEmpty {
            let connections = dirty
            dirty.removeAll(keepingCapacity: true)
            for connection in connections { connection.flush() }
        }
    }

    /// Adds a change to the delegate's batch. If no connection asks for its commit, the end of the turn does.
    func record(_ change: StoredChange) {
        delegate.record(change)
        hasUncommitted = true
        scheduleTurn()
    }

    func willCommit() { hasUncommitted = false }

    // MARK: Connections

    var halfOpenCount: Int { halfOpen.count }

    /// Makes a connection.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint that it came to.
    ///   - isShared: whether its address stands for many clients, so that only the total limits apply.
    func makeConnection(of endpoint: ListenerConfiguration.Endpoint, isShared: Bool) -> Connection<Delegate> {
        lastNumber += 1
        return Connection(number: lastNumber, server: self, endpoint: endpoint, isShared: isShared)
    }

    func arrived(_ connection: Connection<Delegate>) {
        all[connection.number] = connection
        guard emptied == nil else { return connection.close() }
        let (ticket, shed) = connectionLimiter.arrive(connection.address, isShared: connection.isShared)
        connection.place = .halfOpen(ticket)
        halfOpen[ticket] = connection
        acceptPacer.arrived(ticket, now: .now())
        if let shed { halfOpen[shed]?.closeForAnother() }
    }

    /// Calls `accept` at once, or when connections that have not signed in leave room for one more.
    func whenRoomToAccept(_ accept: @escaping () -> Void) {
        if hasRoomToAccept() { accept() } else { acceptPacer.wait(accept) }
    }

    private func hasRoomToAccept() -> Bool {
        acceptPacer.hasRoom(count: halfOpen.count, now: .now()) { halfOpen[$0] != nil }
    }

    private func acceptOn() {
        guard acceptPacer.isPaused, hasRoomToAccept() else { return }
        for accept in acceptPacer.takeResumes() { accept() }
    }

    /// Reports that a connection is being authenticated.
    func examines(_ connection: Connection<Delegate>) {
        if case .halfOpen(let ticket) = connection.place { connectionLimiter.examine(ticket) }
    }

    /// Reports that a connection was refused and only has to receive the CONNACK.
    func refused(_ connection: Connection<Delegate>) {
        if case .halfOpen(let ticket) = connection.place { connectionLimiter.refuse(ticket) }
    }

    /// Whether a connection may become a client. Where one token has too many, the one of them that was silent longest
    /// gives way: connections that died without a word would keep their own device out.
    func makeRoom(for connection: Connection<Delegate>, as principal: Principal) -> Bool {
        guard connectionLimiter.hasRoom(connection.address, isShared: connection.isShared) else { return false }
        guard !connectionLimiter.hasRoom(of: principal) else { return true }
        let others = clients.lazy.compactMap { $0 }.filter { $0.principal == principal }
        guard let oldest = others.min(by: { $0.heardAt < $1.heardAt }) else { return false }
        oldest.closeTakenOver(.quotaExceeded)
        return true
    }

    func connection(of session: Broker.SessionID) -> Connection<Delegate>? {
        session.index < clients.count ? clients[session.index] : nil
    }

    func connected(_ connection: Connection<Delegate>, _ session: Broker.SessionID) {
        while clients.count <= session.index { clients.append(nil) }
        clients[session.index] = connection
        connectionCount += 1
        guard case .halfOpen(let ticket) = connection.place else { return }
        connection.place = .client
        halfOpen[ticket] = nil
        acceptOn()
        connectionLimiter.accept(ticket, connection.address, connection.principal)
        connection.transport?.admit()
    }

    func left(_ session: Broker.SessionID) {
        clients[session.index] = nil
        broker.leave(session).forEach(record)
        connectionCount -= 1
    }

    func departed(_ connection: Connection<Delegate>) {
        guard all.removeValue(forKey: connection.number) != nil else { return }
        switch connection.place {
        case .halfOpen(let ticket):
            halfOpen[ticket] = nil
            acceptOn()
            connectionLimiter.depart(ticket)
        case .client: connectionLimiter.departClient(connection.address, connection.principal)
        case .none: break
        }
        connection.place = .none
        if all.isEmpty { emptied?.succeed() }
    }

    /// Ends every connection: publishes the wills that are due, leaves the others to the next run, waits for the commit
    /// of everything received, sends its acknowledgements and closes. The future succeeds when the last connection has
    /// closed.
    func shutDown() -> EventLoopFuture<Void> {
        let gone = loop.makePromise(of: Void.self)
        emptied = gone
        beginTurn()
        for connection in all.values { connection.finish(.serverShuttingDown) }
        hasUncommitted = false
        let settled = loop.makePromise(of: Void.self)
        delegate.commit(for: CommitWaiter(settled))
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

    /// Runs the listener's coarse timer, for keep-alives and time limits.
    func tick() {
        beginTurn()
        for connection in all.values { connection.tick(now) }
        acceptOn()
        broker.expire().forEach(record)
        publishDueWills()
        endTurn()
    }
}
