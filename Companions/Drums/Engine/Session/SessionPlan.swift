/// The beats of a setup with their drums and times, in microseconds of the song. It never changes, and a session is
/// copied often: all copies have the same one.
package final class SessionPlan: Sendable {
    /// The setup.
    package let setup: SessionSetup
    /// The steps that are beats.
    package let steps: [Int]
    /// The time at which each beat is due.
    package let positions: [Int64]
    /// The time at which each beat's drum is lit: when the beat is due, in flow mode before.
    package let cues: [Int64]
    /// The time at which each beat closes, in flow mode: nothing answers it any more.
    package let closes: [Int64]
    /// The drum of each beat.
    package let drums: [Drum]
    /// The end of the song.
    package let end: Int64

    /// The number of beats.
    package var count: Int { steps.count }

    /// The plan of a setup.
    ///
    /// - Parameter setup: one that ``SessionSetup/check()`` approves.
    package init(_ setup: SessionSetup) {
        self.setup = setup
        let chart = setup.chart
        var steps: [Int] = []
        var positions: [Int64] = []
        for step in chart.steps.indices where chart.steps[step] {
            steps.append(step)
            positions.append(chart.positionMicroseconds(ofStep: step))
        }
        self.steps = steps
        self.positions = positions
        end = chart.positionMicroseconds(ofStep: chart.steps.count)
        drums = DrumChoice.drums(of: setup.drums, seed: setup.seed, count: steps.count)
        guard setup.mode == .flow else {
            self.cues = positions
            self.closes = []
            return
        }
        let late = (Int64(setup.window.centreMilliseconds) + Int64(setup.window.halfMilliseconds)) * 1_000
        var cues: [Int64] = []
        var closes: [Int64] = []
        for (index, position) in positions.enumerated() {
            var cue = position - Int64(setup.leadMilliseconds) * 1_000
            if index > 0 {
                // The beat before has its time and its window first, or its half of the time between the two.
                let before = positions[index - 1]
                cue = max(cue, before + min(max(0, late), (position - before) / 2))
                closes.append(min(cue, before + max(late, SessionRules.openAfterBeat * 1_000)))
            }
            cues.append(cue)
        }
        if let last = positions.last { closes.append(last + max(late, SessionRules.openAfterBeat * 1_000)) }
        self.cues = cues
        self.closes = closes
    }

    /// The start of the song: the count-in before the first step, or a breath.
    package var start: Int64 {
        guard setup.countInBeats > 0 else { return -breath(before: 0) }
        return -Int64(setup.countInBeats) * setup.chart.microsecondsPerBeat(at: 0)
    }

    /// The pause before the song goes on to a beat: a step's time, at least ``SessionRules/leastBreath``; in flow mode
    /// long enough to see the cue.
    func breath(before index: Int) -> Int64 {
        let step = index < count ? steps[index] : setup.chart.steps.count - 1
        let least = max(SessionRules.leastBreath * 1_000, setup.chart.microsecondsPerStep(at: step))
        return setup.mode == .flow ? max(least, Int64(setup.leadMilliseconds) * 1_000) : least
    }

    /// The hand that plays a beat on a drum.
    func side(of drum: Drum) -> Side {
        switch setup.hands {
        case .both: drum.side
        case .left: .left
        case .right: .right
        }
    }
}
