import Wire

/// The reason why a song cannot be played; the number, with 100 added, is what the page receives.
public enum SongError: UInt8, Error, Sendable, Equatable, CaseIterable {
    /// The identifier is empty, too long, or holds something else than letters, digits and hyphens of ASCII.
    case id = 1
    /// The title is empty or too long, or no line of UTF-8.
    case title
    /// The composer is too long, or no line of UTF-8.
    case composer
    /// The source is too long, or no line of UTF-8.
    case source
    /// The bar has no beat or too many, the upbeat is no part of one, or beats fall into another number than 2 or 3.
    case meter
    /// The song has no beat, or more than ``Song/Limits/beats``.
    case beats
    /// The song takes longer than ``Song/Limits/milliseconds``.
    case tooLong
    /// A tempo is out of ``Song/Limits/microsecondsPerBeat``, or they do not begin at the first beat and go up.
    case tempo
    /// The song has more tempo changes than ``Song/Limits/tempos``.
    case tooManyTempos
    /// A note is out of the song or of MIDI's range, or they are not in order.
    case note
    /// The song has more notes than ``Song/Limits/notes``.
    case tooManyNotes
    /// A chart does not fit to the song's beats, or has too many steps.
    case chart
    /// A chart asks for nothing.
    case noBeats
    /// A chart asks for more than ``Song/Limits/hits``.
    case tooManyHits
    /// The sound starts where no recording does.
    case audioOffset
}

extension Song {
    /// Checks that the song is within ``Limits``, and that its parts fit to each other.
    public func check() throws(SongError) {
        guard !id.isEmpty, id.count <= Limits.id, id.allSatisfy(isIdentifier) else { throw .id }
        guard !title.isEmpty, isLine(title, upTo: Limits.title) else { throw .title }
        guard isLine(composer, upTo: Limits.composer) else { throw .composer }
        guard isLine(source, upTo: Limits.source) else { throw .source }
        guard Limits.beatsPerBar.contains(beatsPerBar), upbeatBeats < beatsPerBar,
            beatDivision == 2 || beatDivision == 3
        else { throw .meter }
        try checkMeterChanges()
        guard beats >= 1, Int(beats) <= Limits.beats else { throw .beats }
        guard Limits.audioOffset.contains(audioOffsetMilliseconds) else { throw .audioOffset }
        try checkTempo()
        guard microseconds(atTick: Int64(beats) * Self.ticksPerBeat) <= Limits.milliseconds * 1_000 else {
            throw .tooLong
        }
        try checkNotes()
        guard charts.count == Level.allCases.count else { throw .chart }
        try checkCharts()
    }

    private func checkMeterChanges() throws(SongError) {
        guard meterChanges.count <= Limits.meterChanges else { throw .meter }
        var last = -1
        for change in meterChanges {
            guard Int(change.beat) > last, change.beat < beats, Limits.beatsPerBar.contains(change.beatsPerBar) else {
                throw .meter
            }
            last = Int(change.beat)
        }
    }

    private func checkTempo() throws(SongError) {
        guard tempo.count <= Limits.tempos else { throw .tooManyTempos }
        guard let first = tempo.first, first.step == 0 else { throw .tempo }
        var last = -1
        for change in tempo {
            guard Int(change.step) > last, change.step < beats,
                Limits.microsecondsPerBeat.contains(change.microsecondsPerBeat)
            else { throw .tempo }
            last = Int(change.step)
        }
    }

    private func checkNotes() throws(SongError) {
        guard notes.count <= Limits.notes else { throw .tooManyNotes }
        let end = Int64(beats) * Self.ticksPerBeat
        var last: UInt32 = 0
        for note in notes {
            guard note.start >= last, Int64(note.start) < end, note.length > 0, note.pitch < 128,
                (1...127).contains(note.velocity)
            else { throw .note }
            last = note.start
        }
    }

    private func checkCharts() throws(SongError) {
        for chart in charts {
            guard (1...4).contains(chart.stepsPerBeat), chart.steps.count <= Limits.beats,
                chart.steps.count == Int(beats) * Int(chart.stepsPerBeat),
                chart == Self.chart(stepsPerBeat: chart.stepsPerBeat, steps: chart.steps, tempo: tempo)
            else { throw .chart }
            var hits = 0
            for step in chart.steps where step { hits += 1 }
            guard hits > 0 else { throw .noBeats }
            guard hits <= Limits.hits else { throw .tooManyHits }
        }
    }
}

/// Whether a byte is a letter, a digit or a hyphen of ASCII.
func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
    default: false
    }
}

private func isLine(_ text: [UInt8], upTo longest: Int) -> Bool {
    text.count <= longest && isUTF8(text.span) && !text.contains { $0 < 0x20 || $0 == 0x7F }
}
