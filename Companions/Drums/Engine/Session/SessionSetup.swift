/// The difficulty of a chart: the original's four challenge levels, which it calls Easy, Medium, Hard and Mingsanity.
public enum Level: UInt8, Sendable, CaseIterable {
    case one = 1
    case two, three, four
}

/// Whether the music waits for the player.
public enum PlayMode: UInt8, Sendable {
    /// The original's mode: the song stops at the next beat while an answer is outstanding.
    case wait = 0
    /// The song goes on; hits are judged by a window around each beat that adapts to the player.
    case flow
}

/// The hands that play a song.
public enum Hands: UInt8, Sendable {
    /// The left and the right hand: each side of the kit is asked of its own hand.
    case both = 0
    case left, right
}

/// The connection of the pads to the page.
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

/// The timing window of a hit that is on the beat: `centreMilliseconds` give or take `halfMilliseconds` after the beat.
public struct TimingWindow: Sendable, Equatable {
    /// The centre: the usual lateness of this player; negative is early.
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
    /// The step, from 0.
    public var step: UInt16
    /// The length of a beat: 500,000 is 120 beats a minute, the original's first song.
    public var microsecondsPerBeat: UInt32

    /// A tempo from a step on.
    public init(step: UInt16, microsecondsPerBeat: UInt32) {
        self.step = step
        self.microsecondsPerBeat = microsecondsPerBeat
    }
}

/// The beats and rests of a song at one level, on an even grid.
public struct Chart: Sendable, Equatable {
    /// The steps of a beat, 1 to 4; 3 in compound metres such as 6/8, whose beat is the dotted quarter.
    public var stepsPerBeat: UInt8
    /// The tempo changes, in the order of their steps, the first at step 0.
    public var tempo: [TempoChange]
    /// The steps. True is a beat to be hit, false a rest: the original's `beat_sequence`.
    public var steps: [Bool]

    /// A chart as it is; ``DrumSession/init(setup:)`` says whether it can be played.
    public init(stepsPerBeat: UInt8, tempo: [TempoChange], steps: [Bool]) {
        self.stepsPerBeat = stepsPerBeat
        self.tempo = tempo
        self.steps = steps
    }
}

/// The rules of a plan that end a session. 0 of each is no rule.
public struct StopRules: Sendable, Equatable {
    /// The longest session, milliseconds, such as what is left of today's dose.
    public var milliseconds: UInt32
    /// The least percentage of right beats among the last ``beats``.
    public var belowPercent: UInt8
    /// The number of beats that are looked at, 5 to 40.
    public var beats: UInt8

    /// Rules with these limits.
    public init(milliseconds: UInt32 = 0, belowPercent: UInt8 = 0, beats: UInt8 = 10) {
        self.milliseconds = milliseconds
        self.belowPercent = belowPercent
        self.beats = beats
    }
}

/// The setup of a session: all that it begins with, so that it can be played again without anything else.
public struct SessionSetup: Sendable, Equatable {
    /// The session's identifier: 16 bytes, made by the player's device.
    public var id: [UInt8]
    /// The person's identifier, ASCII.
    public var person: [UInt8]
    /// The minutes east of Greenwich, at the start.
    public var utcOffsetMinutes: Int16
    /// The song's identifier, ASCII, at most 40 bytes.
    public var songID: [UInt8]
    /// The song's title, UTF-8, at most 80 bytes.
    public var songTitle: [UInt8]
    /// The chart, at the tempo at which it is played: ``tempoPercent`` only says how it came about.
    public var chart: Chart
    /// The tempo, in percent of the song's own.
    public var tempoPercent: UInt8 = SessionRules.ownTempo
    /// The level.
    public var level: Level
    /// The mode.
    public var mode: PlayMode
    /// The hands.
    public var hands: Hands
    /// The drums that may be asked for. Of an imported session the set may be empty, as the original lets its players
    /// choose.
    public var drums: DrumSet
    /// The seed of the random choice of drums.
    public var seed: UInt32
    /// The link with which the session began.
    public var link: LinkKind
    /// The latency that the link adds to each answer where it has no clock of its own, as calibration found it, in
    /// tenths of a millisecond; 0 for the others.
    public var latencyTenths: UInt16
    /// The beats of the count-in before the first step, 0 to 8.
    public var countInBeats: UInt8
    /// The timing window of flow mode.
    public var window: TimingWindow
    /// The time before its beat at which a drum is lit in flow mode, milliseconds.
    public var leadMilliseconds: UInt16
    /// The rules that end the session.
    public var stop: StopRules

    /// Whether the song is played at the tempo as written.
    public var isAtOwnTempo: Bool { tempoPercent == SessionRules.ownTempo }

    /// A setup at the song's own tempo.
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
