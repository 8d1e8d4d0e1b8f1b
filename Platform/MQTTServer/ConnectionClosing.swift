import Logging
import MQTT
import NIOCore

/// How a connection ends.
extension Connection {
    /// Says no with a CONNACK, and closes. Without a session present [MQTT-3.2.2-4].
    func refuse(_ code: ConnectReturnCode) {
        server.logger.info("A client was refused", metadata: metadata.merging(["code": "\(code.rawValue)"]) { $1 })
        server.refused(self)
        response { Packet.connack(sessionPresent: false, code).write(into: &$0) }
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

    func drainIfSettled() {
        guard case .ending = phase, !needsCommit, !isWaiting, underWay == 0, let context else { return }
        flush()
        phase = .draining(since: .now())
        context.close(mode: .output, promise: nil)
    }

    func close(violating violation: ProtocolViolation) {
        server.logger.notice("A client broke the protocol; closed: \(violation)", metadata: metadata)
        close()
    }

    func closeTakenOver() {
        server.logger.info("Another connection takes over the session", metadata: metadata)
        close()
    }

    /// There are too many that have not said who they are, and it has waited longest.
    func closeForAnother() {
        server.logger.info("A connection without CONNECT gave way to another", metadata: metadata)
        close()
    }

    /// Closes at once; a will is published.
    func close() {
        if case .gone = phase { return }
        leave()
        phase = .gone
        partial = nil
        if isInactive { server.departed(self) } else { context?.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isInactive = true
        if case .gone = phase {
            server.departed(self)
        } else if !(isOpen && isWaitingForTurn && partial != nil) {
            close()
        }
        // Else what came before the end is done first, in its turn.
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        server.logger.debug("A connection failed: \(error)", metadata: metadata)
        close()
    }

    /// The session is without its client from here on. Does something the first time only.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        let will = machine.close()
        guard let session, let handler, let principal else { return }
        self.session = nil
        server.beginTurn()
        server.left(session)
        if let will { server.publish(will, of: principal, through: handler) }
        handler.close()
        server.endTurn()
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
        return now - since > server.limits.writeTime
    }
}
