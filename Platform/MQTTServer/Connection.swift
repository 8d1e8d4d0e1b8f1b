import Logging
import MQTT
import NIOCore

/// One client's network connection: decodes what is read, asks `ConnectionMachine` what follows, and does it.
///
/// All PUBLISHes of a read are taken at once as slices. Their PUBACKs gather in `acknowledgements` until the commit that
/// holds them is done, and leave as one write. Everything else gathers in `output` until the end of the turn.
///
/// What carries the bytes is a `Transport`: a socket of this event loop, or one that another part of the process listens to.
final class Connection<Host: MessageHost> {
    enum Phase {
        case open
        /// Left the session; acknowledgements are owed until a commit is done.
        case ending
        /// All is said; waits for the client to close, so that what was sent is not lost to a reset.
        case draining(since: NIODeadline)
        case gone
    }

    /// What was taken from the client for the host to store, and is not stored yet.
    struct Debt {
        /// PUBACKs that a client of MQTT 5.0 waits for.
        var pubacks = 0
        /// Packet ids of messages of QoS 2.
        var received: [UInt16] = []
    }

    let number: UInt64
    var principal: Principal?
    var session: Broker.SessionID?
    /// Of the session that it has, or has left.
    var sessionKey: MQTTSessionKey?

    let server: BrokerServer<Host>
    /// Nil before it has come, and once it is gone for good.
    private(set) var transport: (any Transport)?
    var machine: ConnectionMachine
    var phase = Phase.open
    var handler: Host.Handler?
    var address = ""
    var clientID = ""
    let endpoint: ListenerConfiguration.Endpoint
    let isShared: Bool
    /// Until it is let in.
    var ticket: Admissions.Ticket?
    var isAdmitted = false

    /// What it may still do in this turn.
    var budget: WorkBudget
    private var budgetTurn: UInt64 = 0
    private var turnEnds = NIODeadline.distantFuture
    var isWaitingForTurn = false
    /// The network connection is gone, but what it brought is not all done.
    var isInactive = false
    /// Since when it has taken nothing of what waits for it.
    var unwritableSince: NIODeadline?

    /// The start of a packet whose rest has not come.
    var partial: ByteBuffer?
    var latest: TopicRoute?
    var mayRetain = false
    var acknowledgements = ByteBuffer()
    /// What a commit owes the client: the one to come, and each under way.
    var debt = Debt()
    var debtsUnderWay: [Debt] = []
    /// Packet ids of messages of QoS 2 that a client of MQTT 5.0 sent on this connection, and has not released.
    var unreleased: Set<UInt16> = []
    /// The topics that a client of MQTT 5.0 gave a number.
    var aliases: [UInt16: TopicRoute] = [:]
    /// The numbers that it was given for topics.
    var sentAliases: [ByteBuffer: UInt16] = [:]
    /// Said last.
    var farewell: Disconnect?
    var needsCommit = false
    var isWaiting = false
    /// Batches that are sealed with acknowledgements of this connection and not committed yet.
    var underWay = 0
    var hasLeft = false
    var output = ByteBuffer()
    var isDirty = false
    /// A CONNACK or SUBACK waits for a commit that is not sealed, or for so many of those under way. Nothing is to overtake it.
    var holdsUnsealed = false
    var holdingCommits = 0
    private(set) var isReadHeld = false
    var isHostFull = false

    init(number: UInt64, server: BrokerServer<Host>, endpoint: ListenerConfiguration.Endpoint, isShared: Bool) {
        self.number = number
        self.server = server
        self.endpoint = endpoint
        self.isShared = isShared
        budget = WorkBudget(limits: server.limits)
        machine = ConnectionMachine(connection: number, limits: server.limits, now: server.now)
    }

    /// Whether its session outlives the hub.
    var hasStoredSession: Bool { session.flatMap(server.broker.session)?.isPersistent ?? false }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    // MARK: Reading

    /// Before anything comes, and before `BrokerServer.arrived`.
    ///
    /// - Parameter address: the other end's, in text.
    func begin(on transport: any Transport, address: String) {
        self.transport = transport
        self.address = address
    }

    /// Nothing can be said any more.
    func end() { transport = nil }

    /// Bytes of the stream, from wherever to wherever.
    func receive(_ read: ByteBuffer) {
        guard isOpen else { return }
        server.counted.receivedBytes += read.readableBytes
        var bytes = read
        if var start = partial.take() {
            // Else a stream that never ends on a packet's edge would keep all that it ever brought.
            start.discardReadBytes()
            start.writeBuffer(&bytes)
            bytes = start
        }
        if isWaitingForTurn { partial = bytes } else { process(bytes) }
    }

    func process(_ input: ByteBuffer) {
        var bytes = input
        server.beginTurn()
        do throws(ProtocolViolation) {
            decoding: while isOpen, !machine.isAuthenticating, bytes.readableBytes > 0 {
                guard hasTurn() else { break }
                if machine.isConnected,
                    let publish = try Packet.decodePublish(
                        from: &bytes, maximumLength: machine.packetLimit, version: machine.version)
                {
                    try machine.receive(publish, at: server.now)
                    budget.spend(WorkBudget.Cost.packet)
                    try take(publish)
                    continue
                }
                switch try Packet.decode(
                    from: &bytes, maximumLength: machine.packetLimit, maximumFilters: server.limits.filtersPerPacket,
                    version: machine.version)
                {
                case .incomplete: break decoding
                case .unsupportedProtocolLevel(let level):
                    try perform(try machine.receiveUnsupportedProtocolLevel(level))
                case .packet(let packet): try perform(try machine.receive(packet, at: server.now))
                }
            }
        } catch {
            close(violating: error)
        }
        if isOpen, bytes.readableBytes > 0 { partial = bytes }
        requestCommit()
        server.endTurn()
    }

    /// Whoever listens to the network would read on: now, or once there is room.
    func readOn() {
        guard let transport else { return }
        guard isOpen else { return transport.read() }
        if machine.isAuthenticating || isWaitingForTurn || hasAnswersWaiting || !transport.isWritable {
            isReadHeld = true
        } else if server.host.hasRoom(resume: { self.resumeAfterHost() }) {
            transport.read()
        } else {
            isHostFull = true
        }
    }

    /// Whether there is something left of its turn; if not, it waits for another.
    private func hasTurn() -> Bool {
        renewBudget()
        endOverdueTurn()
        if budget.isSpent { waitForTurn() }
        return !budget.isSpent
    }

    /// Ends the turn by the clock, where its work is more than it was thought to be.
    func endOverdueTurn() {
        if budget.isLookAtClockDue(), .now() >= turnEnds { budget.exhaust() }
    }

    func renewBudget() {
        guard budgetTurn != server.turnNumber else { return }
        budgetTurn = server.turnNumber
        budget.renew()
        turnEnds = .now() + server.limits.turnTime
    }

    func waitForTurn() {
        guard !isWaitingForTurn, isOpen else { return }
        isWaitingForTurn = true
        server.wait(self)
    }

    /// What it could not do in its last turn, and reading on when that is done.
    func takeTurn() {
        isWaitingForTurn = false
        guard isOpen else { return }
        server.beginTurn()
        server.pump(self)
        if isOpen, !isWaitingForTurn, let waiting = partial.take() { process(waiting) }
        server.endTurn()
        if isInactive, !isWaitingForTurn { close() }
        resumeReading()
    }

    private func resumeAfterHost() {
        guard isHostFull else { return }
        isHostFull = false
        // The silence was the server's.
        machine.excuse(at: .now())
        transport?.read()
    }

    func resumeReading() {
        guard isReadHeld, !isWaitingForTurn, transport != nil else { return }
        isReadHeld = false
        // The silence was the server's, which did not read.
        machine.excuse(at: .now())
        readOn()
    }

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["address": "\(address)", "client": "\(printable(clientID))"]
        if let principal { metadata["principal"] = "\(printable("\(principal)"))" }
        return metadata
    }
}
