import Wire

/// The reason why bytes are not a session, or a setup cannot be played. Events are named by their index, from 0.
public enum SessionCodecError: SealedCodecError, Equatable {
    /// The bytes cannot be opened.
    case seal(SealError)
    /// The session's identifier is all zeros, or not of 16 bytes.
    case id
    /// The person's identifier is empty, too long, or holds something else than letters, digits and signs of ASCII.
    case person
    /// The offset from UTC is one that no place on Earth has.
    case utcOffset
    /// The song's identifier or title is too long, or not text.
    case song
    /// The chart has no beat, or more steps, beats or minutes than there may be, or its tempo cannot be played.
    case chart
    /// The level, mode, hand, link, count-in or stop rule is one that this build does not know.
    case setting
    /// The set of drums is empty.
    case noDrum
    /// The timing window or the time before a beat is out of its range.
    case window
    /// The session has more events than ``DrumSession/Limits/events``.
    case tooManyEvents
    /// The event is of a kind that this build does not know.
    case unknownKind(Int)
    /// The first event is not the start, or there is none.
    case doesNotBegin
    /// The event is impossible here: a second start, a beat of another system in a session of this one.
    case outOfOrder(Int)
    /// The event comes after the session was over.
    case afterEnd(Int)
    /// The event has impossible content: an unknown drum, link or step, or a message that is too long.
    case event(Int)

    /// The number of the error, which the page receives: 1 and up.
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

    /// The index of the event; nil for an error without one.
    public var event: Int? {
        switch self {
        case .unknownKind(let index), .outOfOrder(let index), .afterEnd(let index), .event(let index): index
        default: nil
        }
    }
}
