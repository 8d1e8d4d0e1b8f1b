import Wire

/// Why bytes are no session. Events are named by their place, from 0.
public enum SessionCodecError: SealedCodecError, Equatable {
    /// They cannot be opened.
    case seal(SealError)
    /// The session's identifier is all nought, or not of 16 bytes.
    case id
    /// The person's identifier is empty, too long, or holds what is no letter, digit or sign of ASCII.
    case person
    /// An offset from UTC that no place on Earth has.
    case utcOffset
    /// A step or a claim takes no time, or less.
    case negativeDuration
    /// The routine is none.
    case routine(RoutineError)
    /// More events than ``BrushingSession/Limits/events``.
    case tooManyEvents
    /// An event of a kind that this build does not know.
    case unknownKind(Int)
    /// The first event is not the start, or there is none.
    case doesNotBegin
    /// An event is earlier than the one before it by the clock that is never set, or is a second start.
    case outOfOrder(Int)
    /// An event comes after the person ended the session.
    case afterEnd(Int)
    /// A claim says what this build does not know.
    case claim

    /// Its number, which the page receives: 1 and up.
    public var number: Int32 {
        switch self {
        case .seal(let failure): failure.number
        case .id: 6
        case .person: 7
        case .utcOffset: 8
        case .negativeDuration: 9
        case .routine: 10
        case .tooManyEvents: 11
        case .unknownKind: 12
        case .doesNotBegin: 13
        case .outOfOrder: 14
        case .afterEnd: 15
        case .claim: 16
        }
    }

    /// The place of the event that is meant, or nil.
    public var event: Int? {
        switch self {
        case .unknownKind(let index), .outOfOrder(let index), .afterEnd(let index): index
        default: nil
        }
    }
}
