import Wire

// What happens to a session. Each function says whether it made sense; what made none changed nothing.
extension SessionState {
    /// Applies an input.
    ///
    /// - Parameters:
    ///   - index: the index of this event among all.
    ///   - now: the time of the event: ``advance(to:_:)`` has been there.
    mutating func apply(_ input: SessionInput, at index: Int, now: Int64, _ plan: SessionPlan) -> Bool {
        // The end of the session can always be recorded, and is recorded once.
        if case .finish = input, hasBegun {
            if end == nil { giveUp(.stopped, plan) }
            lastEvent = now
            return true
        }
        guard end == nil else { return false }
        if index >= DrumSession.Limits.full, hasBegun, isPlay(input) {
            giveUp(.stopped, plan)
        } else if index < DrumSession.Limits.strays {
            guard happens(input, now, plan) else { return false }
        } else {
            // What answers nothing may not use up what is left of the record.
            var next = self
            guard next.happens(input, now, plan), next.stray == stray else { return false }
            self = next
        }
        lastEvent = now
        return true
    }

    /// Whether the session would go on after an input.
    private func isPlay(_ input: SessionInput) -> Bool {
        switch input {
        case .stop, .finish, .closed: false
        default: true
        }
    }

    private mutating func happens(_ input: SessionInput, _ now: Int64, _ plan: SessionPlan) -> Bool {
        if case .start(let wall) = input { return begin(wall, plan) }
        guard hasBegun else { return false }
        let isImported = link == .imported
        switch input {
        case .stop:
            giveUp(.stopped, plan)
            return true
        case .closed:
            giveUp(.left, plan)
            return true
        case .imported(let step, let text): return isImported && importBeat(step, text, plan)
        default: break
        }
        guard !isImported else { return false }
        switch input {
        case .cueShown(let step): return cueWasShown(step, plan)
        case .message(let bytes): return take(bytes, plan)
        case .strike(let drum, let velocity, let link): return strike(drum, velocity, link, plan)
        case .pause:
            guard !isPaused else { return false }
            pause(plan)
        case .resume: return resume(plan)
        case .linkLost: return linkIsLost()
        case .linkBack(let kind, let latencyTenths): return linkIsBack(kind, latencyTenths, plan)
        case .opened(let wall): isTakenUp(wall, plan)
        case .crosstalk(let drum, let setting):
            guard setting.isPossible, crosstalk[Int(drum.rawValue)] != setting else { return false }
            crosstalk[Int(drum.rawValue)] = setting
        default: return false
        }
        return true
    }

    // MARK: - Beginning and end

    private mutating func begin(_ wall: Int64, _ plan: SessionPlan) -> Bool {
        guard !hasBegun else { return false }
        hasBegun = true
        startedWall = wall
        if link == .imported {
            // Its beats come with their own times; between two of them, time counts as a wait does.
            isWaiting = true
            return true
        }
        floor = plan.start
        anchor = -floor
        return true
    }

    /// Ends the session before the song's end: for the player's or the hub's reason, unless there is a better one.
    private mutating func giveUp(_ reason: SessionEnd, _ plan: SessionPlan) {
        // The kit may have answered once more on a rest behind the last beat.
        let isToldThrough = plan.steps.last.map { importedStep >= $0 } ?? false
        let isThrough = link == .imported ? isToldThrough : asked == plan.count && open == nil
        finish(isThrough ? .finished : isLost ? .linkLost : reason, plan)
    }

    private mutating func isTakenUp(_ wall: Int64, _ plan: SessionPlan) {
        let absence = wall.minusClamped(self.wall(at: time))
        guard absence <= SessionRules.longestAbsence else {
            finish(isLost ? .linkLost : .left, plan)
            return
        }
        away = away.plusClamped(max(0, absence))
        assembler.forget()
        if !isPaused { pause(plan) }
    }

    // MARK: - Pauses

    private mutating func pause(_ plan: SessionPlan) {
        stand(at: position(at: time))
        isPaused = true
        takeCueAway()
        // A beat of flow mode whose time is over cannot be asked for again.
        if plan.setup.mode == .flow, let open, plan.positions[open.index] <= floor { judge(.notJudged, plan) }
    }

    private mutating func resume(_ plan: SessionPlan) -> Bool {
        guard isPaused else { return false }
        isPaused = false
        countedIdle = nil
        if !isWaiting { goOn(plan) }
        guard let open else { return true }
        if plan.setup.mode == .flow {
            cueIsDue()
        } else if !isLost {
            recue = time + plan.breath(before: open.index)
        }
        return true
    }

    // MARK: - The link

    private mutating func linkIsLost() -> Bool {
        guard !isLost else { return false }
        isLost = true
        assembler.forget()
        takeCueAway()
        open?.wasCut = true
        return true
    }

    private mutating func linkIsBack(_ kind: LinkKind, _ latencyTenths: UInt16, _ plan: SessionPlan) -> Bool {
        let isOther = kind != link
        guard kind != .imported, isLost || isOther || latencyTenths != self.latencyTenths else { return false }
        let wasLost = isLost
        link = kind
        self.latencyTenths = latencyTenths
        isLost = false
        guard wasLost || isOther else { return true }
        countedIdle = nil
        assembler.forget()
        guard let open else { return true }
        takeCueAway()
        if plan.setup.mode == .flow, plan.positions[open.index] <= position(at: time) {
            self.open?.wasCut = true
        } else if !isPaused {
            cueIsDue()
        }
        return true
    }

    private mutating func cueWasShown(_ step: Int, _ plan: SessionPlan) -> Bool {
        guard let open, open.isDue, open.shownAt == nil, plan.steps[open.index] == step else { return false }
        self.open?.shownAt = time
        return true
    }

    // MARK: - Answers

    private mutating func take(_ bytes: [UInt8], _ plan: SessionPlan) -> Bool {
        guard link.hasOwnClock, !isLost else { return false }
        countedIdle = nil
        switch assembler.take(bytes) {
        case nil: break
        case .empty: stray += 1
        case .noise: answerUnread(plan)
        case .readable(let message): answer(message, plan)
        }
        return true
    }

    /// Takes a kit's message that cannot be read: it closes the cue as any that ends with `END`, and nobody knows by which hit, so
    /// that it is no right answer.
    private mutating func answerUnread(_ plan: SessionPlan) {
        stray += 1
        guard let open, open.isDue else { return }
        answers += 1
        judge(.wrongFirst, plan)
    }

    /// Takes a kit's message, which closes the cue whatever drum it ends with: the kit lights nothing more until the next
    /// one. A last drum that was not asked for is a wrong answer, such as the other hand's that landed just after.
    private mutating func answer(_ message: KitMessage, _ plan: SessionPlan) {
        guard let open, open.isDue else {
            stray += 1
            return
        }
        let cue = open.shownAt ?? open.dueAt
        let beyond = time - cue - Int64(message.milliseconds) * 1_000
        guard beyond >= -SessionRules.clockTolerance * 1_000 else {
            stray += 1
            return
        }
        if open.shownAt != nil, beyond >= 0 { latencies.append(Int32(clamping: beyond)) }
        // The right drum hit twice is no other drum.
        let wrong = message.wrong.filter { $0 != plan.drums[open.index] }
        otherDrums += wrong.count
        self.open?.wrong.append(contentsOf: wrong)
        guard message.drum == plan.drums[open.index] else {
            otherDrums += 1
            self.open?.wrong.append(message.drum)
            return hit(nil, nil, nil, link, plan)
        }
        let error = timingError(of: cue + Int64(message.milliseconds) * 1_000, plan)
        hit(message.milliseconds, error, message.forceHundredths, link, plan)
    }

    private mutating func strike(_ drum: Drum, _ velocity: UInt8, _ struck: LinkKind, _ plan: SessionPlan) -> Bool {
        guard !link.hasOwnClock, !struck.hasOwnClock, !isLost, !isPaused else { return false }
        countedIdle = nil
        guard let open, open.isDue, open.shownAt != nil || plan.setup.mode == .flow else {
            stray += 1
            return true
        }
        guard drum == plan.drums[open.index] else {
            otherDrums += 1
            self.open?.wrong.append(drum)
            self.open?.struck.append((time, velocity))
            return true
        }
        forgetCrosstalk(before: velocity)
        let at = time - (struck == link ? Int64(latencyTenths) * 100 : 0)
        let reaction = open.shownAt.map { Int32(clamping: max(0, at - $0) / 1_000) }
        hit(reaction, timingError(of: at, plan), velocity > 0 ? Int32(velocity) * 100 : nil, struck, plan)
        return true
    }

    /// Takes back the other drums that a stroke shook and nobody struck: of pads on one stand the neighbours feel a part of it,
    /// and may tell of it first, each as far as ``Crosstalk`` says of it. The events stay as they came.
    private mutating func forgetCrosstalk(before velocity: UInt8) {
        while let last = open?.struck.last, let pad = open?.wrong.last, last.velocity > 0 {
            let limit = crosstalk[Int(pad.rawValue)]
            guard time - last.time <= Int64(limit.milliseconds) * 1_000,
                Int(last.velocity) * 100 <= Int(velocity) * Int(limit.percent)
            else { return }
            open?.struck.removeLast()
            open?.wrong.removeLast()
            otherDrums -= 1
        }
    }

    /// The lateness of a hit in flow mode, milliseconds rounded down.
    private func timingError(of hit: Int64, _ plan: SessionPlan) -> Int32? {
        guard plan.setup.mode == .flow, let open, let anchor else { return nil }
        let late = hit - (anchor + plan.positions[open.index])
        return Int32(clamping: (late - (late < 0 ? 999 : 0)) / 1_000)
    }

    /// Judges the outstanding beat, whose drum has been hit.
    private mutating func hit(
        _ reaction: Int32?, _ error: Int32?, _ force: Int32?, _ link: LinkKind, _ plan: SessionPlan
    ) {
        var verdict = Verdict.right
        if let error {
            let window = plan.setup.window
            let off = abs(Int64(error) - Int64(window.centreMilliseconds))
            if off > Int64(window.halfMilliseconds) { verdict = .offTime }
        }
        if open?.wrong.isEmpty == false { verdict = .wrongFirst }
        answers += 1
        judge(verdict, reaction: reaction, error: error, force: force, link: link, plan)
    }

    private mutating func importBeat(_ step: Int, _ text: [UInt8], _ plan: SessionPlan) -> Bool {
        guard step > importedStep, step < plan.setup.chart.steps.count,
            importedBytes + text.count <= DrumSession.Limits.importedTexts
        else { return false }
        importedStep = step
        importedBytes += text.count
        countedWait = 0
        // On a rest nothing had been asked: the original writes an answer that comes before its first beat to step 0.
        guard plan.setup.chart.steps[step], let message = KitMessage(text: text) else {
            stray += 1
            return true
        }
        asked += 1
        answers += 1
        let wrong = message.wrong.filter { $0 != message.drum }
        add(
            BeatResult(
                step: step, drum: message.drum, verdict: wrong.isEmpty ? .right : .wrongFirst,
                reactionMilliseconds: message.milliseconds, errorMilliseconds: nil,
                forceHundredths: message.forceHundredths, wrong: wrong, waitedMilliseconds: 0, link: .imported,
                side: plan.side(of: message.drum)))
        return true
    }
}
