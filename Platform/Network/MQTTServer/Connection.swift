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
    /// The stages from its beginning to its end.
    enum Phase {
        case open
        /// The session was left; acknowledgements wait for a commit. The farewell is the last packet before closing.
        case ending(farewell: Disconnect?)
        /// All output was sent; waits for the client to close, so that nothing is lost to a reset.
        case draining(since: NIODeadline)
        case gone
    }

    /// The places among the connections that the listener counts.
    enum Place {
        case none
        /// The place of a connection that was not accepted yet.
        case halfOpen(BrokerConnectionLimiter.Ticket)
        case client
    }

    /// The network that carries its bytes.
    enum Link {
        /// No network yet.
        case none
        case up(any Transport)
        /// A network that has closed, while work may be left.
        case down
    }

    /// Whether the network is read from.
    enum Reading {
        case flowing
        /// Not until there is room for its answers, or another turn.
        case held
        /// Not until the delegate has room.
        case delegateFull
    }

    /// The work on the collected output that is left to the end of the turn.
    enum Flushing {
        case none
        /// To send it, and what was queued after it.
        case due
        /// To send what was queued after it: the output itself was sent before.
        case halfDone
    }

    let number: UInt64
    let server: BrokerServer<Delegate>
    let endpoint: ListenerConfiguration.Endpoint
    let isShared: Bool
    private(set) var address = ""
    var clientID = ""
    var machine: ConnectionMachine
    private(set) var link = Link.none
    var phase = Phase.open
    var place = Place.none
    /// The client, once it was accepted.
    var client: AcceptedClient<Delegate.Handler>?
    /// The time at which the client was heard last.
    private(set) var heardAt = NIODeadline.now()
    var turn: TurnBudget

    private(set) var reading = Reading.flowing
    /// The start of a packet whose rest has not come.
    var partial: ByteBuffer?
    var aliases = TopicAliases()
    /// Whether a message of a topic that is not the client's own has been put aside.
    var hasPutAside = false

    var acknowledgements = AcknowledgementQueue()
    var output = ByteBuffer()
    /// The work on the collected output that is left to the end of the turn.
    var flushing = Flushing.none
    /// The time since which the client has read nothing.
    var unwritableSince: NIODeadline?

    init(number: UInt64, server: BrokerServer<Delegate>, endpoint: ListenerConfiguration.Endpoint, isShared: Bool) {
        self.number = number
        self.server = server
        self.endpoint = endpoint
        self.isShared = isShared
        turn = TurnBudget(limits: server.limits)
        machine = ConnectionMachine(connection: number, limits: server.limits, now: server.now)
    }

    var principal: Principal? { client?.principal }

    /// The session, until it is left.
    var session: Broker.SessionID? { client?.session }

    /// Whether its session outlives the hub.
    var hasStoredSession: Bool { session.flatMap(server.broker.session)?.isPersistent ?? false }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    var transport: (any Transport)? { if case .up(let transport) = link { transport } else { nil } }

    /// Whether the network connection has closed while work is left.
    var isDown: Bool { if case .down = link { true } else { false } }

    // MARK: Reading

    /// Begins on a transport, before `BrokerServer.arrived`.
    ///
    /// - Parameter address: the other end's address as text.
    func begin(on transport: any Transport, address: String) {
        link = .up(transport)
        self.address = address
    }

    /// Detaches from the transport, which has closed.
    func end() { link = .down }

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
        if turn.isWaiting { partial = bytes } else { process(bytes) }
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
                    turn.work.spend(WorkBudget.Cost.packet)
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
        if machine.isAuthenticating || turn.isWaiting || hasAnswersWaiting || !transport.isWritable {
            reading = .held
        } else if server.delegate.hasRoom(resume: { self.resumeAfterHost() }) {
            transport.read()
        } else {
            reading = .delegateFull
        }
    }

    /// Whether the turn has budget left; if not, the connection waits for another.
    private func hasTurn() -> Bool {
        renewTurn()
        turn.endIfOverdue()
        if turn.work.isSpent { waitForTurn() }
        return !turn.work.isSpent
    }

    func renewTurn() { turn.renew(for: server.turnNumber, length: server.limits.turnTime) }

    func waitForTurn() {
        guard !turn.isWaiting, isOpen else { return }
        turn.isWaiting = true
        server.wait(self)
    }

    /// Continues with the work that was left in its last turn, and reads on after that.
    func takeTurn() {
        turn.isWaiting = false
        guard isOpen else { return }
        server.beginTurn()
        server.pump(self)
        if isOpen, !turn.isWaiting, let waiting = partial.take() { process(waiting) }
        server.endTurn()
        if isDown, !turn.isWaiting { close() }
        resumeReading()
    }

    private func resumeAfterHost() {
        guard case .delegateFull = reading else { return }
        reading = .flowing
        // The silence was the server's.
        machine.excuse(at: .now())
        transport?.read()
    }

    func resumeReading() {
        guard case .held = reading, !turn.isWaiting, transport != nil else { return }
        reading = .flowing
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
