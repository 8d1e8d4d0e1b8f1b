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

    init(number: UInt64, board: Switchboard<Host>) {
        self.number = number
        self.board = board
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
        process(bytes)
    }

    func process(_ input: ByteBuffer) {
        var bytes = input
        board.beginTurn()
        do throws(ProtocolViolation) {
            decoding: while isOpen, !machine.isAuthenticating {
                switch try Packet.decode(from: &bytes, maximumLength: machine.packetLimit) {
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
        if machine.isAuthenticating || !context.channel.isWritable {
            isReadHeld = true
        } else if board.host.hasRoom(resume: { self.resumeAfterHost() }) {
            context.read()
        } else {
            isHostFull = true
        }
    }

    private func resumeAfterHost() {
        guard isHostFull else { return }
        isHostFull = false
        // The silence was the server's.
        machine.excuse(at: .now())
        context?.read()
    }

    func resumeReading() {
        guard isReadHeld, let context else { return }
        isReadHeld = false
        read(context: context)
    }

    // MARK: Writing

    /// Whether a message may be written rather than queued.
    var isWritable: Bool {
        guard let context, isOpen else { return false }
        return output.readableBytes < board.limits.outputBytes && context.channel.isWritable
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
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
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
        reply { Packet.connack(sessionPresent: false, code).write(into: &$0) }
        finish()
    }

    /// Leaves the session, and closes once what is owed has been committed and sent.
    func finish() {
        guard isOpen else { return }
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

    /// Closes at once; a will is published.
    func close() {
        if case .gone = phase { return }
        leave()
        phase = .gone
        partial = nil
        context?.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        board.departed(self)
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
            if !isHostFull, let violation = machine.overdue(at: now) { close(violating: violation) }
        case .draining(let since):
            if now - since > .milliseconds(500) { close() }
        case .ending, .gone: break
        }
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
    }

    func failed() {
        underWay -= 1
        if case .gone = phase { return }
        board.logger.error("A commit failed; the client is closed without acknowledgement", metadata: metadata)
        close()
    }
}
