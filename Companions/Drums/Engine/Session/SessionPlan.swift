/// What a setup comes to: every beat with its drum and its times, microseconds of the song. It never changes, and a
/// session is copied often: all copies have the same one.
package final class SessionPlan: Sendable {
    package let setup: SessionSetup
    /// The steps that are beats.
    package let steps: [Int]
    /// When each is due.
    package let positions: [Int64]
    /// When its drum is lit: when it is due, in flow mode before.
    package let cues: [Int64]
    /// Flow mode: when nothing answers it any more.
    package let closes: [Int64]
    package let drums: [Drum]
    /// Where the song ends.
    package let end: Int64

    package var count: Int { steps.count }

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

    /// Where the song begins: what is counted before the first step, or a breath.
    package var start: Int64 {
        guard setup.countInBeats > 0 else { return -breath(before: 0) }
        return -Int64(setup.countInBeats) * setup.chart.microsecondsPerBeat(at: 0)
    }

    /// How long the song takes breath before it goes on to a beat: a step's time, at least
    /// ``SessionRules/leastBreath``; in flow mode long enough to see the cue.
    func breath(before index: Int) -> Int64 {
        let step = index < count ? steps[index] : setup.chart.steps.count - 1
        let least = max(SessionRules.leastBreath * 1_000, setup.chart.microsecondsPerStep(at: step))
        return setup.mode == .flow ? max(least, Int64(setup.leadMilliseconds) * 1_000) : least
    }

    /// Which hand a beat on a drum is asked of.
    func side(of drum: Drum) -> Side {
        switch setup.hands {
        case .both: drum.side
        case .left: .left
        case .right: .right
        }
    }
}
