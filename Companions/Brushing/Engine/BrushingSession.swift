import Wire

/// A session of one person, from start to result: a state machine over events that carry their own time.
///
/// It has no clock. Each input says when it happens, and the state is computed from the last stored event, so it does
/// not matter how often, or whether at all, somebody looked in between.
public struct BrushingSession: Sendable {
    /// The version of the rules in this build. It is raised when the same events would have another result.
    public static let engineVersion: UInt16 = 1

    /// The limits of a session.
    public enum Limits {
        /// The number of all events.
        public static let events = 1_000
        /// The number of events up to which ticks are stored, so that a person can still pause, resume and stop.
        static let forTicks = events - 16
        /// The number of events up to which pauses and skips are stored, so that each pause has its resume.
        static let forPauses = events - 10
        /// The number of events up to which anything but the end is stored.
        static let forPeople = events - 8
        /// The length of a person's identifier, in bytes.
        public static let person = 1...40
        /// The length of a session's identifier, in bytes.
        public static let id = 16
        /// The offsets from UTC in minutes, positive east of Greenwich: no place is a day away.
        public static let utcOffsetMinutes: ClosedRange<Int16> = -1_080...1_080
    }

    /// The identifier: 16 random bytes made by the device; not all zero.
    public let id: [UInt8]
    /// The person's identifier in the hub, ASCII without spaces.
    public let person: [UInt8]
    /// The device's offset from UTC at the start, in minutes, positive east of Greenwich.
    public let utcOffsetMinutes: Int16
    /// The planned routine.
    public let routine: Routine
    /// The ``engineVersion`` of the build that began it.
    public let recordedVersion: UInt16
    /// The stored events, in order.
    public private(set) var events: [SessionEvent] = []
    /// The result that the page claims; nil before ``SessionInput/finish``.
    public private(set) var claim: SessionClaim?

    /// The state at the last stored event.
    private var committed: SessionState
    /// The state at the last input.
    private var current: SessionState
    /// The latest time of this page's monotonic clock.
    private var latest: Int64 = .min

    /// Creates a session that has not begun.
    public init(
        id: [UInt8], person: [UInt8], utcOffsetMinutes: Int16, routine: Routine
    ) throws(SessionCodecError) {
        try self.init(
            id: id, person: person, utcOffsetMinutes: utcOffsetMinutes, routine: routine,
            recordedVersion: Self.engineVersion)
    }

    init(
        id: [UInt8], person: [UInt8], utcOffsetMinutes: Int16, routine: Routine, recordedVersion: UInt16
    ) throws(SessionCodecError) {
        guard id.count == Limits.id, id.contains(where: { $0 != 0 }) else { throw .id }
        guard Limits.person.contains(person.count), isASCIIWord(person) else { throw .person }
        guard Limits.utcOffsetMinutes.contains(utcOffsetMinutes) else { throw .utcOffset }
        do throws(RoutineError) {
            try routine.check()
        } catch {
            throw error == .negativeDuration ? .negativeDuration : .routine(error)
        }
        self.id = id
        self.person = person
        self.utcOffsetMinutes = utcOffsetMinutes
        self.routine = routine
        self.recordedVersion = recordedVersion
        committed = SessionState(routine)
        current = committed
    }

    /// The session as a screen shows it, as of the last input.
    public var view: SessionView { SessionView(current) }

    /// The result, as of the last input.
    public var result: SessionResult { SessionResult(current) }

    /// The end; nil while it runs.
    public var end: SessionEnd? { current.end }

    /// Whether the page claims another result than that of the events.
    public var claimDiffers: Bool { claim.map { $0 != SessionClaim(result) } ?? false }

    /// Each repetition of the steps that are on.
    public var segments: [RoutineSegment] { current.segments }

    /// Milliseconds spent on each of ``segments``.
    public var segmentMilliseconds: [Int64] { current.done }

    /// Handles an input, and returns what it changed.
    ///
    /// A ``SessionInput/tick`` is stored only if it decides something: another repetition, the end, or clocks that no
    /// longer agree. All others only update the view.
    public mutating func handle(_ input: SessionInput, at given: Instant) -> SessionOutput {
        guard makesSense(input) else { return .ignored }
        var now = given
        // Within a page this clock never goes back; where one does, no time has passed.
        if input != .opened { now.monotonic = max(now.monotonic, latest) }
        var next = committed
        next.apply(input, at: now, mayContinue: events.count < Limits.forTicks)
        latest = now.monotonic
        var output = changes(from: current, to: next)
        current = next
        if input == .tick || input == .seen {
            let decides =
                input == .seen || next.index != committed.index
                || abs(clamped: now.drift(since: committed.last)) > ClockRules.agreement
            guard next.end != nil || decides && events.count < Limits.forTicks else { return output }
        }
        if input == .finish { claim = SessionClaim(result) }
        committed = next
        events.append(SessionEvent(input: input == .seen ? .tick : input, at: now))
        output.insert(.recorded)
        return output
    }

    private func makesSense(_ input: SessionInput) -> Bool {
        if input == .start { return events.isEmpty }
        guard !events.isEmpty, claim == nil else { return false }
        if current.end != nil { return input == .finish }
        return switch input {
        case .pause: !current.isPaused && events.count < Limits.forPauses
        case .resume: current.isPaused && events.count < Limits.forPeople
        case .skip: events.count < Limits.forPauses
        default: true
        }
    }

    private func changes(from old: SessionState, to new: SessionState) -> SessionOutput {
        var output: SessionOutput = []
        if new.index != old.index, new.index < new.segments.count {
            output.insert(.repetitionChanged)
            if new.segments[new.index].stepIndex != new.segments[old.index].stepIndex { output.insert(.stepChanged) }
        }
        if new.end != nil, old.end == nil { output.insert(.ended) }
        return output
    }

    mutating func reserve(events count: Int) { events.reserveCapacity(count) }

    /// Applies a stored event again.
    mutating func replay(_ event: SessionEvent, claim: SessionClaim?) {
        committed.apply(event.input, at: event.at, mayContinue: events.count < Limits.forTicks)
        current = committed
        latest = event.at.monotonic
        events.append(event)
        if let claim { self.claim = claim }
    }
}

/// An input that is stored.
public struct SessionEvent: Sendable, Equatable {
    /// The input; never ``SessionInput/seen``.
    public let input: SessionInput
    /// The time of the input.
    public let at: Instant
}

/// The absolute value, clamped to what the type can hold.
private func abs(clamped number: Int64) -> Int64 { number < 0 ? Int64(0).minusClamped(number) : number }
