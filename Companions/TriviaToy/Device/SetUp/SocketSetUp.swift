import DeviceHAL
import DeviceParts
import TriviaToyEngine
import Wire

/// The toy's side of the original's set-up: it opens the access point `Trivio`, dials whoever joins it, waits for `ok`,
/// answers `ok`, and waits for user, network and password in clear text.
///
/// The toy hangs up on a phone that says nothing, or something else, and dials it again, for as long as the set-up lasts. The
/// steps go to the Wi-Fi module one at a time.
struct SocketSetUp: Sendable {
    /// A step that the Wi-Fi module is to take.
    enum Step: Equatable, Sendable {
        case command(ESP8266.Command)
        /// Opens a connection to the visitor.
        case dial
        /// Sends the greeting.
        case greet
    }

    /// The state of a set-up that has ended.
    enum Outcome: Equatable, Sendable {
        /// The toy has its user and its network.
        case provisioned
        /// The time ``longest`` passed, and the toy has neither.
        case timedOut
    }

    private enum Stage: Sendable {
        case closed, restarting, opening, looking, dialling, waitingForGreeting, answering, waitingForMessage
        case hangingUp(isProvisioned: Bool)
        case provisioned
        case pausing(since: UInt32, isOpen: Bool)
    }

    /// The longest time for which the access point is open, milliseconds: whoever is near can join it.
    static var longest: UInt32 { 600_000 }
    /// The pause before the visitor is looked for, or dialled, again, milliseconds.
    static var pause: UInt32 { 1_000 }
    /// The time without another byte after which a message is whole, milliseconds: it has no mark at its end.
    static var quiet: UInt32 { 300 }

    private var stage = Stage.closed
    private var due: Step?
    private var since: UInt32 = 0
    private var openedAt: UInt32 = 0
    private var hasVisitor = false
    private var heard = FixedBytes<112>()
    private var heardAt: UInt32 = 0
    /// The network, and the user of the original's server, as the message had them.
    private(set) var settings = LinkSettings()

    /// A set-up that is not open.
    init() {}

    /// Whether the access point is, or is being, opened.
    var isOpen: Bool { if case .closed = stage { false } else { true } }

    /// Opens it.
    mutating func open(at now: UInt32) {
        self = SocketSetUp()
        openedAt = now
        restart()
    }

    /// Forgets all of it; the Wi-Fi module is restarted by whoever closes it.
    mutating func close() { self = SocketSetUp() }

    /// Whether the step that is due waits for nothing that the module does.
    var mayInterrupt: Bool { due == .command(.restart) }

    /// The step that is due, once the module is free.
    mutating func takeStep() -> Step? {
        defer { due = nil }
        return due
    }

    /// Takes an event of the Wi-Fi module.
    mutating func take(_ event: ESP8266.Event, at now: UInt32) {
        switch (event, stage) {
        case (.restarted, _): restart()
        case (.received(let byte), .waitingForGreeting), (.received(let byte), .answering),
            (.received(let byte), .waitingForMessage):
            heard.append(byte)
            heardAt = now
        case (.visitor, .looking): hasVisitor = true
        case (.finished(let command), _): step(after: command, now)
        case (.failed, .restarting), (.failed, .opening): stage = .pausing(since: now, isOpen: false)
        case (.failed, .hangingUp(isProvisioned: true)): stage = .provisioned
        case (.failed, _): rest(now)
        case (.closed, .waitingForMessage): if read() { stage = .provisioned } else { rest(now) }
        case (.closed, .waitingForGreeting), (.closed, .answering), (.closed, .dialling): rest(now)
        default: break
        }
    }

    private mutating func restart() {
        stage = .restarting
        due = .command(.restart)
    }

    private mutating func rest(_ now: UInt32) {
        stage = .pausing(since: now, isOpen: true)
        due = nil
    }

    private mutating func look() {
        stage = .looking
        hasVisitor = false
        due = .command(.visitors)
    }

    private mutating func hangUp(isProvisioned: Bool) {
        stage = .hangingUp(isProvisioned: isProvisioned)
        due = .command(.close)
    }

    private mutating func step(after command: ESP8266.Command, _ now: UInt32) {
        switch (stage, command) {
        case (.restarting, .restart):
            stage = .opening
            due = .command(.accessPoint)
        case (.opening, .accessPoint): look()
        case (.looking, .visitors):
            guard hasVisitor else { return rest(now) }
            stage = .dialling
            due = .dial
        case (.dialling, .open):
            heard.clear()
            stage = .waitingForGreeting
            since = now
        case (.answering, .send):
            stage = .waitingForMessage
            since = now
        case (.hangingUp(isProvisioned: true), .close): stage = .provisioned
        case (.hangingUp, .close): rest(now)
        default: break
        }
    }

    /// Lets time pass.
    ///
    /// - Parameter isWhole: whether all bytes that came at once were taken.
    /// - Returns: how the set-up ended, once; it is closed then.
    mutating func turn(_ now: UInt32, isWhole: Bool) -> Outcome? {
        guard isOpen else { return nil }
        if case .provisioned = stage {
            stage = .closed
            return .provisioned
        }
        if now &- openedAt >= Self.longest {
            close()
            return .timedOut
        }
        switch stage {
        case .waitingForGreeting:
            let isGreeted = heard.withBytes { matches($0, ProvisioningMessage.greeting) }
            if isGreeted, isWhole {
                heard.clear()
                stage = .answering
                due = .greet
            } else if heard.count > 2 || now &- since >= ProvisioningMessage.greetingTimeout {
                hangUp(isProvisioned: false)
            }
        case .waitingForMessage:
            if heard.count > 0, isWhole, now &- heardAt >= Self.quiet {
                hangUp(isProvisioned: read())
            } else if now &- since >= ProvisioningMessage.messageTimeout {
                hangUp(isProvisioned: false)
            }
        case .pausing(let since, let isOpen):
            guard now &- since >= Self.pause else { break }
            if isOpen { look() } else { restart() }
        default: break
        }
        return nil
    }

    /// Reads the message that was heard.
    ///
    /// - Returns: whether it is one that the Wi-Fi module can be given.
    private mutating func read() -> Bool {
        let message = heard
        guard !message.overflowed,
            let decoded = message.withBytes({ try? ProvisioningMessage(decoding: $0) })
        else { return false }
        var settings = LinkSettings()
        settings.user = decoded.user
        for index in decoded.ssid { settings.ssid.append(message[index]) }
        for index in decoded.password { settings.password.append(message[index]) }
        guard settings.isComplete, settings.isSayable else { return false }
        self.settings = settings
        return true
    }
}

extension TriviaToy {
    /// Takes the next step of the set-up by the original's socket, if the Wi-Fi module is free.
    mutating func serveSetUp(_ now: UInt32) {
        switch setUp.turn(now, isWhole: radio.isBetweenArrivals) {
        case .provisioned: return provision(setUp.settings)
        case .timedOut: return act(.setUpClosed)
        case nil: break
        }
        guard radio.isIdle || setUp.mayInterrupt, let step = setUp.takeStep() else { return }
        switch step {
        case .command(let command): radio.begin(command, at: now)
        case .dial:
            var host = FixedBytes<64>()
            let visitor = radio.visitorAddress
            for index in 0..<visitor.count { host.append(visitor[index]) }
            radio.open(host: host, port: ProvisioningMessage.port, at: now)
        case .greet:
            var greeting = FixedBytes<256>()
            greeting.put(text: ProvisioningMessage.greeting)
            radio.send(greeting, at: now)
        }
    }
}
