import Wire

/// The state of a session, as its events and the time since make it. Times are microseconds since the start, without
/// absences; positions are microseconds of the song.
///
/// Time passes in ``advance(to:_:)`` alone, from one moment that decides something to the next, so that it makes no
/// difference in how many steps somebody looks.
struct SessionState: Sendable {
    /// The beat whose answer is outstanding.
    struct OpenBeat: Sendable {
        let index: Int
        /// The time at which its cue was due, last.
        var dueAt: Int64
        /// The time at which its cue was shown.
        var shownAt: Int64?
        /// Whether its cue is to be shown now.
        var isDue = false
        /// Flow mode: whether its turn was cut by a lost link.
        var wasCut = false
        /// The other drums that were hit.
        var wrong: [Drum] = []
        /// The strokes among them that pads without a clock told: when, and with what velocity, in the same order.
        var struck: [(time: Int64, velocity: UInt8)] = []
        /// The time that the song has waited for it.
        var waited: Int64 = 0
    }

    var time: Int64 = 0
    var lastEvent: Int64 = 0
    var hasBegun = false
    var end: SessionEnd?
    /// The time at which the session ended.
    var endTime: Int64 = 0
    /// The time of position 0; nil where the song stands still, at `floor`.
    var anchor: Int64?
    /// The position where the song was set going, or stands.
    var floor: Int64 = 0
    var isPaused = false
    var isWaiting = false
    var isLost = false
    /// The time at which the outstanding cue is due again, after a pause.
    var recue: Int64?
    /// The number of beats that were asked for.
    var asked = 0
    var open: OpenBeat?
    var beats: [BeatResult] = []
    var link: LinkKind
    var latencyTenths: UInt16
    var assembler = MessageAssembler()
    /// The crosstalk of each drum.
    var crosstalk = [Crosstalk](repeating: .usual, count: Drum.allCases.count)
    var practised: Int64 = 0
    /// The part of this wait that counts as practice.
    var countedWait: Int64 = 0
    /// The part of the time, in flow mode, since a drum was lit that no hit has followed, that counts as practice; nil
    /// while none is lit.
    var countedIdle: Int64?
    var lost: Int64 = 0
    var right = 0
    var stray = 0
    /// The latencies of links with their own clock, beyond the reaction, microseconds.
    var latencies: [Int32] = []
    var startedWall: Int64 = 0
    /// The milliseconds in which no page was open.
    var away: Int64 = 0
    /// The step of the last imported answer.
    var importedStep = -1
    /// The bytes of the texts of all imported answers.
    var importedBytes = 0
    // What has happened how often, so that an output can tell what is new.
    var cuesDue = 0
    var judgements = 0
    var answers = 0
    var otherDrums = 0

    init(_ setup: SessionSetup) {
        link = setup.link
        latencyTenths = setup.latencyTenths
    }

    func position(at now: Int64) -> Int64 {
        guard let anchor else { return floor }
        return max(floor, now.minusClamped(anchor))
    }

    /// The wall clock at a time of the session: UTC, milliseconds, by the device's clock.
    func wall(at time: Int64) -> Int64 {
        startedWall.plusClamped(time / 1_000).plusClamped(away)
    }

    // MARK: - Time

    /// The changes that time alone makes.
    private enum Moment {
        /// A beat's cue is due.
        case cue
        /// The cue of the outstanding beat is due again.
        case recue
        /// Wait mode: the song stops for an answer.
        case stop
        /// Flow mode: nothing answers the outstanding beat any more.
        case close
        /// The song is over.
        case finish
        /// The longest absence is over without any event.
        case leave
    }

    mutating func advance(to now: Int64, _ plan: SessionPlan) {
        guard hasBegun else { return }
        while end == nil {
            let (moment, at) = next(plan)
            guard at <= now else {
                pass(to: now, plan)
                return
            }
            pass(to: at, plan)
            switch moment {
            case .cue:
                open = OpenBeat(index: asked, dueAt: at)
                asked += 1
                cueIsDue()
            case .recue: cueIsDue()
            case .stop:
                stand(at: position(at: at))
                isWaiting = true
                countedWait = 0
            case .close:
                judge(open?.wasCut == true ? .notJudged : .missed, plan)
            case .finish: finish(.finished, plan)
            case .leave:
                finish(isLost ? .linkLost : .left, plan)
                endTime = lastEvent
            }
        }
    }

    private func next(_ plan: SessionPlan) -> (Moment, Int64) {
        var moment = Moment.leave
        var at = lastEvent + SessionRules.longestAbsence * 1_000
        if let anchor {
            let song = songMoment(plan)
            // Not before now: a beat may be answered after the song's last step.
            let due = max(time, anchor + song.at)
            if due <= at { (moment, at) = (song.moment, due) }
        }
        if let recue, recue <= at { (moment, at) = (.recue, max(time, recue)) }
        return (moment, at)
    }

    private func songMoment(_ plan: SessionPlan) -> (moment: Moment, at: Int64) {
        if let open {
            if plan.setup.mode == .flow { return (.close, plan.closes[open.index]) }
            return (.stop, asked < plan.count ? plan.positions[asked] : plan.end)
        }
        return asked < plan.count ? (.cue, plan.cues[asked]) : (.finish, plan.end)
    }

    private mutating func pass(to now: Int64, _ plan: SessionPlan) {
        let passed = now - time
        guard passed > 0 else { return }
        time = now
        if isLost { lost += passed }
        guard !isPaused, !isLost else { return }
        if isWaiting {
            open?.waited += passed
            let counted = min(passed, SessionRules.longestCountedWait * 1_000 - countedWait)
            countedWait += counted
            practised += counted
        } else if plan.setup.mode == .flow, let idle = countedIdle {
            let counted = min(passed, SessionRules.longestIdle * 1_000 - idle)
            countedIdle = idle + counted
            practised += counted
        } else {
            practised += passed
        }
    }

    /// Applies a stored event again.
    mutating func replay(_ event: SessionEvent, at index: Int, _ plan: SessionPlan) {
        advance(to: event.atMicroseconds, plan)
        // One that made no sense is stored as it was, and has its time.
        if !apply(event.input, at: index, now: event.atMicroseconds, plan) { lastEvent = event.atMicroseconds }
    }

    // MARK: - What both time and events bring about

    mutating func cueIsDue() {
        recue = nil
        guard open != nil else { return }
        if countedIdle == nil { countedIdle = 0 }
        open?.shownAt = nil
        open?.isDue = !isLost
        open?.dueAt = time
        if isLost {
            open?.wasCut = true
        } else {
            cuesDue += 1
        }
    }

    /// Removes the outstanding cue.
    mutating func takeCueAway() {
        recue = nil
        open?.shownAt = nil
        open?.isDue = false
    }

    /// Stops the song at a position.
    mutating func stand(at position: Int64) {
        floor = position
        anchor = nil
    }

    /// Starts the song again where it stands, after a breath.
    mutating func goOn(_ plan: SessionPlan) {
        anchor = time + plan.breath(before: open?.index ?? asked) - floor
    }

    mutating func judge(
        _ verdict: Verdict, reaction: Int32? = nil, error: Int32? = nil, force: Int32? = nil, link: LinkKind? = nil,
        _ plan: SessionPlan
    ) {
        guard let beat = open else { return }
        open = nil
        recue = nil
        var result = Self.result(beat, verdict, link ?? self.link, plan)
        result.reactionMilliseconds = reaction
        result.errorMilliseconds = error
        result.forceHundredths = force
        add(result)
        if asked < plan.count, let rule = brokenRule(verdict, plan.setup.stop) {
            finish(rule, plan)
        } else if isWaiting {
            isWaiting = false
            if asked == plan.count { finish(.finished, plan) } else { goOn(plan) }
        }
    }

    mutating func add(_ result: BeatResult) {
        beats.append(result)
        judgements += 1
        if result.verdict == .right { right += 1 }
    }

    static func result(
        _ beat: OpenBeat, _ verdict: Verdict, _ link: LinkKind, _ plan: SessionPlan
    ) -> BeatResult {
        let drum = plan.drums[beat.index]
        return BeatResult(
            step: plan.steps[beat.index], drum: drum, verdict: verdict, reactionMilliseconds: nil,
            errorMilliseconds: nil, forceHundredths: nil, wrong: beat.wrong,
            waitedMilliseconds: Int32(clamping: beat.waited / 1_000), link: link, side: plan.side(of: drum))
    }

    /// The plan's rule that ends the session here.
    private func brokenRule(_ verdict: Verdict, _ rules: StopRules) -> SessionEnd? {
        guard verdict != .notJudged else { return nil }
        if rules.milliseconds > 0, practised >= Int64(rules.milliseconds) * 1_000 { return .minutesOver }
        guard rules.belowPercent > 0 else { return nil }
        var looked = 0
        var rightOnes = 0
        for beat in beats.reversed() where beat.verdict != .notJudged {
            looked += 1
            if beat.verdict == .right { rightOnes += 1 }
            guard looked == Int(rules.beats) else { continue }
            return rightOnes * 100 < Int(rules.belowPercent) * looked ? .restNeeded : nil
        }
        return nil
    }

    /// The outstanding beat that nobody answered, of a session that is over or would be now.
    func unanswered(_ plan: SessionPlan) -> BeatResult? {
        open.map { beat in
            let isCut = isLost || (plan.setup.mode == .flow && beat.wasCut)
            return Self.result(beat, isCut ? .notJudged : .unanswered, link, plan)
        }
    }

    mutating func finish(_ end: SessionEnd, _ plan: SessionPlan) {
        if let last = unanswered(plan) { beats.append(last) }
        takeCueAway()
        open = nil
        stand(at: position(at: time))
        isWaiting = false
        self.end = end
        endTime = time
    }
}
