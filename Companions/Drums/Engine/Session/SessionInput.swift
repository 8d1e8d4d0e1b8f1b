/// An event that happens to a session.
public enum SessionInput: Sendable, Equatable {
    /// Time has passed. Never stored: the state is computed from the stored events.
    case tick
    /// The session begins, at this wall clock: UTC, milliseconds since 1970.
    case start(wall: Int64)
    /// The page has put out the cue of a step: the light is shown, or the digit handed to the kit.
    case cueShown(step: Int)
    /// A notification of a kit, as received, of at most ``DrumSession/Limits/message`` bytes; a longer one is noise.
    case message([UInt8])
    /// A pad without a clock was hit: the velocity, 1 to 127, or 0 where the pad does not tell, and the link.
    case strike(Drum, velocity: UInt8, link: LinkKind)
    /// The player pauses.
    case pause
    /// The player goes on.
    case resume
    /// The link to the pads is gone.
    case linkLost
    /// The link is back, or another one takes its place; with the latency that it adds to an answer, in tenths of a
    /// millisecond.
    case linkBack(LinkKind, latencyTenths: UInt16)
    /// A new page has opened the session, whose monotonic clock has nothing to do with that of the one before. The song
    /// is paused.
    case opened(wall: Int64)
    /// The player ends the session before the song ends.
    case stop
    /// The page has shown the result, and sends its ``SessionClaim``. A session that still runs is stopped by it.
    case finish
    /// An answer in the original's `sessiondata.plist`, to a beat or on a rest: all of the message that its kit sent,
    /// without `END`.
    case imported(step: Int, text: [UInt8])
    /// The hub ends the session, for a page that never came back.
    case closed(wall: Int64)
    /// From now on this of what a pad tells is crosstalk.
    case crosstalk(Drum, Crosstalk)

    /// The number of the kind in the codec.
    public var kind: UInt8 {
        switch self {
        case .tick: 0
        case .start: 1
        case .cueShown: 2
        case .message: 3
        case .strike: 4
        case .pause: 5
        case .resume: 6
        case .linkLost: 7
        case .linkBack: 8
        case .opened: 9
        case .stop: 10
        case .finish: 11
        case .imported(_, let text): text.count > DrumSession.shortImportedText ? 14 : 12
        case .closed: 13
        case .crosstalk: 15
        }
    }
}

/// The strokes of a pad that are none: what a neighbour's stroke shook in it, told a little before that stroke and weaker.
///
/// Each pad has its own: how much it feels depends on its stand and on how sensitive its module is set.
public struct Crosstalk: Sendable, Equatable {
    /// The most milliseconds before the stroke.
    public var milliseconds: UInt8
    /// The highest velocity, percent of the stroke's; 0 for a pad that feels nothing of the others.
    public var percent: UInt8

    /// Crosstalk within these limits; a session refuses those beyond ``SessionRules/crosstalkMilliseconds`` and 100 percent.
    public init(milliseconds: UInt8, percent: UInt8) { (self.milliseconds, self.percent) = (milliseconds, percent) }

    /// The crosstalk of each pad until something else is said.
    public static let usual = Crosstalk(
        milliseconds: SessionRules.usualCrosstalkMilliseconds, percent: SessionRules.usualCrosstalkPercent)

    /// Whether it can be used.
    var isPossible: Bool { milliseconds <= SessionRules.crosstalkMilliseconds && percent <= 100 }
}

/// An input that is stored.
public struct SessionEvent: Sendable, Equatable {
    /// The input; never ``SessionInput/tick``.
    public let input: SessionInput
    /// The time since the start, without absences.
    public let atMicroseconds: Int64
}

/// The changes that an input made.
public struct SessionOutput: OptionSet, Sendable, Equatable {
    /// The bits, as the page receives them.
    public let rawValue: Int32

    /// The set of these bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The input is stored among the events: to keep it, ``DrumSession/encoded()`` has to be called anew.
    public static let recorded = SessionOutput(rawValue: 1)
    /// The cue of ``SessionView/cueStep`` is to be shown, and ``SessionInput/cueShown(step:)`` to be sent.
    public static let cueDue = SessionOutput(rawValue: 2)
    /// A beat was judged: see ``SessionView/lastBeat``.
    public static let judged = SessionOutput(rawValue: 4)
    /// The song waits for an answer.
    public static let waiting = SessionOutput(rawValue: 8)
    /// The song goes on, after a wait or a pause.
    public static let goesOn = SessionOutput(rawValue: 16)
    /// The session is over.
    public static let ended = SessionOutput(rawValue: 32)
    /// The light that was shown is to be taken away.
    public static let clear = SessionOutput(rawValue: 64)
    /// Another drum than the one asked for was hit.
    public static let otherDrum = SessionOutput(rawValue: 128)
}

/// The result that the page claims, in the units of ``SessionResult``.
public struct SessionClaim: Sendable, Equatable {
    /// The number of right beats.
    public let right: UInt16
    /// The number of answered beats.
    public let answered: UInt16
    /// The median reaction, tenths of a millisecond; 0 where there is none.
    public let medianTenths: UInt32

    init(right: UInt16, answered: UInt16, medianTenths: UInt32) {
        self.right = right
        self.answered = answered
        self.medianTenths = medianTenths
    }

    init(_ result: SessionResult) {
        right = UInt16(clamping: result.right)
        answered = UInt16(clamping: result.answered)
        medianTenths = UInt32(clamping: result.reaction?.medianTenths ?? 0)
    }
}
