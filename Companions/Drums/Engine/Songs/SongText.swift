import Wire

// Songs as people write them:
//
//     # A line that begins with # is a remark.
//     title: Ode to Joy
//     composer: Ludwig van Beethoven
//     year: 1824
//     source: Finale of the Ninth Symphony. Its composer died in 1827.
//     meter: 4/4
//     tempo: 108
//     repeat: 2
//     level 1: 1 | x . x . |
//
//     | E4 E4 F4 G4 | G4 F4 E4 D4 | C4 C4 D4 E4 | E4/4. D4/8 D4/2 |
//
// - A note is a letter, `#` or `b`, and an octave: C4 is the C in the middle. `-` is a rest. `/8` makes either an eighth,
//   `/4.` a dotted quarter, `/12` a third of a quarter; without it, it is as long as the metre's lower number says.
//   `~` after it ties it to the next, which is the same note.
// - Bars stand between `|` and are as long as the metre says; the first may be shorter, an upbeat, and the last. An
//   upbeat that is no whole number of beats begins with as much of a rest.
// - `tempo` is beats a minute. A beat is the metre's lower number; in 6/8, 9/8 and 12/8 it is three eighths.
//   `[tempo 80]` between notes changes it, on a beat.
// - `repeat` plays all of it that many times, at most 16; each time begins as many beats before a bar line as the first.
// - `level N` is a pattern: steps per beat, then `x` for a hit and `.` for none, in whole bars, from the first bar line on
//   and over again to the end of the song. Steps per beat are 1, 2 or 4; 1 or 3 in compound metres. A level that is not
//   written follows ``LevelRules``: level 4 then fills in level 3, a written one too.
extension Song {
    /// The song of a text.
    public static func fromText(_ text: [UInt8], id: [UInt8]) throws(SongTextError) -> Song {
        var parser = SongText(id: id)
        return try parser.parse(text)
    }
}

/// The reader of a song's text, line by line.
public struct SongText {
    /// The most bytes of a text.
    public static let longest = 65_536

    let id: [UInt8]
    var line: Int32 = 0
    var fields = Fields()
    var music: SongMusic?

    /// The fields before the notes; nil while one is not read.
    struct Fields {
        var title: [UInt8]?
        var composer: [UInt8]?
        var source: [UInt8]?
        var year: UInt16?
        var meter: SongMeter?
        var microsecondsPerBeat: UInt32?
        var repeats: Int?
        var patterns: [SongPattern?] = [nil, nil, nil, nil]
    }

    init(id: [UInt8]) { self.id = id }

    mutating func parse(_ text: [UInt8]) throws(SongTextError) -> Song {
        guard text.count <= Self.longest else { throw SongTextError(line: 1, column: 1, failure: .tooLong) }
        var lines = ByteCursor(text)
        while let piece = lines.piece(before: UInt8(ascii: "\n")) {
            line += 1
            var content = Array(piece)
            if line == 1, content.starts(with: [0xEF, 0xBB, 0xBF]) { content.removeFirst(3) }
            if content.last == UInt8(ascii: "\r") { content.removeLast() }
            guard isUTF8(content.span), !content.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
                throw SongTextError(line: line, column: 1, failure: .notText)
            }
            try read(SongLine(content, line: line))
        }
        return try finish()
    }

    private mutating func read(_ content: SongLine) throws(SongTextError) {
        var content = content
        content.skipSpaces()
        guard let first = content.next, first != UInt8(ascii: "#") else { return }
        if let name = content.fieldName() {
            try readField(name, content)
        } else {
            if music == nil {
                guard let meter = fields.meter, let tempo = fields.microsecondsPerBeat else {
                    throw content.error(.notesTooEarly)
                }
                music = SongMusic(meter: meter, microsecondsPerBeat: tempo)
            }
            try music?.read(&content)
        }
    }

    private mutating func readField(_ name: SongLine.Field, _ content: SongLine) throws(SongTextError) {
        var value = content
        value.skip(past: UInt8(ascii: ":"))
        value.skipSpaces()
        switch name {
        case .unknown: throw content.error(.unknownField)
        case .title: try set(&fields.title, value.rest, content)
        case .composer: try set(&fields.composer, value.rest, content)
        case .source: try set(&fields.source, value.rest, content)
        case .year:
            guard let year = value.wholeNumber(), (1...9999).contains(year), value.isAtEnd else {
                throw value.error(.year)
            }
            try set(&fields.year, UInt16(clamping: year), content)
        case .meter: try set(&fields.meter, try SongMeter(&value), content)
        case .tempo:
            let tempo = try value.tempo()
            guard value.isAtEnd else { throw value.error(.tempo) }
            try set(&fields.microsecondsPerBeat, tempo, content)
        case .repeats:
            guard let repeats = value.wholeNumber(), (1...16).contains(repeats), value.isAtEnd else {
                throw value.error(.repeats)
            }
            try set(&fields.repeats, Int(repeats), content)
        case .level(let level):
            guard let meter = fields.meter else { throw content.error(.missing(.meter)) }
            guard fields.patterns[level] == nil else { throw content.error(.twice) }
            fields.patterns[level] = try SongPattern(&value, meter)
        }
    }

    /// Builds the song of all lines.
    private mutating func finish() throws(SongTextError) -> Song {
        line += 1
        let end = SongLine([], line: line)
        guard let title = fields.title, !title.isEmpty else { throw end.error(.missing(.title)) }
        guard let meter = fields.meter else { throw end.error(.missing(.meter)) }
        guard fields.microsecondsPerBeat != nil else { throw end.error(.missing(.tempo)) }
        guard var music else { throw end.error(.noNotes) }
        try music.finish(end, repeats: fields.repeats ?? 1)
        let grid = LevelRules.Grid(
            beats: music.beats, beatsPerBar: Int(meter.beatsPerBar), upbeatBeats: Int(music.upbeatBeats),
            beatDivision: meter.beatDivision, tempo: music.tempo)
        guard music.beats <= Song.Limits.beats else { throw end.error(.song(.beats)) }
        var onsets: [Int64] = []
        for note in music.notes { onsets.append(Int64(note.start)) }
        var charts = LevelRules.charts(onsets: onsets, grid: grid)
        for level in 0..<charts.count {
            guard let pattern = fields.patterns[level] else {
                if level == 3, fields.patterns[2] != nil { charts[3] = LevelRules.filled(charts[2], grid) }
                continue
            }
            guard music.beats * pattern.stepsPerBeat <= Song.Limits.beats else { throw end.error(.song(.chart)) }
            charts[level] = pattern.chart(beats: music.beats, upbeatBeats: Int(music.upbeatBeats), tempo: music.tempo)
        }
        let song = Song(
            id: id, title: title, composer: fields.composer ?? [], source: fields.source ?? [],
            year: fields.year ?? 0, sound: .notes, audioOffsetMilliseconds: 0, beatsPerBar: meter.beatsPerBar,
            upbeatBeats: music.upbeatBeats, beatDivision: meter.beatDivision, beats: UInt16(clamping: music.beats),
            tempo: music.tempo, notes: music.notes, charts: charts)
        do throws(SongError) { try song.check() } catch { throw end.error(.song(error)) }
        return song
    }
}

private func set<Value>(_ field: inout Value?, _ value: Value, _ content: SongLine) throws(SongTextError) {
    guard field == nil else { throw content.error(.twice) }
    field = value
}
