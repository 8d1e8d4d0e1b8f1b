import Wire

extension SessionState {
    /// Every beat that was asked for, in the order of the song.
    func beatsAsked(_ plan: SessionPlan) -> [BeatResult] {
        guard end == nil, let last = unanswered(plan) else { return beats }
        return beats + [last]
    }

    /// The position from which on nothing may be sounded yet.
    func horizon(_ plan: SessionPlan) -> Int64 {
        guard plan.setup.mode == .wait else { return plan.end }
        let stop = open == nil ? asked + 1 : asked
        return stop < plan.count ? plan.positions[stop] : plan.end
    }
}

extension SessionView {
    init(_ state: SessionState, _ plan: SessionPlan, epoch: Int64) {
        isRunning = state.anchor != nil
        isPaused = state.isPaused && state.end == nil
        isWaiting = state.isWaiting
        isLinkLost = state.isLost
        end = state.end
        cueStep = state.open.map { plan.steps[$0.index] }
        cueDrum = state.open.map { plan.drums[$0.index] }
        cueSide = state.open.map { plan.side(of: plan.drums[$0.index]) }
        isCueDue = state.open?.isDue ?? false
        isCueShown = state.open?.shownAt != nil
        beatsDone = state.judgements
        beatsAsked = state.asked
        beatCount = plan.count
        right = state.right
        lastBeat = state.judgements > 0 ? state.beats[state.judgements - 1] : nil
        link = state.link
        practisedMilliseconds = state.practised / 1_000
        songMicroseconds = state.position(at: state.time)
        floorMicroseconds = state.floor
        anchorMicroseconds = state.anchor.map { $0.plusClamped(epoch) }
        horizonMicroseconds = state.horizon(plan)
        endMicroseconds = plan.end
    }
}

extension SessionResult {
    init(_ state: SessionState, _ plan: SessionPlan) {
        beats = state.beatsAsked(plan)
        var answered = 0
        var judged = 0
        var implausible = 0
        var waits = 0
        var reactions: [Int32] = []
        var forces: [Int32] = []
        var errors: [Int32] = []
        for beat in beats {
            if beat.waitedMilliseconds > 0 { waits += 1 }
            if let force = beat.forceHundredths { forces.append(force) }
            if let error = beat.errorMilliseconds, abs(Int64(error)) <= SessionRules.openAfterBeat {
                errors.append(error)
            }
            if let reaction = beat.reactionMilliseconds {
                if beat.isPlausible { reactions.append(reaction) } else { implausible += 1 }
            }
            switch beat.verdict {
            case .right, .wrongFirst, .offTime:
                answered += 1
                judged += 1
            case .missed: judged += 1
            case .notJudged, .unanswered: break
            }
        }
        self.answered = answered
        self.judged = judged
        self.implausible = implausible
        self.waits = waits
        right = state.right
        startedAt = state.startedWall
        let ended = state.end == nil ? state.time : state.endTime
        endedAt = state.wall(at: ended)
        milliseconds = min(state.practised, ended) / 1_000
        reaction = Distribution(milliseconds: reactions)
        force = Distribution(hundredths: forces)
        timing = Distribution(milliseconds: errors)
        latency = Distribution(microseconds: state.latencies)
        lostMilliseconds = state.lost / 1_000
        stray = state.stray
        end = state.end
    }
}
