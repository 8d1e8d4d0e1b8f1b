import DeviceHAL
import DeviceParts
import TriviaToyEngine

/// The messages that are to be sent to the hub, most urgent first.
struct LinkDuties: Sendable {
    /// The number of facts that were never spoken below which the toy asks for more.
    static var fewFacts: Int { 50 }
    /// The time between two reports of the status, milliseconds.
    static var statusInterval: UInt32 { 300_000 }
    /// The longest time to an answer of the hub, milliseconds; after it the connection is half open.
    static var answerTime: UInt32 { 15_000 }

    var wantsConnect = false
    var wantsSubscribe = false
    /// The PUBACKs of stored messages, up to 64 of them.
    var acknowledgements = FixedBytes<256>()
    var statusIsDue = false
    /// The report that was sent and is not answered; 0 for a status.
    var inFlight: UInt32?
    var isPinging = false
    var sentAt: UInt32 = 0
    var statusAt: UInt32 = 0
    var isOnline = false

    /// Whether the hub owes an answer.
    var isWaiting: Bool { inFlight != nil || isPinging }

    mutating func online(at now: UInt32) {
        self = LinkDuties()
        isOnline = true
        statusIsDue = true
        statusAt = now
        sentAt = now
    }
}

extension TriviaToy {
    /// Reads from the Wi-Fi module, a bounded number of bytes a turn.
    mutating func listen() {
        for _ in 0..<64 {
            let now = board.milliseconds
            guard let event = radio.poll(&board.radio, at: now) else { return }
            if setUp.isOpen {
                setUp.take(event, at: now)
            } else if case .received(let byte) = event {
                if machine.server == .original {
                    original.answer.receive(byte)
                } else if let message = link.receive(byte) {
                    take(message)
                }
            } else {
                if event == .restarted { faults.insert(.radio) }
                act(.radio(event))
            }
        }
    }

    private mutating func take(_ message: MQTTLink.Event) {
        switch message {
        case .acknowledged:
            if let sequence = duties.inFlight, sequence != 0 {
                do throws(FlashError) {
                    try journal.markReported(sequence, &board.memory)
                } catch {
                    faults.insert(.store)
                }
            }
            duties.inFlight = nil
        case .pong: duties.isPinging = false
        case .message(let topic):
            // What is not stored is not acknowledged: the hub sends it again at the next connection.
            if receive(topic), link.wantsAcknowledgement, duties.acknowledgements.count <= 252 {
                link.acknowledge(into: &duties.acknowledgements)
            }
        default: act(.hub(message))
        }
    }

    /// Stores a message.
    ///
    /// - Returns: whether it is stored, or will never be of use.
    private mutating func receive(_ topic: MQTTLink.Topic) -> Bool {
        do throws(FlashError) {
            switch topic {
            case .fact:
                let outcome = try link.payload { (bytes) throws(FlashError) -> FactStore.Outcome in
                    guard let fact = try? FactMessage(decoding: bytes) else { return .alreadyThere }
                    return try facts.store(
                        fact, text: bytes.extracting(fact.text), speaking: storedFactInSpeech, &board.memory)
                }
                prepareIfNeeded(after: outcome)
                return outcome != .busy
            case .rules:
                guard let message = link.payload({ try? RulesMessage(decoding: $0) }) else { return true }
                clock.set(time: message.now, utcOffset: message.utcOffset)
                try journal.store(rules: message.rules, &board.memory)
                motion.usesOriginalRule = message.rules.usesOriginalThrowRule
                applyVoice()
            case .other: break
            }
        } catch {
            faults.insert(.store)
            duties.statusIsDue = true
            return false
        }
        return true
    }

    /// The fact that is being read from the memory, whose page has to stay.
    var storedFactInSpeech: FactStore.Stored? { isReading && current?.starter == nil ? current : nil }

    /// Prepares another fact where one was stored and needs it.
    mutating func prepareIfNeeded(after outcome: FactStore.Outcome) {
        // The place of the one that was to come next may have been needed.
        let isGone = prepared.map { $0.number < facts.oldest } ?? true
        if outcome == .stored, isGone || facts.count(above: journal.state.heard) == 1 { prepare() }
    }

    /// Sends the most urgent message, if the Wi-Fi module is free.
    mutating func serve(_ now: UInt32) {
        if duties.isWaiting, now &- duties.sentAt >= LinkDuties.answerTime {
            perform(machine.hubIsSilent(at: now))
        }
        guard !setUp.isOpen, radio.isIdle, let settings = journal.settings else { return }
        if machine.server == .original {
            serveOriginal(settings, now)
        } else if duties.wantsConnect {
            duties.wantsConnect = false
            radio.send(link.connect(settings), at: now)
        } else if duties.wantsSubscribe {
            duties.wantsSubscribe = false
            radio.send(link.subscribe(settings), at: now)
        } else if duties.isOnline {
            serveOnline(settings, now)
        }
    }

    private mutating func serveOnline(_ settings: LinkSettings, _ now: UInt32) {
        if duties.acknowledgements.count > 0 {
            radio.send(duties.acknowledgements, at: now)
            return duties.acknowledgements.clear()
        }
        guard !duties.isWaiting else { return }
        if let report = nextReport() {
            var bytes = FixedBytes<32>()
            switch report {
            case .play(let play): play.encode(into: &bytes)
            case .vote(let vote): vote.encode(into: &bytes)
            }
            duties.inFlight = report.sequence
            let topic: StaticString = if case .play = report { ToyTopic.play } else { ToyTopic.vote }
            radio.send(link.publish(topic, bytes, settings), at: now)
        } else if duties.statusIsDue || now &- duties.statusAt >= LinkDuties.statusInterval {
            duties.statusIsDue = false
            duties.statusAt = now
            duties.inFlight = 0
            var bytes = FixedBytes<32>()
            status.encode(into: &bytes)
            radio.send(link.publish(ToyTopic.status, bytes, settings), at: now)
        } else if now &- duties.sentAt >= UInt32(MQTTLink.keepAlive) * 500 {
            duties.isPinging = true
            radio.send(link.ping, at: now)
        } else {
            return
        }
        duties.sentAt = now
    }

    private mutating func nextReport() -> Journal.Report? {
        guard journal.unreported > 0 else { return nil }
        do throws(FlashError) {
            return try journal.nextReport(&board.memory)
        } catch {
            faults.insert(.store)
            return nil
        }
    }

    /// The status of the toy.
    public var status: StatusReport {
        var status = StatusReport()
        status.uptime = clock.uptime
        status.batteryMillivolts = battery.millivolts
        status.batteryPercent = battery.percent
        status.faults = faults
        let unheard = facts.count(above: journal.state.heard)
        status.storedFacts = UInt16(clamping: facts.count)
        status.unheardFacts = UInt16(clamping: unheard)
        status.wanted = unheard < LinkDuties.fewFacts ? UInt16(LinkDuties.fewFacts * 2 - unheard) : 0
        status.unreported = UInt16(clamping: journal.unreported)
        status.lostReports = journal.state.lost
        status.volume = speech.settings.volume
        return status
    }
}
