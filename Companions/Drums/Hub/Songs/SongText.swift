import DrumsEngine
import HubKit

extension SongError {
    /// What is wrong with a song, for whoever brought it.
    var message: String {
        let limits = Song.Limits.self
        return switch self {
        case .id: "Its identifier is none."
        case .title: "A title is one line of at most \(limits.title) bytes."
        case .composer: "A composer is one line of at most \(limits.composer) bytes."
        case .source: "A source is one line of at most \(limits.source) bytes."
        case .meter: "A bar has between one and \(limits.beatsPerBar.upperBound) beats."
        case .beats: "A song has between one and \(limits.beats) beats. Cut it into parts."
        case .tooLong: "A song lasts at most \(limits.milliseconds / 60_000) minutes. Cut it into parts."
        case .tempo: "A tempo lies between 20 and 400 beats a minute."
        case .tooManyTempos: "A song changes its tempo at most \(limits.tempos - 1) times."
        case .note: "A note lies outside of the song."
        case .tooManyNotes: "A song has at most \(limits.notes) notes."
        case .chart: "A level has at most \(limits.beats) steps. Cut the song into parts."
        case .noBeats: "Nothing in it begins on a beat, so that no level has anything to hit."
        case .tooManyHits: "A level asks for at most \(limits.hits) beats. Cut the song into parts."
        case .audioOffset: "The song has to begin within its recording."
        }
    }
}

extension SongTextError {
    /// What is wrong, and where, for whoever wrote it.
    var message: String { "Line \(line), column \(column): \(failure.message)" }
}

extension SongTextFailure {
    /// What is wrong, and what to write instead.
    var message: String {
        switch self {
        case .tooLong: "A song’s text has at most \(SongText.longest) bytes."
        case .notText: "This is not plain text in UTF-8."
        case .unknownField:
            "There is no such field. There are: title, composer, year, source, meter, tempo, repeat, level 1, level 2, level 3 and level 4."
        case .twice: "This was said before."
        case .missing(let field):
            switch field {
            case .title: "The song needs a title, such as title: Ode to Joy"
            case .meter: "The song needs a metre, such as meter: 4/4"
            case .tempo: "The song needs a tempo in beats a minute, such as tempo: 96"
            }
        case .year: "A year is a number, such as 1824."
        case .meter: "A metre is 1 to 16, a stroke, and 2, 4 or 8, such as 3/4."
        case .tempo: "A tempo is a whole number of beats a minute, between 20 and 400."
        case .repeats: "A song is repeated 1 to 16 times."
        case .notesTooEarly: "Say the metre and the tempo before the first notes, such as meter: 4/4 and tempo: 96"
        case .symbol: "Notes are written as C4, F#4/8 or Bb3/4., rests as -/4, bars with |, tempos as [tempo 80]."
        case .pitch: "No piano has this note. They go from A0 to C8."
        case .length:
            "This metre cannot write that length. Lengths are /1 /2 /4 /8 /16 or /12, with a dot for half as much again."
        case .bar(let ticks, let expected):
            "This bar has \(Self.beats(ticks)), and the metre asks for \(Self.beats(expected))."
        case .tie: "A tie leads to the same note again."
        case .tempoWithinBeat: "The tempo can change on a beat only, and not within an upbeat."
        case .pattern:
            "A level is written as steps per beat (1, 2 or 4; 1 or 3 in 6/8), then x for a hit and . for none, such as 1 | x.x. |"
        case .patternBar(let steps, let expected): "This bar has \(steps) steps, and the metre asks for \(expected)."
        case .noNotes: "The song has no notes."
        case .song(let failure): failure.message
        }
    }

    /// Ticks as beats, to a hundredth: `3.5 beats`.
    private static func beats(_ ticks: Int32) -> String {
        let beats = (Double(ticks) * 100 / Double(Song.ticksPerBeat)).rounded() / 100
        let number = beats == beats.rounded() ? "\(Int(beats))" : "\(beats)"
        return beats == 1 ? "1 beat" : "\(number) beats"
    }
}

extension MIDIFileError {
    /// What is wrong, and where, for whoever brought it.
    var message: String { "Byte \(offset): \(failure.message)" }
}

extension MIDIFileFailure {
    /// What is wrong, and what to bring instead.
    var message: String {
        switch self {
        case .notMIDI: "This is no MIDI file, which begins with MThd."
        case .tooLarge: "The hub reads MIDI files of at most \(MIDIFile.Limits.bytes / 1_024) KB."
        case .header: "The header is too short."
        case .type(2): "Type 2 holds several songs in one file. Save one of them as type 0 or 1."
        case .type(let type): "There is no type \(type) of MIDI files. Save it as type 0 or 1."
        case .smpte: "It counts time in frames of film (SMPTE) and not in beats. Save it with ticks per quarter note."
        case .division: "A beat has no ticks in it."
        case .tracks(let count):
            "It says that it has \(count) tracks. There are 1 to \(MIDIFile.Limits.tracks), and one only in type 0."
        case .cutOff: "The file ends before this part of it does. Was it copied whole?"
        case .missingTracks: "There are fewer tracks than the header says. Was it copied whole?"
        case .beyondTrack: "This goes on beyond the end of its track."
        case .number: "This number is longer than any in a MIDI file."
        case .noStatus: "Data without a message that it belongs to."
        case .status(let byte): "No file may have the byte 0x\(String(byte, radix: 16, uppercase: true)) here."
        case .tooManyEvents: "It has more than \(MIDIFile.Limits.events) events."
        case .tempo: "A tempo of no time at all."
        case .tooLong: "This note is later than a song may last."
        case .noNotes: "It has no notes."
        case .tooManyNotes: "A song has at most \(Song.Limits.notes) notes. Save the tune alone."
        case .song(let failure): failure.message
        }
    }
}
