import DrumsEngine
import HubKit
import Localization

extension SongError {
    /// The words about what is wrong with a song, for whoever brought it.
    var message: LocalizedText {
        let limits = Song.Limits.self
        return switch self {
        case .id: LocalizedText("Its identifier is none.")
        case .title: LocalizedText("A title is one line of at most \(limits.title) bytes.")
        case .composer: LocalizedText("A composer is one line of at most \(limits.composer) bytes.")
        case .source: LocalizedText("A source is one line of at most \(limits.source) bytes.")
        case .meter: LocalizedText("A bar has between one and \(limits.beatsPerBar.upperBound) beats.")
        case .beats: LocalizedText("A song has between one and \(limits.beats) beats. Cut it into parts.")
        case .tooLong: LocalizedText("A song lasts at most \(limits.milliseconds / 60_000) minutes. Cut it into parts.")
        case .tempo: LocalizedText("A tempo lies between 20 and 400 beats a minute.")
        case .tooManyTempos: LocalizedText("A song changes its tempo at most \(limits.tempos - 1) times.")
        case .note: LocalizedText("A note lies outside of the song.")
        case .tooManyNotes: LocalizedText("A song has at most \(limits.notes) notes.")
        case .chart: LocalizedText("A level has at most \(limits.beats) steps. Cut the song into parts.")
        case .noBeats: LocalizedText("Nothing in it begins on a beat, so that no level has anything to hit.")
        case .tooManyHits: LocalizedText("A level asks for at most \(limits.hits) beats. Cut the song into parts.")
        case .audioOffset: LocalizedText("The song has to begin within its recording.")
        }
    }
}

extension SongTextError {
    /// The words about what is wrong, and where, for whoever wrote it.
    var message: LocalizedText {
        LocalizedText("Line \(line), column \(column): \(failure.message)")
    }
}

extension SongTextFailure {
    /// The words about what is wrong, and what to write instead.
    var message: LocalizedText {
        switch self {
        case .tooLong: LocalizedText("A song’s text has at most \(SongText.longest) bytes.")
        case .notText: LocalizedText("This is not plain text in UTF-8.")
        case .unknownField:
            LocalizedText(
                "There is no such field. There are: title, composer, year, source, meter, tempo, repeat, level 1, level 2, level 3 and level 4."
            )
        case .twice: LocalizedText("This was said before.")
        case .missing(let field):
            switch field {
            case .title: LocalizedText("The song needs a title, such as title: Ode to Joy")
            case .meter: LocalizedText("The song needs a metre, such as meter: 4/4")
            case .tempo: LocalizedText("The song needs a tempo in beats a minute, such as tempo: 96")
            }
        case .year: LocalizedText("A year is a number, such as 1824.")
        case .meter: LocalizedText("A metre is 1 to 16, a stroke, and 2, 4 or 8, such as 3/4.")
        case .tempo: LocalizedText("A tempo is a whole number of beats a minute, between 20 and 400.")
        case .repeats: LocalizedText("A song is repeated 1 to 16 times.")
        case .notesTooEarly:
            LocalizedText("Say the metre and the tempo before the first notes, such as meter: 4/4 and tempo: 96")
        case .symbol:
            LocalizedText("Notes are written as C4, F#4/8 or Bb3/4., rests as -/4, bars with |, tempos as [tempo 80].")
        case .pitch: LocalizedText("No piano has this note. They go from A0 to C8.")
        case .length:
            LocalizedText(
                "This metre cannot write that length. Lengths are /1 /2 /4 /8 /16 or /12, with a dot for half as much again."
            )
        case .bar(let ticks, let expected):
            LocalizedText("This bar has \(Self.beats(ticks)), and the metre asks for \(Self.beats(expected)).")
        case .tie: LocalizedText("A tie leads to the same note again.")
        case .tempoWithinBeat: LocalizedText("The tempo can change on a beat only, and not within an upbeat.")
        case .pattern:
            LocalizedText(
                "A level is written as steps per beat (1, 2 or 4; 1 or 3 in 6/8), then x for a hit and . for none, such as 1 | x.x. |"
            )
        case .patternBar(let steps, let expected):
            LocalizedText("This bar has \(steps) steps, and the metre asks for \(expected).")
        case .noNotes: LocalizedText("The song has no notes.")
        case .song(let failure): failure.message
        }
    }

    /// A number of ticks as beats, to a hundredth, such as `3.5 beats`.
    private static func beats(_ ticks: Int32) -> LocalizedText {
        let (whole, rest) = Int64(ticks).quotientAndRemainder(dividingBy: Int64(Song.ticksPerBeat))
        guard rest != 0 else { return LocalizedText("\(whole) beats") }
        let thousandths = Int((Double(ticks) * 1_000 / Double(Song.ticksPerBeat)).rounded())
        return LocalizedText("\(thousandths: thousandths, decimals: 2) beats")
    }
}

extension MIDIFileError {
    /// The words about what is wrong, and where, for whoever brought it.
    var message: LocalizedText { LocalizedText("Byte \(offset): \(failure.message)") }
}

extension MIDIFileFailure {
    /// The words about what is wrong, and what to bring instead.
    var message: LocalizedText {
        switch self {
        case .notMIDI: LocalizedText("This is no MIDI file, which begins with MThd.")
        case .tooLarge: LocalizedText("The hub reads MIDI files of at most \(MIDIFile.Limits.bytes / 1_024) KB.")
        case .header: LocalizedText("The header is too short.")
        case .type(2): LocalizedText("Type 2 holds several songs in one file. Save one of them as type 0 or 1.")
        case .type(let type): LocalizedText("There is no type \(type) of MIDI files. Save it as type 0 or 1.")
        case .smpte:
            LocalizedText(
                "It counts time in frames of film (SMPTE) and not in beats. Save it with ticks per quarter note.")
        case .division: LocalizedText("A beat has no ticks in it.")
        case .tracks(let count):
            LocalizedText(
                "It says that it has \(count) tracks. There are 1 to \(MIDIFile.Limits.tracks), and one only in type 0."
            )
        case .cutOff: LocalizedText("The file ends before this part of it does. Was it copied whole?")
        case .missingTracks: LocalizedText("There are fewer tracks than the header says. Was it copied whole?")
        case .beyondTrack: LocalizedText("This goes on beyond the end of its track.")
        case .number: LocalizedText("This number is longer than any in a MIDI file.")
        case .noStatus: LocalizedText("Data without a message that it belongs to.")
        case .status(let byte):
            LocalizedText("No file may have the byte 0x\(String(byte, radix: 16, uppercase: true)) here.")
        case .tooManyEvents: LocalizedText("It has more than \(MIDIFile.Limits.events) events.")
        case .tempo: LocalizedText("A tempo of no time at all.")
        case .tooLong: LocalizedText("This note is later than a song may last.")
        case .noNotes: LocalizedText("It has no notes.")
        case .tooManyNotes: LocalizedText("A song has at most \(Song.Limits.notes) notes. Save the tune alone.")
        case .song(let failure): failure.message
        case .secondFile: LocalizedText("Another MIDI file begins here. The first alone is the song.")
        case .afterEnd: LocalizedText("This track goes on behind its end.")
        }
    }
}
