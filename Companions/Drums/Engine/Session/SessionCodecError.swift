import Wire

/// Why bytes are no session, or a setup none that can be played. Events are named by their place, from 0.
public enum SessionCodecError: SealedCodecError, Equatable {
    /// They cannot be opened.
    case seal(SealError)
    /// The session's identifier is all nought, or not of 16 bytes.
    case id
    /// The person's identifier is empty, too long, or holds what is no letter, digit or sign of ASCII.
    case person
    /// An offset from UTC that no place on Earth has.
    case utcOffset
    /// The song's identifier or title is too long, or is no text.
    case song
    /// The chart has no beat, or more steps, beats or minutes than there may be, or its tempo cannot be played.
    case chart
    /// A level, mode, hand, link, count-in or stop rule that this build does not know.
    case setting
    /// No drum is to be played.
    case noDrum
    /// The timing window or the time before a beat is beyond its bounds.
    case window
    /// More events than ``DrumSession/Limits/events``.
    case tooManyEvents
    /// An event of a kind that this build does not know.
    case unknownKind(Int)
    /// The first event is not the start, or there is none.
    case doesNotBegin
    /// An event that cannot be: a second start, a beat of another system in a session of this one.
    case outOfOrder(Int)
    /// An event comes after the session was over.
    case afterEnd(Int)
    /// An event holds what cannot be: a drum, a link or a step that is none, a message that is too long.
    case event(Int)

    /// Its number, which the page receives: 1 and up.
    public var number: Int32 {
        switch self {
        case .seal(let failure): failure.number
        case .id: 6
        case .person: 7
        case .utcOffset: 8
        case .song: 9
        case .chart: 10
        case .setting: 11
        case .noDrum: 12
        case .window: 13
        case .tooManyEvents: 14
        case .unknownKind: 15
        case .doesNotBegin: 16
        case .outOfOrder: 17
        case .afterEnd: 18
        case .event: 19
        }
    }

    /// The place of the event that is meant, or nil.
    public var event: Int? {
        switch self {
        case .unknownKind(let index), .outOfOrder(let index), .afterEnd(let index), .event(let index): index
        default: nil
        }
    }
}
