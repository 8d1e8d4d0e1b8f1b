import Logging
import MQTT
import NIOCore

/// The network connection of one client: it decodes what is received, asks `ConnectionMachine` for the consequences,
/// and carries them out.
///
/// All PUBLISHes of a read are handled at once as slices. Their PUBACKs collect in `acknowledgements` until the commit
/// is done, and are sent in one write. Everything else collects in `output` until the end of the turn.
///
/// The bytes are carried by a `Transport`: a socket of this event loop, or one that another part of the process listens
/// on.
final class Connection<Delegate: BrokerDelegate> {
    enum Phase {
        case open
        /// The session was left; acknowledgements wait for a commit.
        case ending
        /// All output was sent; waits for the client to close, so that nothing is lost to a reset.
        case draining(since: NIODeadline)
        case gone
    }

    /// The messages that were received and are not stored yet.
    struct PendingAcknowledgements {
        /// PUBACKs that a client of MQTT 5.0 waits for.
        var pubacks = 0
        /// Packet ids of messages of QoS 2.
        var received: [UInt16] = []
        /// The readings of messages that are retained, with their topics.
        var readings: [(reading: RetainedReading, topic: ByteBuffer)] = []
    }

    let number: UInt64
    var principal: Principal?
    var session: Broker.SessionID?
    /// The key of its session, current or left.
    var sessionKey: MQTTSessionKey?

    let server: BrokerServer<Delegate>
    /// The transport; nil before the connection begins and after it has ended.
    private(set) var transport: (any Transport)?
    var machine: ConnectionMachine
    var phase = Phase.open
    var handler: Delegate.Handler?
    var address = ""
    var clientID = ""
    let endpoint: ListenerConfiguration.Endpoint
    let isShared: Bool
    /// The ticket until it is accepted.
    var ticket: BrokerConnectionLimiter.Ticket?
    var isAdmitted = false
    /// The time at which the client was heard last.
    private(set) var heardAt = NIODeadline.now()

    /// The budget of this turn.
    var budget: WorkBudget
    private var budgetTurn: UInt64 = 0
    private var turnEnds = NIODeadline.distantFuture
    var isWaitingForTurn = false
    /// Whether the network connection has closed while work is left.
    var isInactive = false
    /// The time since which the client has read nothing.
    var unwritableSince: NIODeadline?

    /// The start of a packet whose rest has not come.
    var partial: ByteBuffer?
    var latest: TopicRoute?
    var mayRetain = false
    /// Whether the client hands on what others publish, as bridges and programs do.
    var handsOn = false
    /// The time at which it was accepted.
    var openedAt = NIODeadline.distantPast
    /// The payloads that were kept when it began of the topics that it hands on.
    var keptBefore = KeptBefore()
    /// Whether a message of a topic that is not the client's own has been put aside.
    var hasPutAside = false
    /// The number of the last message of it that the delegate has read and that is retained.
    var lastReading: UInt64 = 0
    var acknowledgements = ByteBuffer()
    /// The acknowledgements that the next commit settles, and those of the commits under way.
    var pendingAcknowledgements = PendingAcknowledgements()
    var acknowledgementsUnderWay: [PendingAcknowledgements] = []
    /// Packet ids of messages of QoS 2 that a client of MQTT 5.0 sent on this connection, and has not released.
    var unreleased: Set<UInt16> = []
    /// The topic aliases that a client of MQTT 5.0 has assigned.
    var aliases: [UInt16: TopicRoute] = [:]
    /// The topic aliases that it was assigned.
    var sentAliases: [ByteBuffer: UInt16] = [:]
    /// The last packet before closing.
    var farewell: Disconnect?
    var needsCommit = false
    var isWaiting = false
    /// Batches that are sealed with acknowledgements of this connection and not committed yet.
    var underWay = 0
    var hasLeft = false
    var output = ByteBuffer()
    var isDirty = false
    /// Whether a CONNACK or SUBACK waits for the next commit, or for a number of those under way. Nothing may overtake
    /// it.
    var holdsUnsealed = false
    var holdingCommits = 0
    private(set) var isReadHeld = false
    var isDelegateFull = false

    init(number: UInt64, server: BrokerServer<Delegate>, endpoint: ListenerConfiguration.Endpoint, isShared: Bool) {
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

    /// Begins on a transport, before `BrokerServer.arrived`.
    ///
    /// - Parameter address: the other end's address as text.
    func begin(on transport: any Transport, address: String) {
        self.transport = transport
        self.address = address
    }

    /// Detaches from the transport, which has closed.
    func end() { transport = nil }

    /// Handles received bytes of the stream, wherever packets begin and end.
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
        heardAt = server.now
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

    /// Lets the transport read on, now or as soon as there is room.
    func readOn() {
        guard let transport else { return }
        guard isOpen else { return transport.read() }
        if machine.isAuthenticating || isWaitingForTurn || hasAnswersWaiting || !transport.isWritable {
            isReadHeld = true
        } else if server.delegate.hasRoom(resume: { self.resumeAfterHost() }) {
            transport.read()
        } else {
            isDelegateFull = true
        }
    }

    /// Whether the turn has budget left; if not, the connection waits for another.
    private func hasTurn() -> Bool {
        renewBudget()
        endOverdueTurn()
        if budget.isSpent { waitForTurn() }
        return !budget.isSpent
    }

    /// Ends the turn by the clock, if its work took longer than estimated.
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

    /// Continues with the work that was left in its last turn, and reads on after that.
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
        guard isDelegateFull else { return }
        isDelegateFull = false
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
