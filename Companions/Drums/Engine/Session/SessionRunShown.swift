import Wire

extension SessionRun {
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
    init(_ run: SessionRun, _ plan: SessionPlan, epoch: Int64) {
        isRunning = run.anchor != nil
        isPaused = run.isPaused && run.end == nil
        isWaiting = run.isWaiting
        isLinkLost = run.isLost
        end = run.end
        cueStep = run.open.map { plan.steps[$0.index] }
        cueDrum = run.open.map { plan.drums[$0.index] }
        cueSide = run.open.map { plan.side(of: plan.drums[$0.index]) }
        isCueDue = run.open?.isDue ?? false
        isCueShown = run.open?.shownAt != nil
        beatsDone = run.judgements
        beatsAsked = run.asked
        beatCount = plan.count
        right = run.right
        lastBeat = run.judgements > 0 ? run.beats[run.judgements - 1] : nil
        link = run.link
        practisedMilliseconds = run.practised / 1_000
        songMicroseconds = run.position(at: run.time)
        floorMicroseconds = run.floor
        anchorMicroseconds = run.anchor.map { $0.plusClamped(epoch) }
        horizonMicroseconds = run.horizon(plan)
        endMicroseconds = plan.end
    }
}

extension SessionResult {
    init(_ run: SessionRun, _ plan: SessionPlan) {
        beats = run.beatsAsked(plan)
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
        right = run.right
        startedAt = run.startedWall
        let ended = run.end == nil ? run.time : run.endTime
        endedAt = run.wall(at: ended)
        milliseconds = min(run.practised, ended) / 1_000
        reaction = Distribution(milliseconds: reactions)
        force = Distribution(hundredths: forces)
        timing = Distribution(milliseconds: errors)
        latency = Distribution(microseconds: run.latencies)
        lostMilliseconds = run.lost / 1_000
        stray = run.stray
        end = run.end
    }
}
