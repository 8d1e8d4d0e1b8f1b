import DeviceHAL
import DeviceParts
import TriviaToyEngine
import Wire

/// The driver of Grand Idea Studio's EMIC 2 text-to-speech module on a serial line, 9600 baud 8N1.
///
/// Commands and answers: "Emic 2 Text-to-Speech Module (#30016)", version 1.2. Every command ends with a line feed; the
/// module sends `:` when it is ready for the next one, `.` when a text was stopped, and `?` for an unknown command. The
/// driver never waits: it is polled in each turn of the firmware.
public struct EMIC2: Sendable {
    /// The longest text of one `S` command, letters.
    public static var longestText: Int { 1_023 }
    /// The longest time that the module takes to start, milliseconds.
    static var startTime: UInt32 { 5_000 }
    /// The longest time that a setting takes, milliseconds.
    static var settingTime: UInt32 { 1_000 }
    /// The longest time from stopping to silence, milliseconds.
    static var stopTime: UInt32 { 2_000 }

    /// The voice and its settings.
    public struct Settings: Equatable, Sendable {
        /// The voice, `N`, 0...8.
        public var voice: UInt8 = 0
        /// The volume, `V`, decibels, -48...18.
        public var volume: Int8 = 0
        /// The rate, `W`, words a minute, 75...600.
        public var wordsPerMinute: UInt16 = 150
        /// The language, `L`.
        public var language = FactLanguage.english
        /// The parser, `P`: 0 is DECtalk, 1 Epson.
        public var parser: UInt8 = 1

        /// The original's voice and rate.
        public init() {}

        /// The settings with every value clamped to its range.
        var clamped: Settings {
            var settings = self
            settings.voice = min(voice, 8)
            settings.volume = min(max(volume, -48), 18)
            settings.wordsPerMinute = min(max(wordsPerMinute, 75), 600)
            settings.parser = min(parser, 1)
            return settings
        }
    }

    /// The commands that neither speak nor set.
    public enum Query: UInt8, Sendable {
        /// Prints the settings: `C`.
        case settings = 0x43
        /// Prints the version: `I`.
        case version = 0x49
        /// Prints the commands: `H`.
        case help = 0x48
        /// Restores the factory's settings: `R`.
        case reset = 0x52
        /// Speaks the demonstration that introduces the module: `D1`.
        case demonstration = 0x44
    }

    /// An event of the module.
    public enum Event: Equatable, Sendable {
        /// A piece was spoken to its end.
        case finished
        /// The stopped text is silent.
        case stopped
        /// The module gives no prompt; it is asked for one each second.
        case lost
        /// The module gives prompts again.
        case found
    }

    /// The state of the module.
    enum Phase: Equatable, Sendable {
        case waitingForPrompt, ready, setting, receivingText, speaking, stopping
    }

    /// The settings to be applied; sent when it is ready.
    public var settings = Settings()
    private var applied: Settings?
    private var pending: Settings?
    private(set) var phase = Phase.waitingForPrompt
    /// Whether the module answers.
    public private(set) var isPresent = true
    /// Whether speaking is paused.
    public private(set) var isPaused = false
    /// The number of commands that it did not know, which means that bytes are lost on the line.
    public private(set) var refusals: UInt16 = 0
    private var since: UInt32 = 0
    private var allowance: UInt32 = 0
    private var refused = false
    private var output = FixedBytes<16>()
    private var sent = 0
    private var letters: UInt32 = 0

    /// A module that is about to be switched on.
    public init() {}

    /// Whether a text may be begun now.
    public var isReady: Bool { phase == .ready && applied == settings.clamped && sent == output.count }
    /// Whether it speaks, or is receiving a text.
    public var isSpeaking: Bool { phase == .receivingText || phase == .speaking }
    /// Whether the line takes the next letter of the text.
    public func canTake(_ line: some UART) -> Bool {
        phase == .receivingText && sent == output.count && line.canSend
    }

    /// Begins after the module was switched on.
    public mutating func begin(at now: UInt32) {
        self = EMIC2(settings: settings)
        since = now
        allowance = Self.startTime
    }

    private init(settings: Settings) { self.settings = settings }

    /// Begins a text. To be asked for only where ``isReady``.
    public mutating func beginText(_ line: inout some UART, at now: UInt32) {
        guard isReady else { return }
        letters = 0
        queue(UInt8(ascii: "S"), nil)
        phase = .receivingText
        pump(&line)
    }

    /// Sends a letter of the text, in ISO 8859-1. To be asked for only where ``canTake(_:)``.
    public mutating func put(_ letter: UInt8, _ line: inout some UART) {
        letters += 1
        line.send(letter)
    }

    /// Ends the text, which is spoken from now on.
    public mutating func endText(at now: UInt32) {
        guard phase == .receivingText else { return }
        output.append(UInt8(ascii: "\n"))
        phase = .speaking
        since = now
        // Six letters a word; twice that time, and five seconds, before it is given up.
        allowance = letters * 20_000 / UInt32(settings.clamped.wordsPerMinute) + 5_000
    }

    /// Stops speaking; a text that is being sent is ended first.
    public mutating func stop(at now: UInt32) {
        guard isSpeaking else { return }
        if phase == .receivingText { output.append(UInt8(ascii: "\n")) }
        queue(UInt8(ascii: "X"), nil)
        output.append(UInt8(ascii: "\n"))
        phase = .stopping
        since = now
        allowance = Self.stopTime
        isPaused = false
    }

    /// Pauses speaking, or goes on.
    public mutating func pause(at now: UInt32) {
        guard phase == .speaking else { return }
        queue(UInt8(ascii: "Z"), nil)
        output.append(UInt8(ascii: "\n"))
        isPaused.toggle()
        since = now
    }

    /// Sends a command whose answer is not needed. To be asked for only where ``isReady``.
    public mutating func ask(_ query: Query, at now: UInt32) {
        guard isReady else { return }
        queue(query.rawValue, query == .demonstration ? 1 : nil)
        output.append(UInt8(ascii: "\n"))
        if query == .reset { applied = nil }
        phase = query == .demonstration ? .speaking : .setting
        pending = query == .reset ? nil : applied
        since = now
        allowance = query == .demonstration ? 60_000 : Self.settingTime
    }

    /// Runs one turn.
    public mutating func poll(_ line: inout some UART, at now: UInt32) -> Event? {
        pump(&line)
        while let byte = line.receive() {
            if let event = take(byte, now) { return event }
        }
        if isPaused { since = now }
        switch phase {
        case .ready: apply(now)
        case .receivingText: since = now
        default:
            guard now &- since >= allowance, sent == output.count else { break }
            // An empty line is answered by a prompt: the bytes before it were lost.
            since = now
            allowance = 1_000
            applied = nil
            pending = nil
            let wasPresent = isPresent
            isPresent = false
            phase = .waitingForPrompt
            output.append(UInt8(ascii: "\n"))
            pump(&line)
            return wasPresent ? .lost : nil
        }
        pump(&line)
        return nil
    }

    private mutating func take(_ byte: UInt8, _ now: UInt32) -> Event? {
        switch byte {
        case UInt8(ascii: "?"):
            refusals = refusals == .max ? .max : refusals + 1
            refused = true
        case UInt8(ascii: ":"):
            let before = phase
            guard before != .receivingText else { return nil }
            // A prompt for what was sent before the text's line end left is not the text's.
            if before == .speaking, sent < output.count { return nil }
            phase = .ready
            if before == .setting, !refused { applied = pending }
            refused = false
            if !isPresent {
                isPresent = true
                return .found
            }
            if before == .speaking { return .finished }
            if before == .stopping { return .stopped }
        default: break
        }
        return nil
    }

    /// Sends the first setting that differs.
    private mutating func apply(_ now: UInt32) {
        let wanted = settings.clamped
        guard applied != wanted, sent == output.count else { return }
        var next = applied ?? Settings()
        if applied == nil {
            // Nothing is known of it: what is sent first makes the rest differ from what it is set to.
            next.voice = wanted.voice
            next.volume = wanted.volume == -48 ? -47 : wanted.volume - 1
            next.wordsPerMinute = wanted.wordsPerMinute == 75 ? 76 : wanted.wordsPerMinute - 1
            next.language = wanted.language == .english ? .castilianSpanish : .english
            next.parser = 1 - wanted.parser
            queue(UInt8(ascii: "N"), Int64(wanted.voice))
        } else if next.voice != wanted.voice {
            next.voice = wanted.voice
            queue(UInt8(ascii: "N"), Int64(wanted.voice))
        } else if next.volume != wanted.volume {
            next.volume = wanted.volume
            queue(UInt8(ascii: "V"), Int64(wanted.volume))
        } else if next.wordsPerMinute != wanted.wordsPerMinute {
            next.wordsPerMinute = wanted.wordsPerMinute
            queue(UInt8(ascii: "W"), Int64(wanted.wordsPerMinute))
        } else if next.language != wanted.language {
            next.language = wanted.language
            queue(UInt8(ascii: "L"), Int64(wanted.language.rawValue))
        } else {
            next.parser = wanted.parser
            queue(UInt8(ascii: "P"), Int64(wanted.parser))
        }
        output.append(UInt8(ascii: "\n"))
        pending = next
        phase = .setting
        since = now
        allowance = Self.settingTime
    }

    private mutating func queue(_ command: UInt8, _ number: Int64?) {
        if sent == output.count {
            output.clear()
            sent = 0
        }
        output.append(command)
        if let number { output.put(decimal: number) }
    }

    private mutating func pump(_ line: inout some UART) {
        while sent < output.count, line.canSend {
            line.send(output[sent])
            sent += 1
        }
        if sent == output.count {
            output.clear()
            sent = 0
        }
    }
}
