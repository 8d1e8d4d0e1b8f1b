/// The part that plays a note.
public enum SongVoice: UInt8, Sendable, CaseIterable {
    /// The tune; the charts follow it.
    case melody = 0
    /// The accompaniment of the tune.
    case accompaniment
    /// Drums: the pitch is a key of General MIDI's percussion map.
    case percussion
}

/// One note of a song.
public struct SongNote: Sendable, Equatable {
    /// The start, in ticks from the song's position 0, ``Song/ticksPerBeat`` a beat.
    public var start: UInt32
    /// The length, in ticks.
    public var length: UInt16
    /// The pitch, MIDI's number: 60 is the C in the middle, 69 the A of 440 Hz.
    public var pitch: UInt8
    /// The velocity, 1 to 127.
    public var velocity: UInt8
    /// The part that plays it.
    public var voice: SongVoice

    /// A note as it is.
    public init(start: UInt32, length: UInt16, pitch: UInt8, velocity: UInt8, voice: SongVoice = .melody) {
        self.start = start
        self.length = length
        self.pitch = pitch
        self.velocity = velocity
        self.voice = voice
    }
}

/// A beat from which on bars are counted anew.
public struct MeterChange: Sendable, Equatable {
    /// The beat with which a bar begins.
    public var beat: UInt16
    /// The beats of a bar from there on.
    public var beatsPerBar: UInt8

    /// A change as it is.
    public init(beat: UInt16, beatsPerBar: UInt8) {
        self.beat = beat
        self.beatsPerBar = beatsPerBar
    }
}

/// The source of a song's sound.
public enum SongSound: UInt8, Sendable {
    /// The page plays its notes.
    case notes = 0
    /// A file of the family's own.
    case audio
}

/// A song to play along with: its sound, its tempo, and the chart of each level.
public struct Song: Sendable, Equatable {
    /// The limits of a song.
    public enum Limits {
        /// The most beats of a song, and steps of a chart.
        public static let beats = 4_096
        /// The most beats that a chart asks for; no session holds more.
        public static let hits = DrumSession.Limits.beats
        /// The longest song: half an hour.
        public static let milliseconds: Int64 = 1_800_000
        /// The most notes.
        public static let notes = 8_192
        /// The most tempo changes, the first tempo among them.
        public static let tempos = 64
        /// The most changes of the metre.
        public static let meterChanges = 255
        /// The range of a beat's length: from 400 beats a minute to 20.
        public static let microsecondsPerBeat: ClosedRange<UInt32> = 150_000...3_000_000
        /// The range of the beats of a bar.
        public static let beatsPerBar: ClosedRange<UInt8> = 1...16
        /// The most bytes of an identifier.
        public static let id = 40
        /// The most bytes of a title.
        public static let title = 80
        /// The most bytes of the composer.
        public static let composer = 120
        /// The most bytes of the source.
        public static let source = 400
        /// The range of position 0 in an audio file, milliseconds.
        public static let audioOffset: ClosedRange<Int32> = -60_000...1_800_000
    }

    /// The grid of notes: finer than any that is written here, and what most music programs use.
    public static let ticksPerBeat: Int64 = 480

    /// The identifier: ASCII letters, digits and hyphens.
    public var id: [UInt8]
    /// The title, UTF-8.
    public var title: [UInt8]
    /// The composer, UTF-8; empty where it is not known.
    public var composer: [UInt8]
    /// The source, and the reason why anybody may play it; UTF-8, may be empty.
    public var source: [UInt8]
    /// The year of its making or first print; 0 where it is not known.
    public var year: UInt16
    /// The source of its sound.
    public var sound: SongSound
    /// The place of position 0 in the audio file.
    public var audioOffsetMilliseconds: Int32
    /// The beats of a bar.
    public var beatsPerBar: UInt8
    /// The beats before the first bar line.
    public var upbeatBeats: UInt8
    /// The number of parts into which a beat divides: 2, or 3 in compound metres such as 6/8.
    public var beatDivision: UInt8
    /// The length in beats.
    public var beats: UInt16
    /// The tempo changes, the first from the first beat on; `step` is a beat here.
    public var tempo: [TempoChange]
    /// The notes, in the order of their starts.
    public var notes: [SongNote]
    /// The charts of level 1 to 4.
    public var charts: [Chart]
    /// The changes of the metre, in their order.
    public var meterChanges: [MeterChange] = []

    /// The chart of a level.
    public func chart(_ level: Level) -> Chart { charts[Int(level.rawValue) - 1] }

    /// The grid of its charts.
    var grid: LevelRules.Grid {
        LevelRules.Grid(
            beats: Int(beats), beatsPerBar: Int(beatsPerBar), upbeatBeats: Int(upbeatBeats), meterChanges: meterChanges,
            beatDivision: beatDivision, tempo: tempo)
    }

    /// Whether a bar begins with a beat. Beats below 0 are those that are counted in, in bars of the first metre.
    public func beginsBar(_ beat: Int) -> Bool {
        guard beat < 0 else { return grid.place(ofBeat: beat).inBar == 0 }
        let first = meterChanges.first.flatMap { $0.beat == 0 ? Int($0.beatsPerBar) : nil } ?? Int(beatsPerBar)
        return (beat - Int(upbeatBeats)) % first == 0
    }

    /// A chart at the song's tempo.
    ///
    /// - Parameter steps: `stepsPerBeat` for each beat.
    static func chart(stepsPerBeat: UInt8, steps: [Bool], tempo: [TempoChange]) -> Chart {
        Chart(
            stepsPerBeat: stepsPerBeat,
            tempo: tempo.map {
                TempoChange(
                    step: UInt16(clamping: Int32($0.step) * Int32(stepsPerBeat)),
                    microsecondsPerBeat: $0.microsecondsPerBeat)
            }, steps: steps)
    }
}
