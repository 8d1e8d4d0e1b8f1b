import Logging
import MQTT
import NIOCore

/// The ways in which a connection ends.
extension Connection {
    /// Refuses the client with a CONNACK without a session present [MQTT-3.2.2-4], and closes.
    ///
    /// - Parameters:
    ///   - code: the reason code.
    ///   - loss: the reason to count, if the code does not say it.
    func refuse(_ code: ReasonCode, as loss: Loss? = nil) {
        server.counted.losses.count(loss ?? code.lossOfClient)
        server.logger.info("A client was refused", metadata: metadata.merging(["code": "\(code)"]) { $1 })
        server.refused(self)
        let packet = fitting(code.sentence) { text in
            var connack = ConnectAcknowledgement(reason: code)
            connack.properties.reasonString = text
            return .connack(connack)
        }
        let version = machine.version
        response { packet.write(into: &$0, version: version) }
        finish()
    }

    /// Leaves the session, and closes once everything owed has been committed and sent.
    ///
    /// - Parameters:
    ///   - reason: the reason for a client of MQTT 5.0; nil if it has said goodbye itself, or was refused.
    ///   - sentence: the reason in words.
    func finish(_ reason: ReasonCode? = nil, sentence: String? = nil) {
        guard isOpen else { return }
        if isDown { return close() }
        var farewell: Disconnect?
        if let reason, session != nil, machine.version.hasProperties {
            farewell = Disconnect(reason, reasonString: sentence ?? reason.sentence)
        }
        leave()
        phase = .ending(farewell: farewell)
        partial = nil
        drainIfSettled()
        resumeReading()
    }

    func drainIfSettled() {
        guard case .ending(let farewell) = phase, acknowledgements.isSettled, let transport else { return }
        if let farewell {
            fitting(farewell.reasonString) { .disconnect(Disconnect(farewell.reason, reasonString: $0)) }
                .write(into: &output, version: machine.version)
        }
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

    /// Closes in favour of another connection with the same token.
    ///
    /// - Parameter reason: what a client of MQTT 5.0 is told: ``ReasonCode/sessionTakenOver`` to a connection of the same
    ///   client identifier, ``ReasonCode/quotaExceeded`` to the one that was silent longest of too many.
    func closeTakenOver(_ reason: ReasonCode = .sessionTakenOver) {
        if let principal { server.delegate.gaveWay(principal) }
        server.logger.info(
            reason == .sessionTakenOver
                ? "Another connection takes over the session"
                : "A connection that was silent for long gave way to another with its token", metadata: metadata)
        // At once, so that its place is free for the other.
        if machine.version.hasProperties, session != nil, !acknowledgements.isHolding, transport != nil {
            var bytes = output
            output = ByteBuffer()
            fitting(reason.sentence) { .disconnect(Disconnect(reason, reasonString: $0)) }
                .write(into: &bytes, version: .v5)
            write(bytes)
        }
        close()
    }

    /// Closes a connection that has not sent its CONNECT, in favour of another.
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
        if isDown { server.departed(self) } else { transport?.close() }
    }

    /// Handles the end of the network connection.
    func departed() {
        end()
        if case .gone = phase {
            server.departed(self)
        } else if !(isOpen && turn.isWaiting && partial != nil) {
            close()
        }
        // Else what came before the end is done first, in its turn.
    }

    /// Handles an error of the network or TLS.
    func fail(_ error: any Error) {
        server.logger.debug("A connection failed: \(error)", metadata: metadata)
        close()
    }

    /// Leaves the session, the first time only.
    private func leave() {
        let will = machine.close()
        guard let client, let session = client.session else { return }
        client.session = nil
        server.beginTurn()
        server.leave(session, will, of: client.principal, through: client.handler)
        client.handler.close()
        server.endTurn()
    }

    /// Checks the time limits, on the listener's coarse timer.
    func tick(_ now: NIODeadline) {
        switch phase {
        case .open:
            if isStuck(at: now) {
                close(violating: .noReader)
            } else if case .flowing = reading, !turn.isWaiting, let violation = machine.overdue(at: now) {
                close(violating: violation)
            }
        case .draining(let since):
            // A slow client may be busy with what came before the DISCONNECT, which a reset would take away unread.
            if now - since > .seconds(2) { close() }
        case .ending, .gone: break
        }
    }

    /// Whether the client has read nothing for too long.
    private func isStuck(at now: NIODeadline) -> Bool {
        guard let transport, !transport.isWritable else { return false }
        let since = unwritableSince ?? now
        unwritableSince = since
        return now - since > server.limits.writeTime
    }
}
