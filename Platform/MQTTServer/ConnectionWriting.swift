import MQTT
import NIOCore

/// What leaves for the client, and when.
extension Connection {
    /// Whether a message may be written rather than queued.
    var isWritable: Bool {
        guard let context, isOpen, !isInactive else { return false }
        return output.readableBytes < server.limits.outputBytes && context.channel.isWritable
    }

    /// Who asks and does not take the answers is asked no more.
    var hasAnswersWaiting: Bool {
        output.readableBytes + acknowledgements.readableBytes >= server.limits.outputBytes
    }

    func send(_ publish: Publish) {
        server.sent += 1
        publish.write(into: &output)
        markDirty()
    }

    func response(afterCommit: Bool = false, _ write: (inout ByteBuffer) -> Void) {
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
        server.markDirty(self)
    }

    /// Sends what has gathered, and what was queued behind it.
    func flush() {
        isDirty = false
        guard !holdsUnsealed, !holdsSealed, let context, output.readableBytes > 0 else { return }
        let bytes = output
        output = ByteBuffer()
        context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
        server.pump(self)
        resumeReading()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unwritableSince = nil
            server.beginTurn()
            server.pump(self)
            server.endTurn()
            resumeReading()
        }
        context.fireChannelWritabilityChanged()
    }

    func requestCommit() {
        guard needsCommit else { return }
        needsCommit = false
        server.willCommit()
        guard !isWaiting else { return }
        isWaiting = true
        server.host.commit(for: self)
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
        server.logger.error("A commit failed; the client is closed without acknowledgement", metadata: metadata)
        close()
    }
}
