/// How demanding a chart is: the original's four challenge levels, which it calls Easy, Medium, Hard and Mingsanity.
public enum Level: UInt8, Sendable, CaseIterable {
    case one = 1
    case two, three, four
}

/// Whether the music waits for the player.
public enum PlayMode: UInt8, Sendable {
    /// The original's: the song stops at the next beat while an answer is outstanding.
    case wait = 0
    /// The song goes on; hits are judged by a window around each beat that adapts to the player.
    case flow
}

/// With which hand a song is played.
public enum Hands: UInt8, Sendable {
    /// Each side of the kit is asked of its own hand.
    case both = 0
    case left, right
}

/// How the pads are joined to the page.
public enum LinkKind: UInt8, Sendable, CaseIterable {
    case screen = 0
    case keyboard
    /// The original kit: Nordic UART over Bluetooth LE. It answers by its own clock.
    case bluetooth
    /// A kit in the network, over MQTT through the hub. It answers by its own clock.
    case wifi
    /// A MIDI kit on a cable.
    case midi
    /// A MIDI kit over Bluetooth LE.
    case bluetoothMIDI
    /// Taken from the original's `sessiondata.plist`.
    case imported

    /// Whether reaction times are the drum's own, so that what the link takes is no part of them.
    public var hasOwnClock: Bool { self == .bluetooth || self == .wifi || self == .imported }
}

/// When a hit is on the beat: `centreMilliseconds` give or take `halfMilliseconds` after the beat.
public struct TimingWindow: Sendable, Equatable {
    /// How late this player is as a rule; negative is early.
    public var centreMilliseconds: Int16
    /// Half of the window's width.
    public var halfMilliseconds: UInt16

    /// A window of any place and width; a session refuses one beyond ``SessionRules/windowCentre`` and
    /// ``SessionRules/windowHalf``.
    public init(centreMilliseconds: Int16, halfMilliseconds: UInt16) {
        self.centreMilliseconds = centreMilliseconds
        self.halfMilliseconds = halfMilliseconds
    }
}

/// A tempo that holds from a step of a chart on.
public struct TempoChange: Sendable, Equatable {
    /// From 0.
    public var step: UInt16
    /// 500,000 is 120 beats a minute, the original's first song.
    public var microsecondsPerBeat: UInt32

    /// A tempo from a step on.
    public init(step: UInt16, microsecondsPerBeat: UInt32) {
        self.step = step
        self.microsecondsPerBeat = microsecondsPerBeat
    }
}

/// What is played of a song at one level: beats and rests on an even grid.
public struct Chart: Sendable, Equatable {
    /// 1 to 4; 3 in compound metres such as 6/8, whose beat is the dotted quarter.
    public var stepsPerBeat: UInt8
    /// The first at step 0, in the order of their steps.
    public var tempo: [TempoChange]
    /// True is a beat to be hit, false a rest: the original's `beat_sequence`.
    public var steps: [Bool]

    /// A chart as it is; ``DrumSession/init(setup:)`` says whether it can be played.
    public init(stepsPerBeat: UInt8, tempo: [TempoChange], steps: [Bool]) {
        self.stepsPerBeat = stepsPerBeat
        self.tempo = tempo
        self.steps = steps
    }
}

/// When to stop, as a plan sets it. Nought of each is no rule.
public struct StopRules: Sendable, Equatable {
    /// Milliseconds of this session, such as what is left of today's dose.
    public var milliseconds: UInt32
    /// Stops when fewer percent of the last ``beats`` were right.
    public var belowPercent: UInt8
    /// How many beats are looked at, 5 to 40.
    public var beats: UInt8

    /// Rules as a plan says them.
    public init(milliseconds: UInt32 = 0, belowPercent: UInt8 = 0, beats: UInt8 = 10) {
        self.milliseconds = milliseconds
        self.belowPercent = belowPercent
        self.beats = beats
    }
}

/// All that a session is from its beginning, so that it can be played again without anything else.
public struct SessionSetup: Sendable, Equatable {
    /// 16 bytes, made by who plays it.
    public var id: [UInt8]
    /// The person's identifier, ASCII.
    public var person: [UInt8]
    /// East of Greenwich, at the start.
    public var utcOffsetMinutes: Int16
    /// The song's identifier, ASCII, at most 40 bytes.
    public var songID: [UInt8]
    /// UTF-8, at most 80 bytes.
    public var songTitle: [UInt8]
    /// At the tempo at which it is played: ``tempoPercent`` says how it came about and changes nothing in it.
    public var chart: Chart
    /// Percent of the song's own tempo.
    public var tempoPercent: UInt8 = SessionRules.ownTempo
    public var level: Level
    public var mode: PlayMode
    public var hands: Hands
    /// Those that may be asked for. Of an imported session they may be none, as the original lets its players choose.
    public var drums: DrumSet
    /// Of the random choice of drums.
    public var seed: UInt32
    /// With which link it began.
    public var link: LinkKind
    /// What the link adds to each answer where it has no clock of its own, as calibration found it; nought of the others.
    /// Tenths of a millisecond.
    public var latencyTenths: UInt16
    /// Beats that are counted before the first step, 0 to 8.
    public var countInBeats: UInt8
    /// Of flow mode.
    public var window: TimingWindow
    /// Flow mode: how long before its beat a drum is lit, milliseconds.
    public var leadMilliseconds: UInt16
    /// When to stop.
    public var stop: StopRules

    /// Whether the song is played as it is written.
    public var isAtOwnTempo: Bool { tempoPercent == SessionRules.ownTempo }

    /// All of it, at the song's own tempo.
    public init(
        id: [UInt8], person: [UInt8], utcOffsetMinutes: Int16, songID: [UInt8], songTitle: [UInt8], chart: Chart,
        level: Level, mode: PlayMode, hands: Hands, drums: DrumSet, seed: UInt32, link: LinkKind,
        latencyTenths: UInt16 = 0,
        countInBeats: UInt8, window: TimingWindow, leadMilliseconds: UInt16, stop: StopRules
    ) {
        self.id = id
        self.person = person
        self.utcOffsetMinutes = utcOffsetMinutes
        self.songID = songID
        self.songTitle = songTitle
        self.chart = chart
        self.level = level
        self.mode = mode
        self.hands = hands
        self.drums = drums
        self.seed = seed
        self.link = link
        self.latencyTenths = latencyTenths
        self.countInBeats = countInBeats
        self.window = window
        self.leadMilliseconds = leadMilliseconds
        self.stop = stop
    }
}
