import Wire

// A song as the page loads it and the hub keeps it. Numbers have their lowest byte first:
//
//   "TSG" 2                              what it is, and the version
//   u8 n, n bytes                        id;  the same for title and composer
//   u16 n, n bytes                       source
//   u16 year, u8 sound, i32 audio offset (milliseconds)
//   u8 beats per bar, and 128 where the metre changes, u8 upbeat, u8 division, u16 beats
//   where it changes: u8 n, n × (u16 beat, u8 beats per bar)
//   u8 n, n × (u16 beat, u32 microseconds per beat)
//   4 × (u8 steps per beat, bits of the steps, the lowest first, filled up with noughts)
//   u16 n, n × (u32 start, u16 length, u8 pitch, u8 velocity, u8 voice)
//   u32                                  CRC-32 of all before
extension Song {
    private static let seal = Seal(mark: "TSG", version: 2)
    /// The bit that says that the metre changes.
    private static let changing: UInt8 = 128

    /// The bytes of a song that ``check()`` approves.
    public func encoded() -> [UInt8] {
        var bytes = Self.seal.begun(reserving: 300 + notes.count * 9)
        for text in [id, title, composer] { bytes.append(counted: text) }
        bytes.append(littleEndian: UInt16(clamping: source.count))
        bytes.append(contentsOf: source)
        bytes.append(littleEndian: year)
        bytes.append(sound.rawValue)
        bytes.append(littleEndian: audioOffsetMilliseconds)
        let isChanging: UInt8 = meterChanges.isEmpty ? 0 : Self.changing
        bytes.append(contentsOf: [beatsPerBar | isChanging, upbeatBeats, beatDivision])
        bytes.append(littleEndian: beats)
        if !meterChanges.isEmpty { bytes.append(UInt8(clamping: meterChanges.count)) }
        for change in meterChanges {
            bytes.append(littleEndian: change.beat)
            bytes.append(change.beatsPerBar)
        }
        bytes.append(UInt8(clamping: tempo.count))
        for change in tempo {
            bytes.append(littleEndian: change.step)
            bytes.append(littleEndian: change.microsecondsPerBeat)
        }
        for chart in charts {
            bytes.append(chart.stepsPerBeat)
            bytes.append(contentsOf: packed(chart.steps))
        }
        bytes.append(littleEndian: UInt16(clamping: notes.count))
        for note in notes {
            bytes.append(littleEndian: note.start)
            bytes.append(littleEndian: note.length)
            bytes.append(contentsOf: [note.pitch, note.velocity, note.voice.rawValue])
        }
        Seal.close(&bytes)
        return bytes
    }

    /// The song of these bytes, all of them, within ``Limits``.
    public static func decoded(_ bytes: [UInt8]) throws(SongCodecError) -> Song {
        let song = try seal.opened(bytes) { (reader: inout LittleEndianReader) throws(SongCodecError) -> Song in
            try content(&reader)
        }
        do throws(SongError) { try song.check() } catch { throw .failure(error) }
        return song
    }

    private static func content(_ reader: inout LittleEndianReader) throws(SongCodecError) -> Song {
        var texts: [[UInt8]] = []
        for _ in 0..<3 { texts.append(reader.takeCounted()) }
        let sourceCount = Int(reader.uint16())
        let source = reader.take(sourceCount)
        let year = reader.uint16()
        let sound = SongSound(rawValue: reader.uint8())
        let audioOffset = reader.int32()
        let beatsPerBar = reader.uint8()
        let upbeat = reader.uint8()
        let division = reader.uint8()
        let beats = reader.uint16()
        let changes = beatsPerBar & changing == 0 ? [] : meterChanges(&reader)
        let tempo = tempos(&reader)
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard let sound, beatsPerBar & changing == 0 || !changes.isEmpty else { throw .seal(.damaged) }
        let made = try charts(&reader, beats: Int(beats), tempo: tempo)
        let notes = try notes(&reader)
        return Song(
            id: texts[0], title: texts[1], composer: texts[2], source: source, year: year, sound: sound,
            audioOffsetMilliseconds: audioOffset, beatsPerBar: beatsPerBar & ~changing, upbeatBeats: upbeat,
            beatDivision: division, beats: beats, tempo: tempo, notes: notes, charts: made, meterChanges: changes)
    }

    private static func meterChanges(_ reader: inout LittleEndianReader) -> [MeterChange] {
        var changes: [MeterChange] = []
        for _ in 0..<reader.uint8() {
            let beat = reader.uint16()
            changes.append(MeterChange(beat: beat, beatsPerBar: reader.uint8()))
        }
        return changes
    }

    private static func tempos(_ reader: inout LittleEndianReader) -> [TempoChange] {
        var tempo: [TempoChange] = []
        for _ in 0..<reader.uint8() {
            let beat = reader.uint16()
            tempo.append(TempoChange(step: beat, microsecondsPerBeat: reader.uint32()))
        }
        return tempo
    }

    private static func charts(
        _ reader: inout LittleEndianReader, beats: Int, tempo: [TempoChange]
    ) throws(SongCodecError) -> [Chart] {
        var charts: [Chart] = []
        for _ in Level.allCases {
            let stepsPerBeat = reader.uint8()
            let count = beats * Int(stepsPerBeat)
            guard count <= Limits.beats else { throw reader.isCutOff ? .seal(.cutOff) : .failure(.chart) }
            let bits = reader.take((count + 7) / 8)
            guard !reader.isCutOff else { throw .seal(.cutOff) }
            guard let steps = unpacked(bits, count: count) else { throw .seal(.damaged) }
            charts.append(chart(stepsPerBeat: stepsPerBeat, steps: steps, tempo: tempo))
        }
        return charts
    }

    private static func notes(_ reader: inout LittleEndianReader) throws(SongCodecError) -> [SongNote] {
        let count = Int(reader.uint16())
        guard count <= Limits.notes else { throw .failure(.tooManyNotes) }
        guard reader.hasRoom(for: count, ofBytes: 9) else { throw .seal(.cutOff) }
        var notes: [SongNote] = []
        notes.reserveCapacity(count)
        for _ in 0..<count {
            let start = reader.uint32()
            let length = reader.uint16()
            let pitch = reader.uint8()
            let velocity = reader.uint8()
            guard let voice = SongVoice(rawValue: reader.uint8()) else { throw .seal(.damaged) }
            notes.append(SongNote(start: start, length: length, pitch: pitch, velocity: velocity, voice: voice))
        }
        return notes
    }
}

/// The reason why bytes are not a song.
public enum SongCodecError: SealedCodecError, Equatable {
    /// The bytes cannot be opened, or hold what no version has written.
    case seal(SealError)
    /// The bytes are a song that cannot be played.
    case failure(SongError)

    /// The number of the error, which the page receives: 1 to 5, or 100 more than that of the ``SongError``.
    public var number: Int32 {
        switch self {
        case .seal(let failure): failure.number
        case .failure(let failure): 100 + Int32(failure.rawValue)
        }
    }
}
