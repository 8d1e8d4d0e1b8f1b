import Board
import BoardImages
import DeviceHAL
import DeviceParts

/// A delivery to the hub: wakes the Wi-Fi module, joins the network, asks the hub for the time, and publishes the readings that
/// the hub does not have, each with QoS 1, one at a time. Then it takes what the hub has of a new image, part by part.
struct Delivery {
    /// How a delivery ended.
    enum Outcome: Equatable {
        /// The hub has acknowledged all that was sent.
        case delivered
        /// The network was joined, and the hub did not answer as it should.
        case noHub
        /// The hub has let it sign in, and an image waits for its try.
        case updateReady
        /// The network was not joined.
        case notJoined
    }

    private enum Step {
        case off, waking, restarting, choosingMode, joining, openingForTime, askingForTime, openingForHub, connecting,
            subscribing, telling, publishing, updating, closing
    }

    /// The port of the hub's pages, whose answers have the time in them.
    static var timePort: UInt16 { 8_080 }
    /// The longest wait for an answer of the hub, milliseconds.
    static var patience: UInt32 { 10_000 }
    /// The time from the supply of the Wi-Fi module to its first command, milliseconds.
    static var wakingTime: UInt32 { 300 }
    /// The most readings of one delivery, so that the radio is not awake for long.
    static var most: UInt16 { 200 }

    private var step = Step.off
    private var since: UInt32 = 0
    private var settings = LinkSettings()
    private var radio = ESP8266()
    private var line = SerialPort.radio
    private var packets = HubPackets()
    private var date = HTTPDate()
    private var inFlight: UInt32?
    private var isDelivered = false
    private var count: UInt16 = 0
    /// How often in a row the same part was asked for.
    private var asked: UInt8 = 0
    /// Whether the hub has let this sensor sign in, and what it says of updates was sent to it.
    private var isSignedIn = false
    /// Whether the Wi-Fi module has its supply.
    private var supply = OutputPin(1)

    /// How often a part is asked for that does not come.
    static var attempts: UInt8 { 3 }
    /// The longest wait for a part, milliseconds.
    static var partPatience: UInt32 { 3_000 }

    /// Whether one is going on.
    var isGoingOn: Bool { step != .off }

    /// Begins one.
    mutating func begin(_ settings: LinkSettings, at now: UInt32) {
        self.settings = settings
        supply.drive(high: true)
        radio = ESP8266()
        inFlight = nil
        isDelivered = false
        isSignedIn = false
        count = 0
        enter(.waking, now)
    }

    /// Runs one turn; returns how it ended.
    mutating func poll(
        _ moment: inout Moment, _ readings: inout ReadingStore, _ update: inout ImageUpdate, _ memory: inout Flash,
        at now: UInt32
    ) -> Outcome? {
        guard isGoingOn else {
            // A module without its supply says nothing that matters.
            while line.receive() != nil {}
            return nil
        }
        if step == .waking {
            while line.receive() != nil {}
            guard now &- since >= Self.wakingTime else { return nil }
            enter(.restarting, now)
            radio.begin(.restart, at: now)
        }
        for _ in 0..<64 {
            guard let event = radio.poll(&line, at: now) else { break }
            if let outcome = take(event, &moment, &readings, &update, &memory, now) { return end(outcome) }
        }
        if radio.isIdle { speak(moment, &readings, &update, &memory, now) }
        if step == .updating, asked > 0, radio.isIdle, now &- since >= Self.partPatience {
            guard asked < Self.attempts, let want = update.want else { return end(isDelivered ? .delivered : .noHub) }
            ask(want, now)
        }
        let waits =
            switch step {
            case .askingForTime, .connecting, .subscribing, .telling: true
            case .publishing: inFlight != nil
            default: false
            }
        if waits, now &- since >= Self.patience {
            if step == .askingForTime { close(now) } else { return end(.noHub) }
        }
        return nil
    }

    private mutating func enter(_ step: Step, _ now: UInt32) {
        self.step = step
        since = now
    }

    private mutating func end(_ outcome: Outcome) -> Outcome {
        step = .off
        supply.drive(high: false)
        return outcome
    }

    private mutating func close(_ now: UInt32) {
        // Once all is delivered the hub's answer to a good bye is not waited for.
        radio.begin(.close, at: now)
        if step == .askingForTime { step = .openingForTime } else { step = .closing }
        since = now
    }

    private mutating func take(
        _ event: ESP8266.Event, _ moment: inout Moment, _ readings: inout ReadingStore, _ update: inout ImageUpdate,
        _ memory: inout Flash, _ now: UInt32
    ) -> Outcome? {
        switch event {
        case .finished(.restart):
            enter(.choosingMode, now)
            radio.begin(.station, at: now)
        case .finished(.station):
            enter(.joining, now)
            radio.join(settings, at: now)
        case .finished(.join):
            enter(.openingForTime, now)
            radio.open(host: settings.host, port: Self.timePort, at: now)
        case .finished(.open) where step == .openingForTime:
            enter(.askingForTime, now)
            date = HTTPDate()
            radio.send(HubPackets.timeRequest(settings.host), at: now)
        case .finished(.open) where step == .openingForHub:
            enter(.connecting, now)
            packets = HubPackets()
            radio.send(packets.connect(settings), at: now)
        // The time was not to be had: a hub that takes readings may still be there.
        case .finished(.close) where step == .openingForTime, .failed(.open, _) where step == .openingForTime:
            openHub(now)
        case .finished(.close), .failed(.close, _):
            return update.isReady ? .updateReady : isDelivered ? .delivered : .noHub
        case .failed(.restart, _), .failed(.station, _), .failed(.join, _): return .notJoined
        case .failed: return .noHub
        case .received(let byte): return receive(byte, &moment, &readings, &update, &memory, now)
        case .closed where step == .askingForTime: openHub(now)
        case .closed where step == .updating: return isDelivered ? .delivered : .noHub
        case .closed where step != .closing && step != .openingForTime && step != .openingForHub: return .noHub
        case .restarted, .left: return .noHub
        default: break
        }
        return nil
    }

    private mutating func openHub(_ now: UInt32) {
        enter(.openingForHub, now)
        radio.open(host: settings.host, port: settings.port, at: now)
    }

    private mutating func receive(
        _ byte: UInt8, _ moment: inout Moment, _ readings: inout ReadingStore, _ update: inout ImageUpdate,
        _ memory: inout Flash, _ now: UInt32
    ) -> Outcome? {
        if step == .askingForTime {
            if let seconds = date.receive(byte) { moment.set(seconds) }
            return nil
        }
        guard let answer = packets.receive(byte) else { return nil }
        do throws(FlashError) {
            switch answer {
            case .connected where step == .connecting:
                try update.confirm(&memory)
                isSignedIn = true
                enter(update.isPossible ? .subscribing : .publishing, now)
                if step == .subscribing { radio.send(packets.subscribe(settings), at: now) }
            case .refused: return .noHub
            case .subscribed where step == .subscribing:
                // The packet is sent once the module has told that the one before is sent.
                enter(.telling, now)
            case .acknowledged where step == .telling: enter(.publishing, now)
            case .acknowledged where inFlight != nil:
                // Safe to take: the case says that there is one.
                try readings.markSent(inFlight ?? 0, &memory)
                inFlight = nil
                since = now
            case .offer:
                try packets.message.withBytes { (bytes) throws(FlashError) in
                    try update.offer(bytes, hasKey: settings.key.count == 32, &memory)
                }
            case .part where step == .updating:
                try takePart(&update, &memory, now)
            default: break
            }
        } catch {
            // What could not be stored is sent, or asked for, again.
            readings.fault()
            inFlight = nil
            if step == .updating { return .noHub }
        }
        return nil
    }

    private mutating func takePart(_ update: inout ImageUpdate, _ memory: inout Flash, _ now: UInt32) throws(FlashError) {
        var key = InlineArray<32, UInt8>(repeating: 0)
        for index in 0..<settings.key.count { key[index] = settings.key[index] }
        let isWanted = try packets.message.withBytes { (bytes) throws(FlashError) in
            try update.take(bytes, key: key, &memory)
        }
        // The next one is asked for in ``speak``; a spoilt one again after a while.
        if isWanted { asked = 0 }
    }

    /// Says what is to be said next, if anything is: the Wi-Fi module takes one packet after the other.
    private mutating func speak(
        _ moment: Moment, _ readings: inout ReadingStore, _ update: inout ImageUpdate, _ memory: inout Flash,
        _ now: UInt32
    ) {
        switch step {
        case .telling where inFlight == nil && isSignedIn:
            isSignedIn = false
            guard let running = update.running else { return enter(.publishing, now) }
            radio.send(packets.state(update, running, settings), at: now)
        case .publishing where inFlight == nil: publish(moment, &readings, update, &memory, now)
        case .updating where asked == 0:
            guard let want = update.want else { return close(now) }
            ask(want, now)
        default: break
        }
    }

    private mutating func ask(_ want: ImageUpdate.Want, _ now: UInt32) {
        asked += 1
        since = now
        radio.send(packets.want(want, settings), at: now)
    }

    private mutating func publish(
        _ moment: Moment, _ readings: inout ReadingStore, _ update: ImageUpdate, _ memory: inout Flash, _ now: UInt32
    ) {
        do throws(FlashError) {
            if count < Self.most, let next = try readings.next(above: readings.sent, moment, &memory) {
                inFlight = next.number
                since = now
                count += 1
                return radio.send(packets.publish(next.reading, seconds: next.seconds, settings), at: now)
            }
        } catch {
            readings.fault()
        }
        isDelivered = true
        asked = 0
        if update.want != nil { enter(.updating, now) } else { close(now) }
    }
}
