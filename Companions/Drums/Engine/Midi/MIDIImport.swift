// What a file becomes:
//
// - The metre is the one that holds longest, 4/4 without any. A beat is its lower number; over 8, upper numbers that can
//   be divided by three and are more than three are counted in dotted quarters. A metre that no song can have counts as
//   4/4. Bars of other metres are bars of as many of its beats, and begin with one; those that are no whole number of
//   beats count as its own.
// - What comes before its first bar is an upbeat where it is shorter than a bar: programs write one as a bar of its own with
//   a metre of its own, or tell it by accents alone (MIDIAccents.swift). One that is no whole number of beats, such as an
//   eighth, begins after a rest, so that bars begin on beats.
// - Whole bars without a note at the beginning are left out. The song ends with the bar of its last note.
// - The tempo of each beat is its average; tempos beyond ``Song/Limits/microsecondsPerBeat`` become the nearest. Where
//   there are more changes than a song holds, those below 1 % are left out, or below 2, 4, 8 ...
// - Channel 10 is percussion. Of the other parts, a part being a channel of a track, the tune is the one that lies
//   highest on average among those with at least a third as many notes as the busiest.
// - The charts follow the drums where they have at least eight strokes of bass drum, snare and toms, else the tune.
// - What goes along with the tune is stored if there is room for all of it, and then the percussion.
extension Song {
    /// The song of a Standard MIDI File.
    ///
    /// - Parameter title: the song's title, a line of UTF-8.
    public static func fromMIDI(_ bytes: [UInt8], id: [UInt8], title: [UInt8]) throws(MIDIFileError) -> Song {
        try readingMIDI(bytes, id: id) { _ in title }.song
    }

    /// The song of a Standard MIDI File, named after what the file says of itself, and the first fault for which something
    /// was left out.
    ///
    /// - Parameter title: makes a line of UTF-8 of the file's name for the piece, which is of any bytes and may be
    ///   empty.
    /// - Throws: why there is no song: what was left out, where that leaves no note.
    public static func readingMIDI(
        _ bytes: [UInt8], id: [UInt8], title: (_ name: [UInt8]) -> [UInt8]
    ) throws(MIDIFileError) -> (song: Song, leftOut: MIDIFileError?) {
        let file = try MIDIFile(bytes)
        if file.notes.isEmpty, let fault = file.fault { throw fault }
        return (try MIDIImport(file, size: bytes.count).song(id: id, title: title(file.name)), file.fault)
    }
}

/// The conversion of a file that was read to a song.
struct MIDIImport {
    private let file: MIDIFile
    /// The size of the file in bytes, which errors of the whole file name.
    private let size: Int
    private let beatsPerBar: Int
    /// The beat at which the first whole bar begins.
    private let firstBar: Int64
    /// The silence before the file that brings its bars onto beats where an upbeat is no whole number of them, such as an
    /// eighth; in ticks of the file, times `beatParts`.
    private let rest: Int64
    private let beatDivision: UInt8
    /// The ticks of a beat: `beatTicks / beatParts` ticks of the file.
    private let beatTicks: Int64
    private let beatParts: Int64
    /// The beats, from the beginning of the file, at which bars of another metre begin.
    private var changes: [(beat: Int64, beatsPerBar: Int64)] = []

    init(_ file: MIDIFile, size: Int) {
        self.file = file
        self.size = size
        var upper: Int64 = 4
        var lower: Int64 = 4
        let meter = Self.longest(of: file)
        if let meter, (1...16).contains(meter.upper), meter.power <= 4 {
            upper = Int64(meter.upper)
            lower = 1 << Int64(meter.power)
        }
        let isCompound = lower >= 8 && upper > 3 && upper % 3 == 0
        beatsPerBar = Int(isCompound ? upper / 3 : upper)
        beatDivision = isCompound ? 3 : 2
        beatTicks = file.division * 4 * (isCompound ? 3 : 1)
        beatParts = lower
        var before = (meter?.tick ?? 0) * beatParts
        if before == 0 { before = file.accentedUpbeat(bar: beatTicks * Int64(beatsPerBar) / beatParts) * beatParts }
        rest = (beatTicks - before % beatTicks) % beatTicks
        let place = (before + rest) / beatTicks
        let bar = beatTicks * Int64(beatsPerBar)
        let isUpbeat = before < bar
        for change in Self.changes(of: file, from: isUpbeat ? before / beatParts : 0, bar: bar / beatParts) {
            // A bar is one of the song's where it is whole beats; it begins with a beat.
            let at = (change.tick * beatParts + rest + beatTicks - 1) / beatTicks
            let length = file.ticks(ofBar: change) * beatParts
            let isWhole = length % beatTicks == 0 && (1...16).contains(length / beatTicks)
            changes.append((at, isWhole ? length / beatTicks : Int64(beatsPerBar)))
        }
        // Bars of another metre before it, from the beginning on, are no upbeat.
        let isFromBeginning = !isUpbeat && changes.first?.beat == 0
        firstBar = isFromBeginning ? 0 : place % Int64(beatsPerBar)
    }

    /// The time signatures by which bars are counted. Where a repeat parts a bar, programs write two short ones, and a short
    /// last one where there is an upbeat: such bars are parts of one, and left out.
    ///
    /// - Parameters:
    ///   - upbeat: the ticks of the upbeat, before which nothing is counted.
    ///   - bar: the ticks of a bar of the metre that holds longest.
    private static func changes(of file: MIDIFile, from upbeat: Int64, bar: Int64) -> [MIDIFile.Meter] {
        var changes: [MIDIFile.Meter] = []
        var before = bar
        var index = 0
        var last: Int64 = 0
        for note in file.notes { last = max(last, note.start) }
        /// Whether a metre holds for one bar and no more.
        func isOneBar(_ index: Int) -> Bool {
            let end = index + 1 < file.meters.count ? file.meters[index + 1].tick : last
            return end - file.meters[index].tick <= file.ticks(ofBar: file.meters[index])
        }
        while index < file.meters.count {
            let meter = file.meters[index]
            let length = file.ticks(ofBar: meter)
            index += 1
            if meter.tick < upbeat { continue }
            if length < before, isOneBar(index - 1) {
                guard index < file.meters.count else {
                    if length + upbeat != before { changes.append(meter) }
                    break
                }
                if isOneBar(index), length + file.ticks(ofBar: file.meters[index]) == before {
                    index += 1
                    continue
                }
            }
            changes.append(meter)
            before = length
        }
        return changes
    }

    /// The time signature that holds longest, until the last note; of equal ones the first.
    private static func longest(of file: MIDIFile) -> MIDIFile.Meter? {
        var last: Int64 = 0
        for note in file.notes { last = max(last, note.start + 1) }
        // One sum for each metre, which may come back: an upper number and eight lower ones.
        var sums = [Int64](repeating: 0, count: 256 * 8)
        for (index, meter) in file.meters.enumerated() {
            let end = index + 1 < file.meters.count ? min(file.meters[index + 1].tick, last) : last
            sums[sum(of: meter)] += max(0, end - meter.tick)
        }
        var best: MIDIFile.Meter?
        for meter in file.meters where best.map({ sums[sum(of: meter)] > sums[sum(of: $0)] }) ?? true { best = meter }
        return best
    }

    private static func sum(of meter: MIDIFile.Meter) -> Int { Int(meter.upper) * 8 + Int(min(meter.power, 7)) }

    func song(id: [UInt8], title: [UInt8]) throws(MIDIFileError) -> Song {
        guard !file.notes.isEmpty else { throw failure(.noNotes) }
        let melody = melodyPart()
        let (first, upbeat, beats, meterChanges) = try extent()
        let tempo = tempo(from: first, beats: beats)
        let tune = placed(.melody, melody, from: first)
        let drums = placed(.percussion, melody, from: first)
        guard tune.count <= Song.Limits.notes else { throw failure(.tooManyNotes) }
        var notes = tune
        for more in [placed(.accompaniment, melody, from: first), drums] {
            if notes.count + more.count <= Song.Limits.notes { notes += more }
        }
        guard !notes.isEmpty else { throw failure(.tooManyNotes) }
        notes.sort { $0.start != $1.start ? $0.start < $1.start : $0.pitch > $1.pitch }
        let grid = LevelRules.Grid(
            beats: beats, beatsPerBar: beatsPerBar, upbeatBeats: upbeat, meterChanges: meterChanges,
            beatDivision: beatDivision, tempo: tempo)
        let song = Song(
            id: id, title: title, composer: [], source: [], year: 0, sound: .notes, audioOffsetMilliseconds: 0,
            beatsPerBar: UInt8(clamping: beatsPerBar), upbeatBeats: UInt8(clamping: upbeat),
            beatDivision: beatDivision,
            beats: UInt16(clamping: beats), tempo: tempo, notes: notes,
            charts: LevelRules.charts(onsets: onsets(tune, drums), grid: grid), meterChanges: meterChanges)
        do throws(SongError) { try song.check() } catch { throw failure(.song(error)) }
        return song
    }

    private func failure(_ failure: MIDIFileFailure) -> MIDIFileError { MIDIFileError(offset: size, failure: failure) }

    // MARK: - Parts

    private static let percussion: UInt8 = 9

    private func part(_ note: MIDIFile.Note) -> Int { Int(note.track) * 16 + Int(note.channel) }

    private func voice(_ note: MIDIFile.Note, _ melody: Int?) -> SongVoice {
        note.channel == Self.percussion ? .percussion : part(note) == melody ? .melody : .accompaniment
    }

    /// The part that is the tune; nil where there is only percussion.
    private func melodyPart() -> Int? {
        var counts = [Int64](repeating: 0, count: 256 * 16)
        var pitches = counts
        for note in file.notes where note.channel != Self.percussion {
            counts[part(note)] += 1
            pitches[part(note)] += Int64(note.pitch)
        }
        let busiest = counts.max() ?? 0
        var best: Int?
        for part in 0..<counts.count where counts[part] > 0 && counts[part] * 3 >= busiest {
            // The higher average, compared without division; of equal ones the earlier part.
            guard let leading = best else {
                best = part
                continue
            }
            if pitches[part] * counts[leading] > pitches[leading] * counts[part] { best = part }
        }
        return best
    }

    /// The bass drums, snares and toms of General MIDI: the drums that a hand or a foot strikes for the beat, without
    /// cymbals.
    private static let struck: [UInt8] = [35, 36, 37, 38, 40, 41, 43, 45, 47, 48, 50]

    private func onsets(_ tune: [SongNote], _ drums: [SongNote]) -> [Int64] {
        var strokes: [Int64] = []
        for note in drums where Self.struck.contains(note.pitch) { strokes.append(Int64(note.start)) }
        if strokes.count >= 8 { return strokes }
        var onsets: [Int64] = []
        for note in tune.isEmpty ? drums : tune { onsets.append(Int64(note.start)) }
        return onsets
    }

    // MARK: - Time

    /// Ticks of the song, for ticks of the file.
    private func ticks(_ tick: Int64) -> Int64 {
        ((tick * beatParts + rest) * Song.ticksPerBeat + beatTicks / 2) / beatTicks
    }

    /// The first beat that is stored, how many of an upbeat follow, the number of beats, and the changes of the metre.
    private func extent() throws(MIDIFileError) -> (
        first: Int64, upbeat: Int, beats: Int, meterChanges: [MeterChange]
    ) {
        var earliest = Int64.max
        var latest: Int64 = 0
        for note in file.notes {
            earliest = min(earliest, note.start)
            latest = max(latest, note.start)
        }
        let beginning = ticks(earliest) / Song.ticksPerBeat
        let last = ticks(latest) / Song.ticksPerBeat
        let upbeat = beginning < firstBar ? firstBar : 0
        var first = upbeat > 0 ? 0 : firstBar
        var (bar, beatsPerBar) = (firstBar, Int64(self.beatsPerBar))
        // The bar lines that a song without further changes has.
        var (expected, known) = (firstBar, beatsPerBar)
        var meterChanges: [MeterChange] = []
        var next = 0
        while true {
            while next < changes.count, changes[next].beat <= bar {
                if changes[next].beat == bar { beatsPerBar = changes[next].beatsPerBar }
                next += 1
            }
            if upbeat == 0, bar <= beginning {
                // Bars before this one have no note, and are left out.
                first = bar
                (expected, known) = (bar, Int64(self.beatsPerBar))
                meterChanges = []
            }
            if beatsPerBar != known || bar != expected, meterChanges.count < Song.Limits.meterChanges {
                meterChanges.append(
                    MeterChange(beat: UInt16(clamping: bar - first), beatsPerBar: UInt8(clamping: beatsPerBar)))
                known = beatsPerBar
            }
            var end = bar + beatsPerBar
            expected = end
            if next < changes.count, changes[next].beat < end { end = changes[next].beat }
            bar = end
            guard bar <= last else { break }
        }
        let beats = bar - first
        guard beats <= Int64(Song.Limits.beats) else { throw failure(.song(.beats)) }
        return (first, Int(upbeat), Int(beats), meterChanges)
    }

    private func placed(_ voice: SongVoice, _ melody: Int?, from first: Int64) -> [SongNote] {
        var notes: [SongNote] = []
        for note in file.notes where self.voice(note, melody) == voice {
            let start = ticks(note.start)
            notes.append(
                SongNote(
                    start: UInt32(clamping: start - first * Song.ticksPerBeat),
                    length: UInt16(clamping: max(ticks(note.end) - start, 1)), pitch: note.pitch,
                    velocity: note.velocity, voice: voice))
        }
        return notes
    }

    /// The tempo of each beat, in as few changes as a song holds.
    private func tempo(from first: Int64, beats: Int) -> [TempoChange] {
        let range = Song.Limits.microsecondsPerBeat
        var lengths: [Int64] = []
        var clock = MIDITempoClock(file.tempos, division: file.division)
        var last = clock.microseconds(atTick: (first * beatTicks - rest) / beatParts)
        for beat in 1...Int64(beats) {
            let next = clock.microseconds(atTick: ((first + beat) * beatTicks - rest) / beatParts)
            lengths.append(min(max(next - last, Int64(range.lowerBound)), Int64(range.upperBound)))
            last = next
        }
        var percent: Int64 = 0
        while true {
            var tempo: [TempoChange] = []
            var current: Int64 = 0
            for beat in 0..<lengths.count {
                let difference = Int64((lengths[beat] - current).magnitude)
                // A microsecond is a rounding and no change.
                guard beat == 0 || (difference > 1 && difference * 100 > current * percent) else { continue }
                current = lengths[beat]
                tempo.append(
                    TempoChange(step: UInt16(clamping: beat), microsecondsPerBeat: UInt32(clamping: current)))
                if tempo.count > Song.Limits.tempos { break }
            }
            if tempo.count <= Song.Limits.tempos { return tempo }
            percent = percent == 0 ? 1 : percent * 2
        }
    }
}

/// The conversion of ticks of a file to microseconds; asked in the order of the ticks.
private struct MIDITempoClock {
    private let tempos: [MIDIFile.Tempo]
    private let division: Int64
    private var place = 0
    private var tick: Int64 = 0
    /// Microseconds times the division, so that nothing is rounded on the way.
    private var position: Int64 = 0
    /// The tempo; until a file sets another, 120 beats a minute (RP-001, "Set Tempo").
    private var microsecondsPerQuarter: Int64 = 500_000

    init(_ tempos: [MIDIFile.Tempo], division: Int64) {
        self.tempos = tempos
        self.division = division
    }

    /// The time from the beginning of the file to a tick, which is not before the one that was asked for last.
    ///
    /// - Parameter end: the tick; before the first one the first tempo holds.
    mutating func microseconds(atTick end: Int64) -> Int64 {
        while place < tempos.count, tempos[place].tick <= max(end, 0) {
            advance(to: tempos[place].tick)
            microsecondsPerQuarter = Int64(tempos[place].microsecondsPerQuarter)
            place += 1
        }
        advance(to: end)
        return position / division
    }

    private mutating func advance(to end: Int64) {
        position += (end - tick) * microsecondsPerQuarter
        tick = end
    }
}
