import TriviaToyDevice

/// A model of the speech module's commands: the texts that it spoke are in ``spoken``, with the times.
public struct EMIC2Model: Sendable {
    /// A text that was spoken.
    public struct Utterance: Equatable, Sendable {
        /// The text in ISO 8859-1, as it came.
        public var text: [UInt8]
        /// The time at which it began, milliseconds of board time.
        public var at: UInt32
        /// Whether it was stopped.
        public var isStopped = false
        /// The voice.
        public var voice: Int
        /// The volume.
        public var volume: Int
        /// The rate, words a minute.
        public var wordsPerMinute: Int
        /// The language.
        public var language: Int

        /// The text as a string.
        public var words: String {
            String(decoding: text.flatMap { Array(String(Unicode.Scalar($0)).utf8) }, as: UTF8.self)
        }
    }

    /// The ways in which the module fails.
    public struct Faults: Equatable, Sendable {
        /// Whether the module sends nothing any more.
        public var isSilent = false
        /// The number of commands from now on that it does not know.
        public var refusals = 0

        /// No faults.
        public init() {}
    }

    /// The line to the toy.
    public var line = SerialLine(byteTime: 1_042)
    /// The faults of the module.
    public var faults = Faults()
    /// The texts that it spoke, oldest first.
    public private(set) var spoken: [Utterance] = []
    /// The commands that it did not know, as text.
    public private(set) var refused: [String] = []
    /// The settings by their command's letter.
    public private(set) var settings: [Character: Int] = ["N": 0, "V": 0, "W": 200, "L": 0, "P": 1]

    private var command: [UInt8] = []
    private var speakingUntil: UInt64?
    private var pausedAt: UInt64?
    private var readyAt: UInt64? = 3_000_000

    init() {}

    /// Turns the power off and on at a time in microseconds.
    mutating func powerOn(at now: UInt64) {
        settings = ["N": 0, "V": 0, "W": 200, "L": 0, "P": 1]
        command = []
        if speakingUntil != nil, !spoken.isEmpty { spoken[spoken.count - 1].isStopped = true }
        speakingUntil = nil
        readyAt = now + 3_000_000
    }

    mutating func advance(microseconds: UInt32, to now: UInt64) {
        for byte in line.advance(microseconds: microseconds, to: now) where readyAt == nil {
            if byte == 0x0A || byte == 0x0D { obey(now) } else { command.append(byte) }
        }
        if let ready = readyAt, now >= ready {
            readyAt = nil
            prompt()
        }
        if let end = speakingUntil, pausedAt == nil, now >= end {
            speakingUntil = nil
            prompt()
        }
    }

    private mutating func prompt() { if !faults.isSilent { line.say(":") } }

    private mutating func obey(_ now: UInt64) {
        let bytes = command
        command = []
        guard let first = bytes.first else {
            if speakingUntil == nil { prompt() }
            return
        }
        if faults.refusals > 0 {
            faults.refusals -= 1
            return refuse(bytes)
        }
        let letter = Character(Unicode.Scalar(first))
        if speakingUntil != nil {
            if letter == "X" {
                speakingUntil = nil
                pausedAt = nil
                spoken[spoken.count - 1].isStopped = true
                line.say(".")
                prompt()
            } else if letter == "Z" {
                if let paused = pausedAt {
                    speakingUntil? += now - paused
                    pausedAt = nil
                } else {
                    pausedAt = now
                }
            }
            return
        }
        let rest = bytes.dropFirst()
        switch letter {
        case "S":
            guard rest.count <= EMIC2.longestText else { return refuse(bytes) }
            speak(Array(rest), now)
        case "D": speak(Array("This is the EMIC 2.".utf8), now)
        case "N": set(letter, rest, 0...8, bytes)
        case "V": set(letter, rest, -48...18, bytes)
        case "W": set(letter, rest, 75...600, bytes)
        case "L": set(letter, rest, 0...2, bytes)
        case "P": set(letter, rest, 0...1, bytes)
        case "R":
            settings = ["N": 0, "V": 0, "W": 200, "L": 0, "P": 1]
            prompt()
        case "C", "I", "H":
            line.say("EMIC2 1.2\r\n")
            prompt()
        case "X", "Z": prompt()
        default: refuse(bytes)
        }
    }

    private mutating func speak(_ text: [UInt8], _ now: UInt64) {
        spoken.append(
            Utterance(
                text: text, at: UInt32(truncatingIfNeeded: now / 1_000), voice: settings["N"] ?? 0,
                volume: settings["V"] ?? 0, wordsPerMinute: settings["W"] ?? 200, language: settings["L"] ?? 0))
        // Six letters a word.
        speakingUntil = now + UInt64(text.count) * 10_000_000 / UInt64(settings["W"] ?? 200) + 100_000
    }

    private mutating func set(_ letter: Character, _ text: ArraySlice<UInt8>, _ range: ClosedRange<Int>, _ all: [UInt8])
    {
        guard let value = Int(String(decoding: text, as: UTF8.self)), range.contains(value) else { return refuse(all) }
        settings[letter] = value
        prompt()
    }

    private mutating func refuse(_ bytes: [UInt8]) {
        refused.append(String(decoding: bytes, as: UTF8.self))
        line.say("?")
        prompt()
    }
}
