import Logging
import MQTT
import NIOCore

/// How a connection ends.
extension Connection {
    /// Says no with a CONNACK, and closes. Without a session present [MQTT-3.2.2-4].
    ///
    /// - Parameter loss: what it counts as, where the code does not say it.
    func refuse(_ code: ReasonCode, as loss: Loss? = nil) {
        server.counted.losses.count(loss ?? code.lossOfClient)
        server.logger.info("A client was refused", metadata: metadata.merging(["code": "\(code)"]) { $1 })
        server.refused(self)
        var connack = ConnectAcknowledgement(reason: code)
        connack.properties.reasonString = code.sentence
        let version = machine.version
        response { Packet.connack(connack).write(into: &$0, version: version) }
        finish()
    }

    /// Leaves the session, and closes once what is owed has been committed and sent.
    ///
    /// - Parameters:
    ///   - reason: what a client of MQTT 5.0 is told before; nil where it has said goodbye itself, or was refused.
    ///   - sentence: the reason in words.
    func finish(_ reason: ReasonCode? = nil, sentence: String? = nil) {
        guard isOpen else { return }
        if isInactive { return close() }
        if let reason, session != nil, machine.version.hasProperties {
            farewell = Disconnect(reason, reasonString: sentence ?? reason.sentence)
        }
        leave()
        phase = .ending
        partial = nil
        drainIfSettled()
        resumeReading()
    }

    func drainIfSettled() {
        guard case .ending = phase, !needsCommit, !isWaiting, underWay == 0, let transport else { return }
        if let farewell { Packet.disconnect(farewell).write(into: &output, version: machine.version) }
        flush()
        phase = .draining(since: .now())
        transport.finish()
    }

    func close(violating violation: ProtocolViolation) {
        server.counted.losses.count(violation.loss)
        server.logger.notice("A client broke the protocol; closed: \(violation)", metadata: metadata)
        // What was taken before is acknowledged first; who takes nothing would never have it.
        if session == nil || violation == .noReader {
            close()
        } else {
            finish(violation.code, sentence: violation.reason)
        }
    }

    func closeTakenOver() {
        server.logger.info("Another connection takes over the session", metadata: metadata)
        // At once, so that its place is free for the other.
        if machine.version.hasProperties, session != nil, !holdsUnsealed, !holdsSealed, transport != nil {
            var bytes = output
            output = ByteBuffer()
            let reason = ReasonCode.sessionTakenOver
            Packet.disconnect(Disconnect(reason, reasonString: reason.sentence)).write(into: &bytes, version: .v5)
            write(bytes)
        }
        close()
    }

    /// There are too many that have not said who they are, and it has waited longest.
    func closeForAnother() {
        server.counted.losses.count(.gaveWay)
        server.logger.info("A connection without CONNECT gave way to another", metadata: metadata)
        close()
    }

    /// Closes at once; a will is published.
    func close() {
        if case .gone = phase { return }
        leave()
        phase = .gone
        partial = nil
        if isInactive { server.departed(self) } else { transport?.close() }
    }

    /// The other end is gone.
    func departed() {
        isInactive = true
        if case .gone = phase {
            server.departed(self)
        } else if !(isOpen && isWaitingForTurn && partial != nil) {
            close()
        }
        // Else what came before the end is done first, in its turn.
    }

    /// The network, or TLS, reports an error.
    func fail(_ error: any Error) {
        server.logger.debug("A connection failed: \(error)", metadata: metadata)
        close()
    }

    /// The session is without its client from here on. Does something the first time only.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        let will = machine.close()
        guard let session, let handler else { return }
        self.session = nil
        server.beginTurn()
        let expirySeconds = server.broker.session(session)?.expirySeconds ?? 0
        let key = server.broker.session(session)?.key
        server.left(session)
        if let will, let key { server.take(will, of: key, through: handler, expirySeconds: expirySeconds) }
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
        guard let transport, !isInactive, !transport.isWritable else { return false }
        let since = unwritableSince ?? now
        unwritableSince = since
        return now - since > server.limits.writeTime
    }
}
