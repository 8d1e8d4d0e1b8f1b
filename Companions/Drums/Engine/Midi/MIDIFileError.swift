/// The reason why a file does not become a song, and the place.
public struct MIDIFileError: Error, Sendable, Equatable {
    /// The byte at which it went wrong, from 0.
    public var offset: Int
    /// The reason.
    public var failure: MIDIFileFailure
}

/// The error in a Standard MIDI File.
public enum MIDIFileFailure: Sendable, Equatable {
    /// The file does not begin with `MThd`.
    case notMIDI
    /// The file has more bytes than ``MIDIFile/Limits/bytes``.
    case tooLarge
    /// The header is shorter than six bytes.
    case header
    /// The file is of another type than 0 and 1: 2 holds songs that have nothing to do with each other.
    case type(UInt16)
    /// The file counts in frames of film and not in beats.
    case smpte
    /// A beat has no ticks.
    case division
    /// The file has no track, more than ``MIDIFile/Limits/tracks``, or more than one although it is of type 0.
    case tracks(UInt16)
    /// A chunk says that it has more bytes than are left.
    case cutOff
    /// The file has fewer tracks than the header says.
    case missingTracks
    /// An event goes beyond the end of its track.
    case beyondTrack
    /// A number of more than four bytes.
    case number
    /// Data bytes without a status before them.
    case noStatus
    /// A status byte that is not allowed in a file.
    case status(UInt8)
    /// More events than ``MIDIFile/Limits/events``.
    case tooManyEvents
    /// A tempo of no time at all, or not of three bytes.
    case tempo
    /// A note later than any song may last.
    case tooLong
    /// The file has no notes.
    case noNotes
    /// More notes than ``Song/Limits/notes`` in the tune.
    case tooManyNotes
    /// The file is a song, but one that cannot be played.
    case song(SongError)
    /// A second file behind the first.
    case secondFile
    /// A track that goes on behind its end.
    case afterEnd
}

extension MIDIFileFailure {
    /// The number of the failure, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .notMIDI: 1
        case .tooLarge: 2
        case .header: 3
        case .type: 4
        case .smpte: 5
        case .division: 6
        case .tracks: 7
        case .cutOff: 8
        case .missingTracks: 9
        case .beyondTrack: 10
        case .number: 11
        case .noStatus: 12
        case .status: 13
        case .tooManyEvents: 14
        case .tempo: 15
        case .tooLong: 16
        case .noNotes: 17
        case .tooManyNotes: 18
        case .secondFile: 19
        case .afterEnd: 20
        case .song(let failure): 100 + Int64(failure.rawValue)
        }
    }
}
