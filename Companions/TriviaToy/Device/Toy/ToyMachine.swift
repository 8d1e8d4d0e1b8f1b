import DeviceParts
import TriviaToyEngine

/// The state machine of the toy, without any hardware: one region for its voice, one for its link.
public struct ToyMachine: Sendable {
    /// The state of the voice.
    public enum Voice: Equatable, Sendable {
        case silent
        /// A fact is to be spoken as soon as the speech module is ready, until that time.
        case waiting(PlayCause, until: UInt32)
        case speaking
        /// The fact is being stopped; then the next fact, if any, is spoken.
        case stopping(next: PlayCause?)
    }

    /// The state of the link.
    public enum Link: Equatable, Sendable {
        /// The toy knows no network.
        case notSetUp
        case restarting, choosingMode, joining, opening, connecting, subscribing, online
        /// The connection is closed before it is opened again.
        case closing
        /// The toy is in the network of a house with the original's server, without a connection.
        case resting
        /// The original's server was asked, and its answer is awaited.
        case asking
        /// The toy's own network is open for the set-up, and nothing else is done.
        case openToSetUp
        /// The link waits until the next attempt.
        case pausing(since: UInt32)
    }

    /// The server that a toy speaks with.
    public enum Server: Equatable, Sendable {
        /// The toy knows none, and no network either.
        case none
        /// A hub, by MQTT.
        case hub
        /// The original's server, by its HTTP API.
        case original
    }

    /// The server that the toy speaks with.
    public internal(set) var server = Server.none
    /// The current state of the voice.
    public private(set) var voice = Voice.silent
    /// The current state of the link.
    public private(set) var link = Link.notSetUp
    /// Whether somebody sets up its network now.
    public private(set) var isSettingUp = false
    /// The number of failures of the link since it was last online.
    public private(set) var failures: UInt8 = 0
    private var since: UInt32 = 0

    /// The longest time that a throw waits for the speech module, milliseconds.
    static var patience: UInt32 { 6_000 }
    /// The longest time that the hub takes to answer CONNECT or SUBSCRIBE, milliseconds.
    static var answerTime: UInt32 { 10_000 }
    /// The step of a button, decibels. From the quietest to the loudest are 11 steps.
    static var volumeStep: Int8 { 6 }

    /// A toy that is off.
    public init() {}

    /// The pause of the link after a number of failures, milliseconds: 1 s, 2 s, 4 s, and so on to 64 s.
    static func pause(afterFailures failures: UInt8) -> UInt32 { 1_000 << UInt32(min(max(failures, 1), 7) - 1) }

    /// Whether the toy speaks with its server, or could at once.
    public var isConnected: Bool {
        switch link {
        case .online, .resting, .asking: true
        case .opening: server == .original
        default: false
        }
    }

    /// Whether the network, and not the hub, is missing.
    public var isJoining: Bool {
        switch link {
        case .restarting, .choosingMode, .joining: true
        default: false
        }
    }

    /// Handles an event.
    public mutating func handle(_ event: ToyEvent, at now: UInt32) -> ToyActions {
        var actions = ToyActions()
        switch event {
        case .switchedOn:
            if server != .none { restart(now, &actions) }
        case .provisioned:
            isSettingUp = true
            failures = 0
            restart(now, &actions)
        case .setUpClosed: closeSetUp(now, &actions)
        case .wantsToAsk:
            guard link == .resting else { break }
            enter(.opening, now)
            actions.add(.command(.open))
        case .answered(let isRefused):
            guard link == .resting else { break }
            if isRefused { fail(now, &actions) } else { failures = 0 }
        case .played(let cause, let silence): play(cause, silence, now, &actions)
        case .press(let button, let press): take(button, press, now, &actions)
        case .speechReady:
            if case .waiting(let cause, _) = voice {
                voice = .speaking
                actions.add(.speak(cause))
            }
        case .speech(let event): take(event, now, &actions)
        case .radio(let event): take(event, now, &actions)
        case .hub(let event): take(event, now, &actions)
        case .turn: turn(now, &actions)
        }
        return actions
    }

    /// Ends waiting when a fact could not be spoken: there is none, or the store does not answer.
    public mutating func nothingToSpeak() { voice = .silent }

    // MARK: - The voice

    private mutating func play(
        _ cause: PlayCause, _ silence: HouseRules.Silence?, _ now: UInt32, _ actions: inout ToyActions
    ) {
        guard silence == nil else { return }
        switch voice {
        case .silent: voice = .waiting(cause, until: now &+ Self.patience)
        case .waiting: break
        case .speaking:
            voice = .stopping(next: cause)
            actions.add(.stopSpeaking)
            actions.add(.end(.stopped))
        case .stopping: voice = .stopping(next: cause)
        }
    }

    private mutating func take(
        _ button: ToyButton, _ press: Button.Press, _ now: UInt32, _ actions: inout ToyActions
    ) {
        switch (button, press) {
        case (.up, .short): actions.add(.changeVolume(Self.volumeStep))
        case (.down, .short): actions.add(.changeVolume(-Self.volumeStep))
        case (.up, .long): actions.add(.vote(.up))
        case (.down, .long): actions.add(.vote(.down))
        case (.middle, .short):
            guard voice == .speaking else { break }
            voice = .stopping(next: nil)
            actions.add(.stopSpeaking)
            actions.add(.end(.stopped))
        case (.middle, .veryLong):
            if link == .openToSetUp { closeSetUp(now, &actions) } else { openSetUp(now, &actions) }
        default: break
        }
    }

    private mutating func take(_ event: EMIC2.Event, _ now: UInt32, _ actions: inout ToyActions) {
        switch (event, voice) {
        case (.finished, .speaking):
            voice = .silent
            actions.add(.end(.finished))
        case (.lost, .speaking):
            voice = .silent
            actions.add(.end(.cutOff))
        case (.stopped, .stopping(let next)), (.finished, .stopping(let next)), (.lost, .stopping(let next)):
            voice = next.map { .waiting($0, until: now &+ Self.patience) } ?? .silent
        default: break
        }
    }

    // MARK: - The link

    private mutating func openSetUp(_ now: UInt32, _ actions: inout ToyActions) {
        if link == .online { actions.add(.goOffline) }
        isSettingUp = true
        enter(.openToSetUp, now)
        actions.add(.openSetUp)
    }

    private mutating func closeSetUp(_ now: UInt32, _ actions: inout ToyActions) {
        guard link == .openToSetUp else { return }
        isSettingUp = false
        failures = 0
        restart(now, &actions)
    }

    private mutating func restart(_ now: UInt32, _ actions: inout ToyActions) {
        if link == .online { actions.add(.goOffline) }
        if link == .openToSetUp { actions.add(.closeSetUp) }
        enter(.restarting, now)
        actions.add(.command(.restart))
    }

    private mutating func enter(_ state: Link, _ now: UInt32) {
        link = state
        since = now
    }

    private mutating func fail(_ now: UInt32, _ actions: inout ToyActions) {
        if link == .online { actions.add(.goOffline) }
        failures = failures == .max ? .max : failures + 1
        enter(.pausing(since: now), now)
    }

    private mutating func take(_ event: ESP8266.Event, _ now: UInt32, _ actions: inout ToyActions) {
        switch event {
        case .restarted:
            if link != .notSetUp { restart(now, &actions) }
        case .closed where link == .asking:
            enter(.resting, now)
            actions.add(.takeAnswer)
        case .left, .closed:
            switch link {
            case .opening, .connecting, .subscribing, .online, .asking: fail(now, &actions)
            case .resting: if event == .left { fail(now, &actions) }
            default: break
            }
        case .finished(let command): step(command, now, &actions)
        case .failed(let command, let failure):
            switch command {
            case .join:
                if isSettingUp { actions.add(.reportSetUp(failure)) }
                fail(now, &actions)
            case .restart, .station, .open, .send, .close: fail(now, &actions)
            case .scan, .status, .accessPoint, .visitors: break
            }
        case .received, .network, .status, .visitor: break
        }
    }

    private mutating func step(_ command: ESP8266.Command, _ now: UInt32, _ actions: inout ToyActions) {
        switch (link, command) {
        case (.restarting, .restart):
            enter(.choosingMode, now)
            actions.add(.command(.station))
        case (.choosingMode, .station):
            guard server != .none else { return enter(.notSetUp, now) }
            enter(.joining, now)
            actions.add(.command(.join))
        case (.joining, .join):
            if isSettingUp { actions.add(.reportSetUp(nil)) }
            isSettingUp = false
            guard server == .hub else { return enter(.resting, now) }
            enter(.opening, now)
            actions.add(.command(.open))
        case (.closing, .close):
            enter(.opening, now)
            actions.add(.command(.open))
        case (.opening, .open):
            enter(server == .hub ? .connecting : .asking, now)
            actions.add(server == .hub ? .sendConnect : .sendRequest)
        default: break
        }
    }

    private mutating func take(_ event: MQTTLink.Event, _ now: UInt32, _ actions: inout ToyActions) {
        switch (event, link) {
        case (.connected, .connecting):
            enter(.subscribing, now)
            actions.add(.sendSubscribe)
        case (.subscribed, .subscribing):
            enter(.online, now)
            failures = 0
            actions.add(.goOnline)
        case (.refused, _), (.malformed, _):
            fail(now, &actions)
            actions.add(.command(.close))
        default: break
        }
    }

    private mutating func turn(_ now: UInt32, _ actions: inout ToyActions) {
        if case .waiting(_, let until) = voice, Int32(bitPattern: now &- until) >= 0 { voice = .silent }
        switch link {
        case .pausing:
            guard now &- since >= Self.pause(afterFailures: failures) else { break }
            // After a few failures the module itself is started anew.
            if failures % 4 == 3 {
                restart(now, &actions)
            } else {
                enter(.choosingMode, now)
                actions.add(.command(.station))
            }
        case .connecting, .subscribing, .asking:
            guard now &- since >= Self.answerTime else { break }
            fail(now, &actions)
            actions.add(.command(.close))
        default: break
        }
    }

    /// Closes the connection when the hub did not answer in time: it is half open.
    mutating func hubIsSilent(at now: UInt32) -> ToyActions {
        var actions = ToyActions()
        guard link == .online else { return actions }
        actions.add(.goOffline)
        failures = failures == .max ? .max : failures + 1
        enter(.closing, now)
        actions.add(.command(.close))
        return actions
    }
}
