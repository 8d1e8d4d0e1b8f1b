import MQTT
import NIOCore

/// The packets to a client, and when they are sent.
extension Connection {
    /// Whether a message may be written rather than queued.
    var isWritable: Bool {
        guard let transport, isOpen else { return false }
        return !hasAnswersWaiting && transport.isWritable
    }

    /// Whether as many answers are unread as may be, so that the client is not read from.
    var hasAnswersWaiting: Bool {
        output.readableBytes + acknowledgements.readableBytes >= server.limits.outputBytes
    }

    /// Sends a message.
    ///
    /// - Parameter afterCommit: whether it waits for the commit of what was recorded before.
    /// - Returns: false if the packet is longer than the client takes, and is not sent [MQTT-3.1.2-24].
    func send(_ publish: Publish, afterCommit: Bool = false) -> Bool {
        if let limit = machine.properties.maximumPacketBytes,
            publish.packetBytes(version: machine.version) > Int(limit)
        {
            return false
        }
        server.counted.sentMessages[publish.qualityOfService] += 1
        if afterCommit {
            // With its topic, since others may overtake it, and an alias must be known before it is used.
            acknowledge(.publish(publish))
            requestCommit()
            return true
        }
        if machine.properties.topicAliasMaximum > 0, machine.version.hasProperties {
            aliased(publish).write(into: &output, version: machine.version)
        } else {
            publish.write(into: &output, version: machine.version)
        }
        markDirty()
        return true
    }

    /// The packet with its reason string, or without if that makes it longer than the client takes [MQTT-3.4.2-2],
    /// [MQTT-3.14.2-3].
    ///
    /// - Parameter make: makes the packet with a reason string.
    func fitting(_ reasonString: String?, _ make: (String?) -> Packet) -> Packet {
        let packet = make(reasonString)
        guard reasonString != nil, let limit = machine.properties.maximumPacketBytes else { return packet }
        var bytes = ByteBuffer()
        packet.write(into: &bytes, version: machine.version)
        return bytes.readableBytes <= Int(limit) ? packet : make(nil)
    }

    /// The message with a topic alias, if the client takes any: the first topics that it is sent have one each.
    private func aliased(_ publish: Publish) -> Publish {
        let most = min(machine.properties.topicAliasMaximum, server.limits.topicAliases)
        var publish = publish
        guard let (alias, isNew) = aliases.alias(for: publish.topic, most: Int(most)) else { return publish }
        publish.properties = PublishProperties(
            forwarded: publish.properties?.forwarded ?? ByteBuffer(),
            expirySeconds: publish.properties?.expirySeconds, topicAlias: alias,
            subscriptionIdentifiers: publish.properties?.subscriptionIdentifiers ?? [])
        if !isNew { publish.topic = ByteBuffer() }
        return publish
    }

    /// Sends another PUBREL for a message of QoS 2 that the client has. It waits for the commit, since the first one
    /// may have failed, and the message would be sent again after a restart and taken for a new one.
    func sendRelease(_ delivery: MQTTSession.Delivery) {
        guard let packetID = delivery.packetID else { return }
        acknowledge(.pubrel(packetID: packetID))
        requestCommit()
    }

    /// Sends an answer that waits for the commit of what was recorded before; others may overtake it.
    func acknowledge(_ packet: Packet) {
        let version = machine.version
        acknowledgements.append { packet.write(into: &$0, version: version) }
    }

    func response(afterCommit: Bool = false, _ write: (inout ByteBuffer) -> Void) {
        if afterCommit {
            acknowledgements.append(holds: true, write)
        } else {
            write(&output)
            markDirty()
        }
    }

    private func markDirty() {
        if flushing == .none { server.markDirty(self) }
        flushing = .due
    }

    /// Sends the collected output, and what was queued after it.
    func flush() {
        let wasWritten = flushing == .halfDone
        flushing = .none
        guard writeOutput() || wasWritten else { return }
        server.pump(self)
        resumeReading()
    }

    /// Sends the collected output before the end of the turn; ``flush()`` does the rest.
    func writeEarly() {
        if writeOutput() { flushing = .halfDone }
    }

    /// Sends the collected output, unless it waits for a commit.
    ///
    /// - Returns: whether there was any.
    private func writeOutput() -> Bool {
        guard !acknowledgements.isHolding, transport != nil, output.readableBytes > 0 else { return false }
        let bytes = output
        output = ByteBuffer()
        write(bytes)
        return true
    }

    func write(_ bytes: ByteBuffer) {
        server.counted.sentBytes += bytes.readableBytes
        transport?.write(bytes)
    }

    /// Handles a change of whether the transport takes more.
    func writabilityChanged() {
        guard transport?.isWritable == true else { return }
        unwritableSince = nil
        server.beginTurn()
        server.pump(self)
        server.endTurn()
        resumeReading()
    }

    func requestCommit() {
        let request = acknowledgements.takeRequest()
        guard request != .none else { return }
        server.willCommit()
        if request == .commit { server.delegate.commit(for: self) }
    }
}

extension Connection: Acknowledger {
    func sealed() -> ByteBuffer { acknowledgements.seal() }

    func committed(_ bytes: ByteBuffer) {
        for (reading, topic) in acknowledgements.settle().readings { server.broker.committed(reading, topic: topic) }
        if case .gone = phase { return }
        if bytes.readableBytes > 0 {
            write(bytes)
            // What waited because so much did.
            server.pump(self)
        }
        if acknowledgements.countCommit() { flush() }
        drainIfSettled()
        resumeReading()
    }

    func failed() {
        withdraw(acknowledgements.settle().received)
        if case .gone = phase { return }
        server.counted.losses.count(.storage)
        server.logger.error("A commit failed; the client is closed without acknowledgement", metadata: metadata)
        close()
    }

    /// Forgets messages that were not stored: the client sends them again, and they must be accepted then. If another
    /// connection has taken over the session meanwhile, it is closed, since it may have been told that they are there.
    private func withdraw(_ packetIDs: [UInt16]) {
        guard !packetIDs.isEmpty, let sessionKey = client?.sessionKey else { return }
        for packetID in packetIDs {
            server.broker.withdraw(sessionKey, packetID: packetID).forEach(server.record)
        }
        if let holder = server.broker.connected(sessionKey) { server.connection(of: holder)?.close() }
    }
}
