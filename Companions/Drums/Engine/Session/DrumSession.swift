import Wire

/// A session of one person: a song played once, from "start" to its result; a state machine over events that carry
/// their own time.
///
/// It has no clock. Its position is computed from the stored events and the time since, so that it does not matter how
/// often, or whether at all, somebody looked in between.
public struct DrumSession: Sendable {
    /// The version of the rules in this build. Raised when the same events would come to another result.
    public static let engineVersion: UInt16 = 1

    /// The limits of a session.
    public enum Limits {
        /// The most steps of a chart.
        public static let steps = 4_096
        /// The most beats of a chart: steps that are hit. Each takes an event for its cue, and two or three for its
        /// answer.
        public static let beats = 1_500
        /// The most tempo changes of a chart, the first among them.
        public static let tempoChanges = 64
        /// The most minutes of a chart.
        public static let minutes: Int64 = 30
        /// The most events, all together.
        public static let events = 6_000
        /// The number of events from which on nothing is stored that answers no cue.
        static let strays = 5_500
        /// The number of events from which on only the end is stored.
        static let full = events - 4
        /// The most bytes of a notification: what Bluetooth carries unless more is agreed on.
        public static let message = 20
        /// The most bytes of one imported answer: the original puts any number of notifications together, each wrong
        /// drum of which is two.
        public static let importedText = 4_096
        /// The most bytes of all imported answers of a session: those of the longest song at two hundred each.
        public static let importedTexts = 300_000
        /// The bytes of a session's identifier.
        public static let id = 16
        /// The bytes of a person's identifier.
        public static let person = 1...40
        /// The bytes of a song's identifier.
        public static let songID = 1...40
        /// The bytes of a song's title.
        public static let songTitle = 0...80
        /// The minutes east of Greenwich: no place is a day away.
        public static let utcOffsetMinutes: ClosedRange<Int16> = -1_080...1_080
        /// The bytes of the largest possible session: the most that a server reads. The setup has at most 1,200 bytes;
        /// then come 4,096 imported answers of 9 bytes and their texts, which is more than 6,000 notifications of 26.
        public static let bytes = 340_000
    }

    /// The setup: the song, the player and the settings.
    public var setup: SessionSetup { plan.setup }
    /// The ``engineVersion`` of the build that began the session.
    public let recordedVersion: UInt16
    /// The stored events, in order.
    public private(set) var events: [SessionEvent] = []
    /// The result that the page claims; nil before ``SessionInput/finish``.
    public private(set) var claim: SessionClaim?

    let plan: SessionPlan
    /// The state at the last stored event.
    private var committed: SessionState
    /// The state at the last input.
    private(set) var current: SessionState
    /// The page's clock when the session's time was 0.
    private var epoch: Int64 = 0
    /// The latest time that somebody looked.
    private var latest: Int64 = 0

    /// A session that has not begun.
    public init(setup: SessionSetup) throws(SessionCodecError) {
        try self.init(setup: setup, recordedVersion: Self.engineVersion)
    }

    /// A session that has not begun, with the rules of a version.
    package init(setup: SessionSetup, recordedVersion: UInt16) throws(SessionCodecError) {
        try setup.check()
        self.recordedVersion = recordedVersion
        plan = SessionPlan(setup)
        committed = SessionState(setup)
        current = committed
    }

    // MARK: - Inputs

    /// Applies an input and returns what changed: nothing where the input makes no sense now, such as a pause in a
    /// pause, the cue of another step, or anything but a first ``SessionInput/finish`` after the end.
    ///
    /// Time between the last event and now may have been looked at before: an input that comes with its own, earlier
    /// time (the time stamp of a touch) is put there, and what was reported of later is reported anew.
    ///
    /// - Parameter microseconds: of the page's monotonic clock. It begins anew with ``SessionInput/start(wall:)`` and
    ///   ``SessionInput/opened(wall:)``.
    public mutating func handle(_ input: SessionInput, atMicroseconds microseconds: Int64) -> SessionOutput {
        let old = current
        switch input {
        case .start, .opened, .closed:
            // Of these the page's clock tells nothing: the session goes on where it was last known.
            guard claim == nil, keep(input, at: committed.lastEvent) else { return [] }
            epoch = microseconds.minusClamped(committed.lastEvent)
            latest = committed.lastEvent
            current = committed
            return changes(from: old).union(.recorded)
        case .tick:
            look(at: microseconds)
            return changes(from: old)
        default:
            let since = sessionTime(microseconds).minusClamped(committed.lastEvent)
            guard claim == nil, keep(input, at: committed.lastEvent + min(max(0, since), Int64(UInt32.max))) else {
                look(at: microseconds)
                return changes(from: old)
            }
            if input == .finish { claim = SessionClaim(SessionResult(committed, plan)) }
            latest = max(latest, committed.lastEvent)
            current = committed
            current.advance(to: latest, plan)
            return changes(from: old).union(.recorded)
        }
    }

    private func sessionTime(_ microseconds: Int64) -> Int64 { microseconds.minusClamped(epoch) }

    private mutating func look(at microseconds: Int64) {
        // No further than where a session that nothing happens in is over for sure.
        let most = committed.lastEvent + Int64(UInt32.max)
        latest = max(latest, min(sessionTime(microseconds), most))
        current.advance(to: latest, plan)
    }

    private mutating func keep(_ input: SessionInput, at time: Int64) -> Bool {
        guard events.count < Limits.events else { return false }
        var input = input
        // What is longer than the link carries is noise, and one byte of it is enough to make its message noise.
        if case .message(let bytes) = input, bytes.count > Limits.message { input = .message([0xFF]) }
        if case .strike(let drum, let velocity, let link) = input {
            input = .strike(drum, velocity: min(velocity, 127), link: link)
        }
        if case .imported(_, let text) = input, text.count > Limits.importedText { return false }
        var next = committed
        next.advance(to: time, plan)
        guard next.apply(input, at: events.count, now: time, plan) else { return false }
        committed = next
        events.append(SessionEvent(input: input, atMicroseconds: time))
        return true
    }

    private func changes(from old: SessionState) -> SessionOutput {
        let new = current
        var output: SessionOutput = []
        let wasShown = old.open?.shownAt != nil
        let isShown = new.open?.shownAt != nil
        let isDue = new.open?.isDue == true && !isShown
        if isDue, new.cuesDue != old.cuesDue { output.insert(.cueDue) }
        if new.judgements != old.judgements { output.insert(.judged) }
        if new.isWaiting, !old.isWaiting { output.insert(.waiting) }
        if new.anchor != nil, old.anchor == nil, old.hasBegun { output.insert(.goesOn) }
        if new.end != nil, old.end == nil { output.insert(.ended) }
        if wasShown, !isShown, !isDue, new.answers == old.answers { output.insert(.clear) }
        if new.otherDrums > old.otherDrums { output.insert(.otherDrum) }
        return output
    }

    /// Applies a beat of a file in place: leaves the session that ``handle(_:atMicroseconds:)`` would, without the copy
    /// that it makes of all that came before, which for a long song is far more than the song.
    mutating func takeImported(step: Int, text: [UInt8], atMicroseconds microseconds: Int64) {
        guard events.count < Limits.strays, text.count <= Limits.importedText else { return }
        let time = committed.lastEvent + min(max(0, microseconds - committed.lastEvent), Int64(UInt32.max))
        let input = SessionInput.imported(step: step, text: text)
        committed.advance(to: time, plan)
        guard committed.apply(input, at: events.count, now: time, plan) else { return }
        events.append(SessionEvent(input: input, atMicroseconds: time))
    }

    /// Ends an import: no more beats are applied in place.
    mutating func endImport() { endReplay() }

    // MARK: - What it shows

    /// The way in which the session ended; nil while it runs.
    public var end: SessionEnd? { current.end }

    /// Whether the link to the pads is gone.
    public var isLinkLost: Bool { current.isLost }

    /// The state that a screen shows, as of the last input.
    public var view: SessionView { SessionView(current, plan, epoch: epoch) }

    /// The result, as of the last input.
    public var result: SessionResult { SessionResult(current, plan) }

    /// The beats of ``result`` alone, for a caller that counts many sessions together: the rest is not computed.
    public var beats: [BeatResult] { current.beatsAsked(plan) }

    /// Whether the page claims another result than the events come to.
    public var claimDiffers: Bool { claim.map { $0 != SessionClaim(result) } ?? false }

    /// The position of the song at a time of the page's clock, at most the position that it can have reached without an
    /// answer.
    public func songMicroseconds(atMicroseconds microseconds: Int64) -> Int64 {
        min(current.position(at: sessionTime(microseconds)), current.horizon(plan))
    }

    /// The next beats that have not been asked for, at most a given number.
    public func upcoming(_ count: Int) -> [UpcomingBeat] {
        guard current.end == nil, setup.link != .imported else { return [] }
        let left = plan.count - current.asked
        return (0..<min(left, max(0, count))).map { place in
            let index = current.asked + place
            return UpcomingBeat(
                step: plan.steps[index], drum: plan.drums[index], side: plan.side(of: plan.drums[index]),
                positionMicroseconds: plan.positions[index])
        }
    }

    /// The time of an event: UTC, milliseconds, by the player's device, with absences before it. Before the first
    /// event: the start.
    public func wallMilliseconds(ofEvent index: Int) -> Int64 {
        var clock = WallClock(startedAt: current.startedWall)
        for event in events.prefix(min(max(index, -1), events.count - 1) + 1) { clock.pass(event) }
        return clock.milliseconds
    }

    /// Whether this is another session played further, or that one itself: all that is stored of the other is the
    /// beginning of this one, except for the event with which the hub closed it.
    public func isContinuation(of other: DrumSession) -> Bool {
        guard setup == other.setup, recordedVersion == other.recordedVersion else { return false }
        var others = other.events[...]
        if case .closed = others.last?.input { others.removeLast() }
        return events.count >= others.count && events.prefix(others.count).elementsEqual(others)
    }

    // MARK: - The codec's

    mutating func reserve(events count: Int) { events.reserveCapacity(count) }

    /// Applies an event that was read from bytes.
    package mutating func replay(_ event: SessionEvent, claim: SessionClaim?) {
        committed.replay(event, at: events.count, plan)
        events.append(event)
        if let claim { self.claim = claim }
    }

    /// Ends the replay of the events that were read from bytes.
    package mutating func endReplay() {
        latest = committed.lastEvent
        current = committed
    }

    /// Sets the time of the last look to the other's, by the other's clock.
    package mutating func look(as other: DrumSession) {
        epoch = other.epoch
        latest = other.latest
        current = committed
        current.advance(to: latest, plan)
    }
}
