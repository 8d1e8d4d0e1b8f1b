import Wire

/// The notes of a song's text, as they are read.
struct SongMusic {
    private let meter: SongMeter
    private(set) var notes: [SongNote] = []
    private(set) var tempo: [TempoChange]
    private(set) var upbeatBeats: UInt8 = 0
    private(set) var beats = 0
    /// The start of the next note, and the start of its bar.
    private var tick: Int32 = 0
    private var barStart: Int32 = 0
    /// The error of a bar that is too short, unless it is the last.
    private var shortBar: SongTextError?
    /// Whether no bar line with notes before it has come yet.
    private var isFirstBar = true
    /// The pitch that the next note has to have; nil where nothing is tied.
    private var tied: UInt8?

    init(meter: SongMeter, microsecondsPerBeat: UInt32) {
        self.meter = meter
        tempo = [TempoChange(step: 0, microsecondsPerBeat: microsecondsPerBeat)]
    }

    mutating func read(_ line: inout SongLine) throws(SongTextError) {
        line.skipSpaces()
        while let byte = line.next {
            if let shortBar, byte != UInt8(ascii: "|") { throw shortBar }
            switch byte {
            case UInt8(ascii: "|"):
                try endBar(line)
                _ = line.take(byte)
            case UInt8(ascii: "["): try changeTempo(&line)
            case UInt8(ascii: "-"):
                guard tied == nil else { throw line.error(.tie) }
                _ = line.take(byte)
                let ticks = try meter.length(&line)
                try advance(ticks, line)
            case UInt8(ascii: "A")...UInt8(ascii: "G"): try readNote(&line)
            default: throw line.error(.symbol)
            }
            line.skipSpaces()
        }
    }

    private mutating func readNote(_ line: inout SongLine) throws(SongTextError) {
        let start = line
        let pitch = try Self.pitch(&line)
        let ticks = try meter.length(&line)
        if let tied {
            guard tied == pitch, let last = notes.indices.last else { throw start.error(.tie) }
            notes[last].length = UInt16(clamping: Int32(notes[last].length) + ticks)
        } else {
            let inBar = tick - barStart
            let isOnBeat = inBar % Int32(Song.ticksPerBeat) == 0
            notes.append(
                SongNote(
                    start: UInt32(clamping: tick), length: UInt16(clamping: ticks), pitch: pitch,
                    velocity: inBar == 0 && !isFirstBar ? 104 : isOnBeat ? 92 : 80))
        }
        tied = line.take(UInt8(ascii: "~")) ? pitch : nil
        try advance(ticks, line)
    }

    /// Reads a pitch. C4 is 60, up and down to what a piano has: A0 to C8.
    private static func pitch(_ line: inout SongLine) throws(SongTextError) -> UInt8 {
        let start = line
        let semitones: [Int32] = [9, 11, 0, 2, 4, 5, 7]
        guard let letter = line.next else { throw start.error(.symbol) }
        _ = line.take(letter)
        var pitch = semitones[Int(letter - UInt8(ascii: "A"))]
        if line.take(UInt8(ascii: "#")) { pitch += 1 } else if line.take(UInt8(ascii: "b")) { pitch -= 1 }
        guard let octave = line.next, (UInt8(ascii: "0")...UInt8(ascii: "8")).contains(octave) else {
            throw start.error(.pitch)
        }
        _ = line.take(octave)
        pitch += (Int32(octave - UInt8(ascii: "0")) + 1) * 12
        guard (21...108).contains(pitch) else { throw start.error(.pitch) }
        return UInt8(clamping: pitch)
    }

    private mutating func advance(_ ticks: Int32, _ line: SongLine) throws(SongTextError) {
        tick += ticks
        guard Int64(tick) <= Int64(Song.Limits.beats) * Song.ticksPerBeat else { throw line.error(.song(.beats)) }
    }

    private mutating func endBar(_ line: SongLine) throws(SongTextError) {
        let ticks = tick - barStart
        guard ticks > 0 else { return }
        if isFirstBar, ticks < meter.barTicks {
            try shiftUpbeat(ticks, line)
        } else if ticks != meter.barTicks {
            let error = line.error(.bar(ticks: ticks, expected: meter.barTicks))
            guard ticks < meter.barTicks else { throw error }
            shortBar = error
        }
        isFirstBar = false
        barStart = tick
    }

    /// Lets an upbeat begin with a rest, so that it is whole beats.
    private mutating func shiftUpbeat(_ ticks: Int32, _ line: SongLine) throws(SongTextError) {
        let perBeat = Int32(Song.ticksPerBeat)
        let whole = (ticks + perBeat - 1) / perBeat
        upbeatBeats = UInt8(clamping: whole)
        // As long as a bar: then it is one, with a rest before it.
        if upbeatBeats == meter.beatsPerBar { upbeatBeats = 0 }
        let shift = whole * perBeat - ticks
        // What is on a beat now would not be any more.
        guard shift == 0 || tempo.count == 1 else { throw line.error(.tempoWithinBeat) }
        for index in notes.indices { notes[index].start += UInt32(clamping: shift) }
        tick += shift
    }

    private mutating func changeTempo(_ line: inout SongLine) throws(SongTextError) {
        let start = line
        guard line.take(word: "[tempo ") else { throw start.error(.symbol) }
        let microseconds = try line.tempo()
        guard line.take(UInt8(ascii: "]")) else { throw line.error(.symbol) }
        let perBeat = Int32(Song.ticksPerBeat)
        guard tick % perBeat == 0 else { throw start.error(.tempoWithinBeat) }
        let change = TempoChange(step: UInt16(clamping: tick / perBeat), microsecondsPerBeat: microseconds)
        if tempo.last?.step == change.step { tempo.removeLast() }
        tempo.append(change)
        guard tempo.count <= Song.Limits.tempos else { throw start.error(.song(.tooManyTempos)) }
    }

    /// Closes the last bar, which may be shorter than the others, and repeats all of it as often as asked.
    mutating func finish(_ end: SongLine, repeats: Int) throws(SongTextError) {
        guard tied == nil else { throw end.error(.tie) }
        guard !notes.isEmpty else { throw end.error(.noNotes) }
        guard tick - barStart <= meter.barTicks else {
            throw end.error(.bar(ticks: tick - barStart, expected: meter.barTicks))
        }
        let perBeat = Int32(Song.ticksPerBeat)
        beats = Int((tick + perBeat - 1) / perBeat)
        // A tempo after the last note changes nothing.
        tempo.removeAll { Int($0.step) >= beats }
        guard notes.count * repeats <= Song.Limits.notes else { throw end.error(.song(.tooManyNotes)) }
        // Whole bars apart, so that a bar line lies where it lay before.
        let bar = Int(meter.beatsPerBar)
        let stride = (beats + bar - 1) / bar * bar
        guard stride * repeats <= Song.Limits.beats else { throw end.error(.song(.beats)) }
        guard tempo.count == 1 || tempo.count * repeats <= Song.Limits.tempos else {
            throw end.error(.song(.tooManyTempos))
        }
        let (once, changes) = (notes, tempo)
        for time in 1..<max(repeats, 1) {
            for note in once {
                var note = note
                note.start += UInt32(clamping: time * stride * Int(Song.ticksPerBeat))
                notes.append(note)
            }
            guard changes.count > 1 else { continue }
            for change in changes {
                tempo.append(
                    TempoChange(
                        step: change.step + UInt16(clamping: time * stride),
                        microsecondsPerBeat: change.microsecondsPerBeat))
            }
        }
        beats += stride * (repeats - 1)
    }
}
