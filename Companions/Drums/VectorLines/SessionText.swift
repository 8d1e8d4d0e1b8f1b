import DrumsEngine
import VectorLines
import Wire

// A session in the words of a vector file.
extension TextWriter {
    mutating func write(_ error: SessionCodecError) {
        write("error ", Int64(error.number))
        if let event = error.event { write(" at ", Int64(event)) }
        if case .seal(.newerVersion(let version)) = error { write(" version ", Int64(version)) }
    }

    mutating func write(_ drum: Drum) {
        switch drum {
        case .red: write("red")
        case .orange: write("orange")
        case .blue: write("blue")
        case .yellow: write("yellow")
        }
    }

    mutating func write(_ output: SessionOutput) {
        if output.contains(.recorded) { write("recorded ") }
        if output.contains(.otherDrum) { write("other-drum ") }
        if output.contains(.judged) { write("judged ") }
        if output.contains(.waiting) { write("waiting ") }
        if output.contains(.goesOn) { write("goes-on ") }
        if output.contains(.clear) { write("clear ") }
        if output.contains(.cueDue) { write("cue-due ") }
        if output.contains(.ended) { write("ended ") }
    }

    mutating func write(_ session: DrumSession) {
        let view = session.view
        write(view.isRunning ? "runs" : "stands")
        if view.isPaused { write(" paused") }
        if view.isWaiting { write(" waits") }
        if view.isLinkLost { write(" lost") }
        write(" at ", view.songMicroseconds)
        if let step = view.cueStep, let drum = view.cueDrum {
            write(", ", Int64(step))
            write(":")
            write(drum)
            if view.isCueShown { write(" shown") } else if view.isCueDue { write(" due") }
        }
        write(", ", Int64(view.right))
        write("/", Int64(view.beatsDone))
        write("/", Int64(view.beatsAsked))
        if let anchor = view.anchorMicroseconds {
            write(", from ", view.floorMicroseconds)
            write(" anchor ", anchor)
        }
        write(", to ", view.horizonMicroseconds)
        write(view.end)
    }

    private mutating func write(_ end: SessionEnd?) {
        switch end {
        case nil: break
        case .finished: write(" finished")
        case .stopped: write(" stopped")
        case .left: write(" left")
        case .minutesOver: write(" minutes-over")
        case .restNeeded: write(" rest-needed")
        case .linkLost: write(" link-lost")
        }
    }

    mutating func write(_ beat: BeatResult) {
        write(Int64(beat.step))
        write(":")
        write(beat.drum)
        switch beat.verdict {
        case .right: write(" right")
        case .wrongFirst: write(" wrong-first")
        case .offTime: write(" off-time")
        case .missed: write(" missed")
        case .notJudged: write(" not-judged")
        case .unanswered: write(" unanswered")
        }
        for drum in beat.wrong { write(" -", Int64(drum.rawValue)) }
        if let reaction = beat.reactionMilliseconds { write(" in ", Int64(reaction)) }
        if let error = beat.errorMilliseconds { write(" off ", Int64(error)) }
        if let force = beat.forceHundredths { write(" force ", Int64(force)) }
        if beat.waitedMilliseconds > 0 { write(" waited ", Int64(beat.waitedMilliseconds)) }
        write(" link ", Int64(beat.link.rawValue))
        write(beat.side == .left ? " left; " : " right; ")
    }

    mutating func write(_ result: SessionResult) {
        write(result.startedAt)
        write("...", result.endedAt)
        write(" played ", result.milliseconds)
        write(" beats ", Int64(result.beats.count))
        write(" answered ", Int64(result.answered))
        write(" right ", Int64(result.right))
        write("/", Int64(result.judged))
        if let reaction = result.reaction {
            write(" reaction")
            write(reaction)
        }
        if result.implausible > 0 { write(" implausible ", Int64(result.implausible)) }
        if let force = result.force {
            write(" force")
            write(force)
        }
        if let latency = result.latency {
            write(" latency")
            write(latency)
        }
        if result.waits > 0 { write(" waits ", Int64(result.waits)) }
        if result.lostMilliseconds > 0 { write(" lost ", result.lostMilliseconds) }
        if result.stray > 0 { write(" stray ", Int64(result.stray)) }
        write(result.end)
    }

    private mutating func write(_ distribution: Distribution) {
        write(" ", Int64(distribution.lowerQuartileTenths))
        write("/", Int64(distribution.medianTenths))
        write("/", Int64(distribution.upperQuartileTenths))
        write(" n ", Int64(distribution.count))
    }
}
