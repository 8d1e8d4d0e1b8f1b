import Board
import DeviceHAL
import DeviceParts

/// A delivery to the hub: wakes the Wi-Fi module, joins the network, asks the hub for the time, and publishes the readings that
/// the hub does not have, each with QoS 1, one at a time.
struct Delivery {
    /// How a delivery ended.
    enum Outcome: Equatable {
        /// The hub has acknowledged all that was sent.
        case delivered
        /// The network was joined, and the hub did not answer as it should.
        case noHub
        /// The network was not joined.
        case notJoined
    }

    private enum Step {
        case off, waking, restarting, choosingMode, joining, openingForTime, askingForTime, openingForHub, connecting,
            publishing, closing
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
    /// Whether the Wi-Fi module has its supply.
    private var supply = OutputPin(1)

    /// Whether one is going on.
    var isGoingOn: Bool { step != .off }

    /// Begins one.
    mutating func begin(_ settings: LinkSettings, at now: UInt32) {
        self.settings = settings
        supply.drive(high: true)
        radio = ESP8266()
        inFlight = nil
        isDelivered = false
        count = 0
        enter(.waking, now)
    }

    /// Runs one turn; returns how it ended.
    mutating func poll(_ moment: inout Moment, _ readings: inout ReadingStore, _ memory: inout Flash, at now: UInt32)
        -> Outcome?
    {
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
            if let outcome = take(event, &moment, &readings, &memory, now) { return end(outcome) }
        }
        if step == .publishing, inFlight == nil, radio.isIdle { publish(moment, &readings, &memory, now) }
        let waits = step == .askingForTime || step == .connecting || step == .publishing && inFlight != nil
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
        _ event: ESP8266.Event, _ moment: inout Moment, _ readings: inout ReadingStore, _ memory: inout Flash,
        _ now: UInt32
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
        case .finished(.close): return isDelivered ? .delivered : .noHub
        case .failed(.close, _): return isDelivered ? .delivered : .noHub
        case .failed(.restart, _), .failed(.station, _), .failed(.join, _): return .notJoined
        case .failed: return .noHub
        case .received(let byte): return receive(byte, &moment, &readings, &memory, now)
        case .closed where step == .askingForTime: openHub(now)
        case .closed where step == .connecting || step == .publishing: return .noHub
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
        _ byte: UInt8, _ moment: inout Moment, _ readings: inout ReadingStore, _ memory: inout Flash, _ now: UInt32
    ) -> Outcome? {
        if step == .askingForTime {
            if let seconds = date.receive(byte) { moment.set(seconds) }
            return nil
        }
        switch packets.receive(byte) {
        case .connected where step == .connecting: enter(.publishing, now)
        case .refused: return .noHub
        case .acknowledged where inFlight != nil:
            do throws(FlashError) {
                // Safe to take: the case says that there is one.
                try readings.markSent(inFlight ?? 0, &memory)
            } catch {
                readings.fault()
            }
            inFlight = nil
            since = now
        default: break
        }
        return nil
    }

    private mutating func publish(
        _ moment: Moment, _ readings: inout ReadingStore, _ memory: inout Flash, _ now: UInt32
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
        close(now)
    }
}
