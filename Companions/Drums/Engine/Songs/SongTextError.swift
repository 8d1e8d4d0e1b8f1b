/// The reason why a text is not a song, and the place.
public struct SongTextError: Error, Sendable, Equatable {
    /// The line, from 1.
    public var line: Int32
    /// The column, from 1, in characters.
    public var column: Int32
    /// The reason.
    public var failure: SongTextFailure
}

/// The error in a song written as text.
public enum SongTextFailure: Sendable, Equatable {
    /// The text has more bytes than ``SongText/longest``.
    case tooLong
    /// The text is not UTF-8, or has a control character.
    case notText
    /// A line that is neither a field, nor notes, nor empty.
    case unknownField
    /// A field that was there before.
    case twice
    /// A required field is missing: the title, the metre or the tempo.
    case missing(Field)
    /// The year is not one, such as 1824.
    case year
    /// The metre is not one, such as 3/4.
    case meter
    /// The tempo cannot be played; one that can is 96.
    case tempo
    /// The number of repeats is not 1 to 16.
    case repeats
    /// The notes begin before the metre and the tempo are known.
    case notesTooEarly
    /// A symbol that is neither a note nor a rest, a bar line or a tempo.
    case symbol
    /// A note that no piano has.
    case pitch
    /// A length that this metre cannot write.
    case length
    /// A bar of another length than the metre's; with its length, in ticks, and the one that it should have.
    case bar(ticks: Int32, expected: Int32)
    /// A tie to something else than the same note.
    case tie
    /// A tempo change within a beat.
    case tempoWithinBeat
    /// A pattern without steps per beat, or with steps that do not fit to the metre.
    case pattern
    /// A bar of a pattern with another number of steps; with its number, and the one that it should have.
    case patternBar(steps: Int32, expected: Int32)
    /// The song has no notes.
    case noNotes
    /// The text is a song, but one that cannot be played.
    case song(SongError)

    /// A field that every song has.
    public enum Field: Sendable {
        case title, meter, tempo
    }
}

extension SongTextFailure {
    /// The number of the failure, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .tooLong: 1
        case .notText: 2
        case .unknownField: 3
        case .twice: 4
        case .missing: 5
        case .year: 6
        case .meter: 7
        case .tempo: 8
        case .repeats: 9
        case .notesTooEarly: 10
        case .symbol: 11
        case .pitch: 12
        case .length: 13
        case .bar: 14
        case .tie: 15
        case .tempoWithinBeat: 16
        case .pattern: 17
        case .patternBar: 18
        case .noNotes: 19
        case .song(let failure): 100 + Int64(failure.rawValue)
        }
    }
}
