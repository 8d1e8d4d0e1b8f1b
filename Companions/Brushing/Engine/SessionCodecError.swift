import Wire

/// The reason why bytes are not a session. Events are given by their index.
public enum SessionCodecError: SealedCodecError, Equatable {
    /// The envelope cannot be opened.
    case seal(SealError)
    /// The session's identifier is all zero, or not of 16 bytes.
    case id
    /// The person's identifier is empty or too long, or has other characters than visible ASCII.
    case person
    /// The offset from UTC is that of no place on Earth.
    case utcOffset
    /// The duration of a step or claim is zero or negative.
    case negativeDuration
    /// The routine is invalid.
    case routine(RoutineError)
    /// The number of events exceeds ``BrushingSession/Limits/events``.
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

    /// The number of the error from 1 up, as the page receives it.
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

    /// The index of the event in question; nil for other errors.
    public var event: Int? {
        switch self {
        case .unknownKind(let index), .outOfOrder(let index), .afterEnd(let index): index
        default: nil
        }
    }
}
