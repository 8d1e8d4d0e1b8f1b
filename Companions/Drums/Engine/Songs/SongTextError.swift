/// Why a text is no song, and where.
public struct SongTextError: Error, Sendable, Equatable {
    /// From 1.
    public var line: Int32
    /// From 1, in characters.
    public var column: Int32
    public var failure: SongTextFailure
}

/// What is wrong with a song written as text.
public enum SongTextFailure: Sendable, Equatable {
    /// More bytes than ``SongText/longest``.
    case tooLong
    /// No UTF-8, or a control character.
    case notText
    /// A line that is neither a field, nor notes, nor empty.
    case unknownField
    /// A field that was there before.
    case twice
    /// Something that every song says is missing: its title, its metre or its tempo.
    case missing(Field)
    /// No year, such as 1824.
    case year
    /// No metre, such as 3/4.
    case meter
    /// No tempo that can be played, such as 96.
    case tempo
    /// No number of times from 1 to 16.
    case repeats
    /// The notes begin before the metre and the tempo are known.
    case notesTooEarly
    /// Neither a note nor a rest, a bar line or a tempo.
    case symbol
    /// A note that no piano has.
    case pitch
    /// No length that this metre can write.
    case length
    /// A bar of another length than the metre's; how long it is, in ticks, and how long it should be.
    case bar(ticks: Int32, expected: Int32)
    /// A tie to something else than the same note.
    case tie
    /// A tempo change within a beat.
    case tempoWithinBeat
    /// A pattern without steps per beat, or with steps that do not fit to the metre.
    case pattern
    /// A bar of a pattern with another number of steps; how many, and how many it should have.
    case patternBar(steps: Int32, expected: Int32)
    /// It has no notes.
    case noNotes
    /// It is a song, but one that cannot be played.
    case song(SongError)

    /// A field that every song has.
    public enum Field: Sendable {
        case title, meter, tempo
    }
}

extension SongTextFailure {
    /// Its number, which the vectors name.
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
