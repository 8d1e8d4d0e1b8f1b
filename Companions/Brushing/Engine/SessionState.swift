import Wire

/// The state of a session: the time spent on each segment, and the clocks at the last event.
struct SessionState: Sendable {
    let segments: [RoutineSegment]
    /// Milliseconds spent on each segment.
    private(set) var done: [Int64]
    /// The index of the current segment; their count when all are done.
    private(set) var index = 0
    private(set) var isPaused = false
    /// The time spent in pauses in milliseconds, at most ``ClockRules/longestPauses``.
    private(set) var pausedMilliseconds: Int64 = 0
    private(set) var skipped = 0
    private(set) var startedAt: Int64 = 0
    /// The real time from the start to the end in milliseconds, at most that of the plan and the pauses.
    private(set) var passed: Int64 = 0
    private(set) var end: SessionEnd?
    /// The clocks at the last event.
    private(set) var last = Instant(wall: 0, monotonic: 0)

    init(_ routine: Routine) {
        segments = routine.segments
        done = Array(repeating: 0, count: segments.count)
    }

    /// Applies an input.
    ///
    /// - Parameter mayContinue: whether another page may continue the session.
    mutating func apply(_ input: SessionInput, at now: Instant, mayContinue: Bool) {
        guard end == nil else { return }
        switch input {
        case .start:
            startedAt = now.wall
        case .opened:
            let away = now.wall.minusClamped(last.wall)
            guard away <= ClockRules.longestAbsence, mayContinue else {
                end = .left
                return
            }
            pass(max(0, away))
        default:
            pass(now.milliseconds(since: last))
        }
        last = now
        guard end == nil else { return }
        switch input {
        case .pause: isPaused = true
        case .resume: isPaused = false
        case .skip:
            skipped += 1
            index += 1
            if index == segments.count { end = .finished }
        case .stop, .finish: end = .stopped
        case .start, .opened, .tick, .seen: break
        }
    }

    private mutating func pass(_ milliseconds: Int64) {
        if isPaused {
            let counted = min(milliseconds, ClockRules.longestPauses - pausedMilliseconds)
            pausedMilliseconds += counted
            passed += counted
            return
        }
        var left = milliseconds
        while index < segments.count {
            let missing = segments[index].milliseconds - done[index]
            guard left >= missing else {
                done[index] += left
                passed += left
                return
            }
            done[index] += missing
            passed += missing
            left -= missing
            index += 1
        }
        // What is left came after the end: somebody looked late.
        end = .finished
    }

    /// The time spent on all segments of a kind, in milliseconds; nil for all kinds.
    func milliseconds(of kind: RoutineStep.Kind?) -> Int64 {
        var sum: Int64 = 0
        for (segment, done) in zip(segments, done) where kind == nil || segment.kind == kind { sum += done }
        return sum
    }

    /// The time planned for all segments of a kind, in milliseconds; nil for all kinds.
    func planned(of kind: RoutineStep.Kind?) -> Int64 {
        var sum: Int64 = 0
        for segment in segments where kind == nil || segment.kind == kind { sum += segment.milliseconds }
        return sum
    }

    var isComplete: Bool {
        for (segment, done) in zip(segments, done) where done < segment.milliseconds { return false }
        return true
    }

    /// Whether three quarters of the planned brushing was done; for a routine without brushing, of everything.
    var counts: Bool {
        let brush = planned(of: .brush)
        let kind = brush > 0 ? RoutineStep.Kind.brush : nil
        return milliseconds(of: kind) * 4 >= planned(of: kind) * 3
    }
}
