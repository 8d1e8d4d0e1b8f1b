import Wire

/// A listener to one Oral-B tooth brush: it makes brushings of advertisements, of which many are lost and some come twice
/// or late.
///
/// A brush keeps its seconds for a while when it is switched off, and goes on with them. Such a brushing is the same one,
/// so a brushing that ended can be resumed. It begins anew where the seconds go back, or where they are too few to have
/// begun before the last one was heard.
public struct OralBSession: Equatable, Sendable {
    /// The reason why a brushing ended.
    public enum End: UInt8, Equatable, Sendable {
        /// The brush was switched off.
        case stopped = 1
        /// The brush was put on its charger.
        case charging = 2
        /// The brush was not heard for ``silence``.
        case silent = 3
        /// The brush began another brushing; the end of this one was not heard.
        case restarted = 4
    }

    /// A change of what is known.
    public enum Event: Equatable, Sendable {
        /// A brushing began.
        case began(OralBBrushing)
        /// A brushing ended.
        case ended(OralBBrushing, End)
        /// The brushing that ended last goes on: its end was none.
        case resumed(OralBBrushing)
    }

    /// The time without an advertisement after which a brushing has ended, in milliseconds.
    public static let silence: Int64 = 60_000
    /// The seconds by which the brush's clock may go back before it is another brushing: advertisements come late.
    public static let lateness = 3

    /// The brushing that goes on; nil where nobody brushes.
    public private(set) var brushing: OralBBrushing?
    /// The brushing that ended last; nil before the first ended, and while one goes on.
    public private(set) var last: OralBBrushing?

    /// Creates a listener that has heard nothing.
    public init() {}

    /// Takes an advertisement.
    ///
    /// - Parameters:
    ///   - advertisement: one of this brush.
    ///   - now: when it was heard, in milliseconds of a clock that is not set. One that is up to ``silence`` earlier than
    ///     the last one came late and is put aside; after a greater step back the clock was set.
    /// - Returns: what changed, in its order: two events where a brushing ended and another began.
    public mutating func heard(_ advertisement: OralBAdvertisement, at now: Int64) -> [Event] {
        if let lastHeardAt = (brushing ?? last)?.lastHeardAt, now < lastHeardAt {
            guard now < lastHeardAt.minusClamped(Self.silence) else { return [] }
            brushing?.lastHeardAt = now
            last = nil
        }
        let events = passed(to: now)
        if advertisement.state == .running { return events + running(advertisement, at: now) }
        guard var brushing, advertisement.state.endsBrushing else { return events }
        if advertisement.seconds >= brushing.seconds { brushing.goOn(to: advertisement, at: now) }
        return events + [end(brushing, advertisement.state == .charging ? .charging : .stopped)]
    }

    /// Lets time pass, for the end of a brushing whose brush went out of reach.
    ///
    /// - Parameter now: the time in milliseconds, by the same clock.
    public mutating func passed(to now: Int64) -> [Event] {
        guard let brushing, now.minusClamped(brushing.lastHeardAt) >= Self.silence else { return [] }
        return [end(brushing, .silent)]
    }

    private mutating func running(_ advertisement: OralBAdvertisement, at now: Int64) -> [Event] {
        let seconds = advertisement.seconds
        guard var known = brushing ?? last else { return [begin(advertisement, at: now)] }
        let isOver = brushing == nil
        let start = now.minusClamped(Int64(seconds) * 1_000)
        let isSame = start <= known.lastHeardAt.plusClamped(Int64(Self.lateness) * 1_000)
        if seconds > known.seconds || !isOver && seconds == known.seconds, isSame {
            known.goOn(to: advertisement, at: now)
            brushing = known
            last = nil
            return isOver ? [.resumed(known)] : []
        }
        if seconds <= known.seconds, known.seconds - seconds <= Self.lateness, isSame || !isOver {
            if !isOver { brushing?.lastHeardAt = now }
            return []
        }
        let ended = isOver ? [] : [end(known, .restarted)]
        return ended + [begin(advertisement, at: now)]
    }

    private mutating func begin(_ advertisement: OralBAdvertisement, at now: Int64) -> Event {
        let begun = OralBBrushing(advertisement, at: now)
        brushing = begun
        last = nil
        return .began(begun)
    }

    private mutating func end(_ ended: OralBBrushing, _ reason: End) -> Event {
        brushing = nil
        last = ended
        return .ended(ended, reason)
    }
}
