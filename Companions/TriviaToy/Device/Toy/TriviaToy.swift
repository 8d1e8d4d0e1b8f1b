import DeviceHAL
import DeviceParts
import TriviaToyEngine

/// The toy's firmware, which speaks a fact when the toy is thrown.
///
/// ```swift
/// var toy = TriviaToy(board: board)
/// toy.begin()
/// while true { toy.poll() }
/// ```
///
/// It needs no heap. Nothing in a turn waits, but for the flash memory and, after a fault, for the accelerometer's
/// reset.
public struct TriviaToy<Board: ToyBoard> {
    /// The hardware.
    public var board: Board
    /// The state machine.
    public internal(set) var machine = ToyMachine()
    /// The faults of the parts.
    public internal(set) var faults: StatusReport.Faults = []
    /// The battery.
    public internal(set) var battery = Battery()
    /// The light and its signals.
    public internal(set) var light = StatusLight()
    /// The facts.
    public internal(set) var facts: FactStore
    /// The journal of data that must survive a power cut.
    public internal(set) var journal: Journal
    /// The volume that was chosen by the buttons, decibels; the house's limit applies as well.
    public internal(set) var volume: Int8 = 0

    var accelerometer = MPU6050()
    var motion = ThrowDetector()
    var speech = EMIC2()
    var radio = ESP8266(accessPoint: ProvisioningMessage.accessPoint)
    var link = MQTTLink()
    var clock = WallClock()
    var reader = FactReader()
    var console = SetUpConsole()
    var setUp = SocketSetUp()
    var original = OriginalLink()
    var duties = LinkDuties()
    var buttons = (Button(), Button(), Button(debounce: 50))
    var sampledAt: UInt32 = 0
    var verifiedAt: UInt32 = 0
    var batteryAt: UInt32?
    var isAwake = false
    /// The fact that is spoken next.
    var prepared: FactStore.Stored?
    /// The fact that is spoken, or was last, which votes are for.
    public internal(set) var current: FactStore.Stored?
    var isReading = false
    /// Whether the next piece of the fact waits for the speech module, which first takes settings that were changed
    /// meanwhile.
    var isPieceWaiting = false

    /// The time between samples, milliseconds.
    static var sampleInterval: UInt32 { 5 }
    /// The time after which the accelerometer's settings are read back, or it is begun anew, milliseconds.
    static var verifyInterval: UInt32 { 1_000 }

    /// A toy that is about to be switched on. The journal has the first pages of the memory, the facts the others.
    public init(board: Board, journalPages: Int = 8) {
        self.board = board
        let pageSize = board.memory.pageSize
        journal = Journal(firstPage: 0, pages: journalPages, pageSize: pageSize)
        facts = FactStore(firstPage: journalPages, pages: board.memory.pageCount - journalPages, pageSize: pageSize)
    }

    /// Switches on: reads the memory, wakes the parts, and connects to the hub if it knows one.
    public mutating func begin() {
        light.set(.switchingOn, true)
        light.update(&board.light)
        do throws(FlashError) {
            try journal.mount(&board.memory)
            // The power went while it spoke.
            try journal.end(.cutOff, &board.memory)
            try facts.mount(heard: journal.state.heard, &board.memory)
        } catch {
            faults.insert(.store)
        }
        volume = min(volume, journal.rules.volumeCap)
        motion.usesOriginalRule = journal.rules.usesOriginalThrowRule
        wakeAccelerometer(selfTest: true)
        speech.begin(at: board.milliseconds)
        applyVoice()
        prepare()
        light.set(.switchingOn, false)
        chooseServer()
        act(.switchedOn)
    }

    /// Sets the settings of the link, and connects. Settings that are incomplete, or cannot be sent to the Wi-Fi
    /// module, are ``ESP8266/Failure/refused`` at once, and those from before stay.
    public mutating func provision(_ settings: LinkSettings) {
        guard settings.isComplete, settings.isSayable else {
            console.finish(.refused)
            return setUpResult = .some(.refused)
        }
        do throws(FlashError) {
            try journal.store(settings: settings, &board.memory)
        } catch {
            faults.insert(.store)
        }
        chooseServer()
        act(.provisioned)
    }

    private mutating func chooseServer() {
        guard let settings = journal.settings, settings.isComplete else { return machine.server = .none }
        machine.server = settings.user == 0 ? .hub : .original
    }

    /// Runs one turn, to be called at least once a millisecond.
    public mutating func poll() {
        // The clock goes on within a turn: each part is told the time anew, for what was begun a moment ago began in no future.
        let now = board.milliseconds
        clock.turn(now)
        sense(now)
        press(now)
        if let event = speech.poll(&board.speech, at: board.milliseconds) { heard(event) }
        beginWaitingPiece(board.milliseconds)
        if speech.isReady, !isReading, case .waiting = machine.voice { act(.speechReady) }
        read()
        listen()
        if console.poll(&board.console, known: journal.settings) { provision(console.settings) }
        act(.turn)
        serve(board.milliseconds)
        serveSetUp(board.milliseconds)
        measureBattery(board.milliseconds)
        shine()
    }

    // MARK: - Motion

    private mutating func wakeAccelerometer(selfTest: Bool) {
        verifiedAt = board.milliseconds
        do throws(MPU6050Error) {
            try accelerometer.begin(&board)
            if selfTest { try accelerometer.selfTest(&board) }
            isAwake = true
            faults.remove(.accelerometer)
        } catch {
            isAwake = false
            faults.insert(.accelerometer)
        }
        motion.reset()
    }

    private mutating func sense(_ now: UInt32) {
        if now &- verifiedAt >= Self.verifyInterval {
            guard isAwake else { return wakeAccelerometer(selfTest: false) }
            verifiedAt = now
            do throws(MPU6050Error) {
                try accelerometer.verify(&board.bus)
            } catch {
                faults.insert(.accelerometer)
                isAwake = false
            }
        }
        guard isAwake, now &- sampledAt >= Self.sampleInterval else { return }
        sampledAt = now
        do throws(MPU6050Error) {
            let sample = try accelerometer.sample(&board.bus)
            if let cause = motion.take(sample, at: now) { play(cause) }
        } catch {
            // One transfer that failed is a sample less; the settings are read back at their time.
        }
    }

    private mutating func play(_ cause: PlayCause) {
        let today = clock.day == journal.state.day || clock.day == 0 ? journal.state.playedToday : 0
        act(.played(cause, silence: journal.rules.silence(minuteOfDay: clock.minuteOfDay, playedToday: today)))
    }

    private mutating func press(_ now: UInt32) {
        if let press = buttons.0.take(isDown: board.isDown(.up), at: now) { act(.press(.up, press)) }
        if let press = buttons.1.take(isDown: board.isDown(.down), at: now) { act(.press(.down, press)) }
        guard let press = buttons.2.take(isDown: board.isDown(.middle), at: now) else { return }
        if press == .short, machine.voice == .silent { play(.button) } else { act(.press(.middle, press)) }
    }

    // MARK: - Turns of the rest

    private mutating func measureBattery(_ now: UInt32) {
        if let last = batteryAt, now &- last < 1_000 { return }
        batteryAt = now
        let wasLow = battery.isLow
        battery.take(millivolts: board.battery.millivolts())
        if battery.isLow { faults.insert(.batteryLow) } else { faults.remove(.batteryLow) }
        if battery.isLow != wasLow { duties.statusIsDue = true }
    }

    private mutating func shine() {
        light.set(.batteryLow, battery.isLow)
        light.set(.settingUp, machine.isSettingUp)
        light.set(.joining, machine.isJoining)
        light.set(.talkingToHub, duties.isWaiting || machine.link == .asking)
        light.set(.connected, machine.isConnected)
        light.set(.notConnected, true)
        light.update(&board.light)
    }

    /// Passes an event to the state machine, and performs the actions.
    mutating func act(_ event: ToyEvent) {
        let actions = machine.handle(event, at: board.milliseconds)
        perform(actions)
    }

    mutating func perform(_ actions: ToyActions) {
        for index in 0..<actions.count { perform(actions[index]) }
    }

    private mutating func perform(_ action: ToyAction) {
        let now = board.milliseconds
        switch action {
        case .speak(let cause): speak(cause)
        case .stopSpeaking:
            isReading = false
            // Between two pieces, or where none could be read, nothing is spoken that would end.
            if speech.isSpeaking { speech.stop(at: now) } else { act(.speech(.stopped)) }
        case .end(let ending): end(ending)
        case .vote(let vote): give(vote)
        case .changeVolume(let step):
            volume = min(max(volume + step, -48), min(18, journal.rules.volumeCap))
            applyVoice()
        case .command(.join): if let settings = journal.settings { radio.join(settings, at: now) }
        case .command(.open):
            link.reset()
            guard let settings = journal.settings else { break }
            if machine.server == .original {
                radio.open(host: OriginalLink.host, port: OriginalLink.port, at: now)
            } else {
                radio.open(host: settings.host, port: settings.port, at: now)
            }
        case .command(let command): radio.begin(command, at: now)
        case .sendConnect: duties.wantsConnect = true
        case .sendSubscribe: duties.wantsSubscribe = true
        case .sendRequest: original.wantsSend = true
        case .takeAnswer: takeAnswer()
        case .openSetUp: setUp.open(at: now)
        case .closeSetUp: setUp.close()
        case .goOnline: duties.online(at: now)
        case .goOffline: duties = LinkDuties()
        case .reportSetUp(let failure):
            setUpResult = .some(failure)
            console.finish(failure)
        }
    }

    /// The outcome of the last set-up: nil while none has ended, nil inside for success.
    public internal(set) var setUpResult: ESP8266.Failure??
}

extension TriviaToy: Sendable where Board: Sendable {}
