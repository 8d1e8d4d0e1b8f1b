extension Chart {
    /// The start of a step, in microseconds after step 0; for the step after the last, the end of the chart.
    ///
    /// Each tempo holds from its step on, and a step is its part of a beat, rounded down from the change and not from
    /// the step before: no rounding adds up.
    public func positionMicroseconds(ofStep step: Int) -> Int64 {
        var start: Int64 = 0
        for (index, change) in tempo.enumerated() {
            let isLast = index + 1 == tempo.count || Int(tempo[index + 1].step) >= step
            let end = isLast ? step : Int(tempo[index + 1].step)
            start += Int64(end - Int(change.step)) * Int64(change.microsecondsPerBeat) / Int64(max(1, stepsPerBeat))
            if isLast { break }
        }
        return start
    }

    /// The length of a step.
    public func microsecondsPerStep(at step: Int) -> Int64 {
        microsecondsPerBeat(at: step) / Int64(max(1, stepsPerBeat))
    }

    /// The tempo that holds at a step.
    public func microsecondsPerBeat(at step: Int) -> Int64 {
        var microseconds: UInt32 = 0
        for change in tempo where Int(change.step) <= step || microseconds == 0 {
            microseconds = change.microsecondsPerBeat
        }
        return Int64(microseconds)
    }

    /// The chart for one hand alone: beats that come less than ``SessionRules/oneHandedGap`` after the beat before are
    /// rests.
    public var oneHanded: Chart { leavingOut(within: SessionRules.oneHandedGap) }

    /// The chart with rests for beats that come less than a gap, in milliseconds, after the beat before.
    func leavingOut(within gap: Int64) -> Chart {
        var chart = self
        var last: Int64?
        for step in steps.indices where steps[step] {
            let position = positionMicroseconds(ofStep: step)
            if let last, position - last < gap * 1_000 {
                chart.steps[step] = false
            } else {
                last = position
            }
        }
        return chart
    }

    /// Whether the chart can be played.
    var isPlayable: Bool {
        guard (1...4).contains(stepsPerBeat), (1...DrumSession.Limits.steps).contains(steps.count),
            (1...DrumSession.Limits.tempoChanges).contains(tempo.count), tempo[0].step == 0
        else { return false }
        for (index, change) in tempo.enumerated() {
            guard SessionRules.microsecondsPerBeat.contains(change.microsecondsPerBeat),
                Int(change.step) < steps.count, index == 0 || change.step > tempo[index - 1].step
            else { return false }
        }
        var beats = 0
        for step in steps where step { beats += 1 }
        return (1...DrumSession.Limits.beats).contains(beats)
            && positionMicroseconds(ofStep: steps.count) <= DrumSession.Limits.minutes * 60_000_000
    }
}
