// One session that two devices went on with: what their records have in common, and what each holds beyond that.
extension DrumSession {
    /// The number of events with which two records begin alike; nil where they are not of one session. Their
    /// identifiers may differ: the second of two devices is stored under one of its own.
    public func commonBeginning(with other: DrumSession) -> Int? {
        var others = other.setup
        others.id = setup.id
        guard setup == others, recordedVersion == other.recordedVersion else { return nil }
        let most = min(events.count, other.events.count)
        var count = 0
        while count < most, events[count] == other.events[count] { count += 1 }
        return count > 0 ? count : nil
    }

    /// The number of events without the one with which the hub closed the session.
    public var playedEventCount: Int {
        if case .closed = events.last?.input { events.count - 1 } else { events.count }
    }

    /// Whether a pad was hit after a number of events. Where none was, nobody played there.
    public func isPlayed(after count: Int) -> Bool {
        for event in events.dropFirst(count) {
            switch event.input {
            case .message, .strike, .imported: return true
            default: break
            }
        }
        return false
    }

    /// Whether a new page opened the session after a number of events.
    public func isTakenUp(after count: Int) -> Bool {
        for event in events.dropFirst(count) {
            if case .opened = event.input { return true }
        }
        return false
    }

    /// The number of beats that were judged by a number of first events: those at the beginning of
    /// ``SessionResult/beats``.
    public func beatsJudged(by count: Int) -> Int { state(events: count).beats.count }

    /// The result after a number of first events, as of the last input: of a beginning that another record has too,
    /// nothing counts twice. Its start, its end and how it ended stay its own; a beat that was outstanding when the two
    /// diverged belongs to the record that has the answer.
    public func result(after count: Int) -> SessionResult {
        let before = state(events: count)
        var rest = current
        rest.beats.removeFirst(min(before.beats.count, rest.beats.count))
        rest.latencies.removeFirst(min(before.latencies.count, rest.latencies.count))
        rest.right -= before.right
        rest.stray -= before.stray
        rest.lost -= before.lost
        var result = SessionResult(rest, plan)
        result.milliseconds = max(0, self.result.milliseconds - before.practised / 1_000)
        return result
    }

    /// The state after a number of first events.
    private func state(events count: Int) -> SessionState {
        var state = SessionState(setup)
        for (index, event) in events.prefix(count).enumerated() { state.replay(event, at: index, plan) }
        return state
    }

    /// The number of beats that were ``Verdict/notJudged`` before each event, and after the last: with one that is
    /// outstanding then, where its link is lost.
    public var unjudgedCounts: [Int] {
        var state = SessionState(setup)
        var counts: [Int] = []
        counts.reserveCapacity(events.count + 1)
        var looked = 0
        var unjudged = 0
        for index in 0...events.count {
            while looked < state.beats.count {
                if state.beats[looked].verdict == .notJudged { unjudged += 1 }
                looked += 1
            }
            let outstanding = state.end == nil ? state.unanswered(plan)?.verdict : nil
            counts.append(unjudged + (outstanding == .notJudged ? 1 : 0))
            if index < events.count { state.replay(events[index], at: index, plan) }
        }
        return counts
    }

    /// The same session under another identifier.
    ///
    /// - Parameter id: of ``Limits/id`` bytes.
    public func identified(as id: [UInt8]) throws(SessionCodecError) -> DrumSession {
        var setup = setup
        setup.id = id
        var other = try DrumSession(setup: setup, recordedVersion: recordedVersion)
        other.reserve(events: events.count)
        for event in events { other.replay(event, claim: event.input == .finish ? claim : nil) }
        other.endReplay()
        return other
    }
}
