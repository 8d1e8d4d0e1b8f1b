/// What plays a note.
public enum SongVoice: UInt8, Sendable, CaseIterable {
    /// The tune; the charts follow it.
    case melody = 0
    /// What goes along with the tune.
    case accompaniment
    /// Drums: the pitch is a key of General MIDI's percussion map.
    case percussion
}

/// One note of a song.
public struct SongNote: Sendable, Equatable {
    /// Ticks from the song's position 0, ``Song/ticksPerBeat`` a beat.
    public var start: UInt32
    /// Ticks.
    public var length: UInt16
    /// MIDI's number: 60 is the C in the middle, 69 the A of 440 Hz.
    public var pitch: UInt8
    /// 1 to 127.
    public var velocity: UInt8
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

/// Where a song's sound comes from.
public enum SongSound: UInt8, Sendable {
    /// The page plays its notes.
    case notes = 0
    /// A file of the family's own.
    case audio
}

/// Something to play along with: its sound, its tempo, and for each level what is asked of the hands.
public struct Song: Sendable, Equatable {
    /// What fits into a song.
    public enum Limits {
        /// Beats of a song, and steps of a chart.
        public static let beats = 4_096
        /// Beats that a chart asks for; no session holds more.
        public static let hits = DrumSession.Limits.beats
        /// Half an hour.
        public static let milliseconds: Int64 = 1_800_000
        public static let notes = 8_192
        /// Tempo changes, the first tempo among them.
        public static let tempos = 64
        /// From 400 beats a minute to 20.
        public static let microsecondsPerBeat: ClosedRange<UInt32> = 150_000...3_000_000
        public static let beatsPerBar: ClosedRange<UInt8> = 1...16
        /// Bytes.
        public static let id = 40
        /// Bytes of UTF-8.
        public static let title = 80
        public static let composer = 120
        public static let source = 400
        /// Where position 0 may lie in an audio file, milliseconds.
        public static let audioOffset: ClosedRange<Int32> = -60_000...1_800_000
    }

    /// The grid of notes: finer than any that is written here, and what most music programs use.
    public static let ticksPerBeat: Int64 = 480

    /// ASCII letters, digits and hyphens.
    public var id: [UInt8]
    /// UTF-8.
    public var title: [UInt8]
    /// UTF-8; empty where it is not known.
    public var composer: [UInt8]
    /// Where it is from, and why anybody may play it; UTF-8, may be empty.
    public var source: [UInt8]
    /// Of its making or first print; 0 where it is not known.
    public var year: UInt16
    public var sound: SongSound
    /// Where position 0 lies in the audio file.
    public var audioOffsetMilliseconds: Int32
    public var beatsPerBar: UInt8
    /// Beats before the first bar line.
    public var upbeatBeats: UInt8
    /// Into how many parts a beat falls by itself: 2, or 3 in compound metres such as 6/8.
    public var beatDivision: UInt8
    /// How long it is.
    public var beats: UInt16
    /// The first from the first beat on; `step` is a beat here.
    public var tempo: [TempoChange]
    /// In the order of their starts.
    public var notes: [SongNote]
    /// Of level 1 to 4.
    public var charts: [Chart]

    /// The chart of a level.
    public func chart(_ level: Level) -> Chart { charts[Int(level.rawValue) - 1] }

    /// What its charts lie in.
    var grid: LevelRules.Grid {
        LevelRules.Grid(
            beats: Int(beats), beatsPerBar: Int(beatsPerBar), upbeatBeats: Int(upbeatBeats), beatDivision: beatDivision,
            tempo: tempo)
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
