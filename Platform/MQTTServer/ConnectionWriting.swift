import MQTT
import NIOCore

/// What leaves for the client, and when.
extension Connection {
    /// Whether a message may be written rather than queued.
    var isWritable: Bool {
        guard let context, isOpen, !isInactive else { return false }
        return output.readableBytes < board.limits.outputBytes && context.channel.isWritable
    }

    /// Who asks and does not take the answers is asked no more.
    var hasAnswersWaiting: Bool {
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
