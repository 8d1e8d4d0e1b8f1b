import Logging
import MQTT
import NIOCore

/// One client's network connection: decodes what is read, asks `ConnectionMachine` what follows, and does it.
///
/// All PUBLISHes of a read are taken at once as slices. Their PUBACKs gather in `acknowledgements` until the commit that
/// holds them is done, and leave as one write. Everything else gathers in `output` until the end of the turn.
final class Connection<Host: MessageHost>: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// Left the session; acknowledgements are owed until a commit is done.
        case ending
        /// All is said; waits for the client to close, so that what was sent is not lost to a reset.
        case draining(since: NIODeadline)
        case gone
    }

    let number: UInt64
    var principal: Principal?
    var session: Broker.SessionID?

    let board: Switchboard<Host>
    private var context: ChannelHandlerContext?
    var machine: ConnectionMachine
    private var phase = Phase.open
    var sender: Host.Sender?
    var address = ""
    var clientID = ""
    let allowsAnonymous: Bool
    let isShared: Bool
    /// Until it is let in.
    var ticket: Admissions.Ticket?
    var isAdmitted = false

    /// What it may still do in this turn.
    var budget: WorkBudget
    private var budgetTurn: UInt64 = 0
    private var isWaitingForTurn = false
    /// The network connection is gone, but what it brought is not all done.
    private var isInactive = false
    /// Since when it has taken nothing of what waits for it.
    private var unwritableSince: NIODeadline?

    /// The start of a packet whose rest has not come.
    var partial: ByteBuffer?
    var latest: TopicRoute?
    var mayRetain = false
    var acknowledgements = ByteBuffer()
    var needsCommit = false
    private var isWaiting = false
    /// Batches that are sealed with acknowledgements of this connection and not committed yet.
    private var underWay = 0
    private var hasLeft = false
    private var output = ByteBuffer()
    private var isDirty = false
    /// A CONNACK or SUBACK waits for a commit that is not sealed, or that is under way. Nothing is to overtake it.
    private var holdsUnsealed = false
    private var holdsSealed = false
    private var isReadHeld = false
    private var isHostFull = false

    init(number: UInt64, board: Switchboard<Host>, allowsAnonymous: Bool, isShared: Bool) {
        self.number = number
        self.board = board
        self.allowsAnonymous = allowsAnonymous
        self.isShared = isShared
        budget = WorkBudget(limits: board.limits)
        machine = ConnectionMachine(connection: number, limits: board.limits, now: board.now)
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    // MARK: Reading

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        address = context.channel.remoteAddress?.ipAddress ?? "unknown"
    }

    func channelActive(context: ChannelHandlerContext) {
        board.arrived(self)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else { return }
        var bytes = Self.unwrapInboundIn(data)
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
        board.beginTurn()
        do throws(ProtocolViolation) {
            decoding: while isOpen, !machine.isAuthenticating, bytes.readableBytes > 0 {
                guard hasTurn() else { break }
                switch try Packet.decode(
                    from: &bytes, maximumLength: machine.packetLimit, maximumFilters: board.limits.filtersPerPacket)
                {
                case .incomplete: break decoding
                case .unsupportedProtocolLevel: try perform(try machine.receiveUnsupportedProtocolLevel())
                case .packet(let packet): try perform(try machine.receive(packet, at: board.now))
                }
            }
        } catch {
            close(violating: error)
        }
        if isOpen, bytes.readableBytes > 0 { partial = bytes }
        requestCommit()
        board.endTurn()
    }

    func read(context: ChannelHandlerContext) {
        guard isOpen else { return context.read() }
        if machine.isAuthenticating || isWaitingForTurn || hasAnswersWaiting || !context.channel.isWritable {
            isReadHeld = true
        } else if board.host.hasRoom(resume: { self.resumeAfterHost() }) {
            context.read()
        } else {
            isHostFull = true
        }
    }

    /// Whether there is something left of its turn; if not, it waits for another.
    private func hasTurn() -> Bool {
        renewBudget()
        if budget.isSpent { waitForTurn() }
        return !budget.isSpent
    }

    func renewBudget() {
        guard budgetTurn != board.turnNumber else { return }
        budgetTurn = board.turnNumber
        budget.renew()
    }

    func waitForTurn() {
        guard !isWaitingForTurn, isOpen else { return }
        isWaitingForTurn = true
        board.wait(self)
    }

    /// What it could not do in its last turn, and reading on when that is done.
    func takeTurn() {
        isWaitingForTurn = false
        guard isOpen else { return }
        board.beginTurn()
        board.pump(self)
        if isOpen, !isWaitingForTurn, let waiting = partial.take() { process(waiting) }
        board.endTurn()
        if isInactive, !isWaitingForTurn { close() }
        resumeReading()
    }

    private func resumeAfterHost() {
        guard isHostFull else { return }
        isHostFull = false
        // The silence was the server's.
        machine.excuse(at: .now())
        context?.read()
    }

    func resumeReading() {
        guard isReadHeld, !isWaitingForTurn, let context else { return }
        isReadHeld = false
        read(context: context)
    }

    // MARK: Writing

    /// Whether a message may be written rather than queued.
    var isWritable: Bool {
        guard let context, isOpen, !isInactive else { return false }
        return output.readableBytes < board.limits.outputBytes && context.channel.isWritable
    }

    /// Who asks and does not take the answers is asked no more.
    private var hasAnswersWaiting: Bool {
        output.readableBytes + acknowledgements.readableBytes >= board.limits.outputBytes
    }

    func send(_ publish: Publish) {
        board.sent += 1
        publish.write(into: &output)
        markDirty()
    }

    func reply(afterCommit: Bool = false, _ write: (inout ByteBuffer) -> Void) {
        if afterCommit {
            write(&acknowledgements)
            needsCommit = true
            holdsUnsealed = true
        } else {
            write(&output)
            markDirty()
        }
    }

    private func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        board.markDirty(self)
    }

    /// Sends what has gathered, and what was queued behind it.
    func flush() {
        isDirty = false
        guard !holdsUnsealed, !holdsSealed, let context, output.readableBytes > 0 else { return }
        let bytes = output
        output = ByteBuffer()
        context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
        board.pump(self)
        resumeReading()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unwritableSince = nil
            board.beginTurn()
            board.pump(self)
            board.endTurn()
            resumeReading()
        }
        context.fireChannelWritabilityChanged()
    }

    func requestCommit() {
        guard needsCommit else { return }
        needsCommit = false
        board.willCommit()
        guard !isWaiting else { return }
        isWaiting = true
        board.host.commit(for: self)
    }

    // MARK: Closing

    /// Says no with a CONNACK, and closes. Without a session present [MQTT-3.2.2-4].
    func refuse(_ code: ConnectReturnCode) {
        board.logger.info("A client was refused", metadata: metadata.merging(["code": "\(code.rawValue)"]) { $1 })
        board.refused(self)
        reply { Packet.connack(sessionPresent: false, code).write(into: &$0) }
        finish()
    }

    /// Leaves the session, and closes once what is owed has been committed and sent.
    func finish() {
        guard isOpen else { return }
        if isInactive { return close() }
        leave()
        phase = .ending
        partial = nil
        drainIfSettled()
        resumeReading()
    }

    private func drainIfSettled() {
        guard case .ending = phase, !needsCommit, !isWaiting, underWay == 0, let context else { return }
        flush()
        phase = .draining(since: .now())
        context.close(mode: .output, promise: nil)
    }

    func close(violating violation: ProtocolViolation) {
        board.logger.notice("A client broke the protocol; closed: \(violation)", metadata: metadata)
        close()
    }

    func closeTakenOver() {
        board.logger.info("Another connection takes over the session", metadata: metadata)
        close()
    }

    /// There are too many that have not said who they are, and it has waited longest.
    func closeForAnother() {
        board.logger.info("A connection without CONNECT gave way to another", metadata: metadata)
        close()
    }

    /// Closes at once; a will is published.
    func close() {
        if case .gone = phase { return }
        leave()
        phase = .gone
        partial = nil
        if isInactive { board.departed(self) } else { context?.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInactive = true
        if case .gone = phase {
            board.departed(self)
        } else if !(isOpen && isWaitingForTurn && partial != nil) {
            close()
        }
        // Else what came before the end is done first, in its turn.
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        board.logger.debug("A connection failed: \(error)", metadata: metadata)
        close()
    }

    /// The session is without its client from here on. Does something the first time only.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        let will = machine.close()
        guard let session, let sender, let principal else { return }
        self.session = nil
        board.beginTurn()
        board.left(session)
        if let will { board.publish(will, of: principal, through: sender) }
        sender.close()
        board.endTurn()
    }

    /// The listener's coarse timer.
    func tick(_ now: NIODeadline) {
        switch phase {
        case .open:
            if isStuck(at: now) {
                close(violating: .noReader)
            } else if !isHostFull, !isWaitingForTurn, let violation = machine.overdue(at: now) {
                close(violating: violation)
            }
        case .draining(let since):
            if now - since > .milliseconds(500) { close() }
        case .ending, .gone: break
        }
    }

    /// Whether it has taken nothing of what waits for it for too long.
    private func isStuck(at now: NIODeadline) -> Bool {
        guard let context, !isInactive, !context.channel.isWritable else { return false }
        let since = unwritableSince ?? now
        unwritableSince = since
        return now - since > board.limits.writeTime
    }

    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["address": "\(address)", "client": "\(printable(clientID))"]
        if let principal { metadata["principal"] = "\(printable("\(principal)"))" }
        return metadata
    }
}

extension Connection: Acknowledger {
    func sealed() -> ByteBuffer {
        isWaiting = false
        underWay += 1
        if holdsUnsealed {
            holdsUnsealed = false
            holdsSealed = true
        }
        defer { acknowledgements = ByteBuffer() }
        return acknowledgements
    }

    func committed(_ acknowledgements: ByteBuffer) {
        underWay -= 1
        if case .gone = phase { return }
        if acknowledgements.readableBytes > 0, let context {
            context.writeAndFlush(Self.wrapOutboundOut(acknowledgements), promise: nil)
        }
        if holdsSealed {
            holdsSealed = false
            flush()
        }
        drainIfSettled()
        resumeReading()
    }

    func failed() {
        underWay -= 1
        if case .gone = phase { return }
        board.logger.error("A commit failed; the client is closed without acknowledgement", metadata: metadata)
        close()
    }
}
