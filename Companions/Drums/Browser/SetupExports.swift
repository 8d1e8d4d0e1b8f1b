import DrumsEngine
import WasmBridge

// What the next session is: set one after another, then `begin`. What is not set is as `newSetup` leaves it.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var next = SessionSetup.unset

extension SessionSetup {
    /// The setup of the original's play, without a song and a person.
    fileprivate static var unset: SessionSetup {
        SessionSetup(
            id: [], person: [], utcOffsetMinutes: 0, songID: [], songTitle: [],
            chart: Chart(stepsPerBeat: 1, tempo: [], steps: []), level: .one, mode: .wait, hands: .both,
            drums: .all, seed: 0, link: .screen, latencyTenths: 0, countInBeats: 4,
            window: .initial,
            leadMilliseconds: SessionRules.usualLead, stop: StopRules())
    }
}

/// The number of an error that is not the engine's: no song is loaded.
let noSong: Int32 = 20

/// Resets the next setup.
@_expose(wasm, "newSetup")
@_cdecl("drums_new_setup")
public func newSetup() { next = .unset }

/// Sets the session's identifier: 16 bytes of the buffer.
@_expose(wasm, "setID")
@_cdecl("drums_set_id")
public func setID(_ count: Int32) { next.id = bytes(count) }

/// Sets the person's identifier: the bytes of the buffer.
@_expose(wasm, "setPerson")
@_cdecl("drums_set_person")
public func setPerson(_ count: Int32) { next.person = bytes(count) }

/// Sets the offset from UTC, in minutes east of Greenwich.
@_expose(wasm, "setUTCOffset")
@_cdecl("drums_set_utc_offset")
public func setUTCOffset(_ minutes: Int32) { next.utcOffsetMinutes = Int16(clamping: minutes) }

/// Sets the song to the loaded one, at a level; returns 0, or 20 when none is loaded.
@_expose(wasm, "setSong")
@_cdecl("drums_set_song")
public func setSong(_ level: Int32) -> Int32 {
    guard let song = loadedSong, let level = Level(rawValue: UInt8(clamping: level)) else { return noSong }
    next.songID = song.id
    next.songTitle = song.title
    next.level = level
    next.chart = song.chart(level)
    next.tempoPercent = loadedTempoPercent
    return 0
}

/// Sets the way of playing: ``PlayMode``, ``Hands``, the bits of ``DrumSet``, the beats of the count-in.
@_expose(wasm, "setPlay")
@_cdecl("drums_set_play")
public func setPlay(_ mode: Int32, _ hands: Int32, _ drums: Int32, _ countInBeats: Int32) {
    next.mode = PlayMode(rawValue: UInt8(clamping: mode)) ?? .wait
    next.hands = Hands(rawValue: UInt8(clamping: hands)) ?? .both
    next.drums = DrumSet(rawValue: UInt8(truncatingIfNeeded: drums))
    next.countInBeats = UInt8(clamping: countInBeats)
}

/// Sets the ``LinkKind``, and the latency that it adds to an answer, tenths of a millisecond.
@_expose(wasm, "setLink")
@_cdecl("drums_set_link")
public func setLink(_ kind: Int32, _ latencyTenths: Int32) {
    next.link = LinkKind(rawValue: UInt8(clamping: kind)) ?? .screen
    next.latencyTenths = UInt16(clamping: latencyTenths)
}

/// Sets the seed of the random choice of drums: 32 bits, with or without a sign.
@_expose(wasm, "setSeed")
@_cdecl("drums_set_seed")
public func setSeed(_ seed: Int32) { next.seed = UInt32(bitPattern: seed) }

/// Sets the timing window and the time before a beat, milliseconds, clamped to their ranges.
@_expose(wasm, "setWindow")
@_cdecl("drums_set_window")
public func setWindow(_ centre: Int32, _ half: Int32, _ lead: Int32) {
    next.window = TimingWindow(
        centreMilliseconds: SessionRules.windowCentre.nearest(Int16(clamping: centre)),
        halfMilliseconds: SessionRules.windowHalf.nearest(UInt16(clamping: half)))
    next.leadMilliseconds = SessionRules.lead.nearest(UInt16(clamping: lead))
}

/// Sets the rules that end the session: after so many milliseconds, or when fewer percent of so many beats were right;
/// 0 is no rule.
@_expose(wasm, "setStop")
@_cdecl("drums_set_stop")
public func setStop(_ milliseconds: Int32, _ belowPercent: Int32, _ beats: Int32) {
    next.stop = StopRules(
        milliseconds: UInt32(clamping: milliseconds), belowPercent: UInt8(clamping: belowPercent),
        beats: SessionRules.stopBeats.nearest(UInt8(clamping: beats)))
}

/// The setup of the next session; with one hand, the chart for it.
func nextSetup() -> SessionSetup {
    var setup = next
    if setup.hands != .both { setup.chart = setup.chart.oneHanded }
    return setup
}

extension ClosedRange {
    fileprivate func nearest(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

// MARK: - The setup of the session that runs

// Once in the module, and not in each export.
@inline(never)
private func played() -> SessionSetup? { session?.setup }

/// The ``SessionSetup``; `drums`: the bits of ``DrumSet``; `tempoPercent`: of the song's own; `steps` and `stepsPerBeat` are
/// those of its chart.
@_expose(wasm, "setup")
@_cdecl("drums_setup")
public func setupView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let setup = played()
        view.write("level", setup?.level.rawValue)
        view.write("mode", setup?.mode.rawValue)
        view.write("hands", setup?.hands.rawValue)
        view.write("drums", setup?.drums.rawValue)
        view.write("countInBeats", setup?.countInBeats)
        view.write("link", setup?.link.rawValue)
        view.write("latencyTenths", setup?.latencyTenths)
        view.write("leadMilliseconds", setup?.leadMilliseconds)
        view.write("windowCentre", setup?.window.centreMilliseconds)
        view.write("windowHalf", setup?.window.halfMilliseconds)
        view.write("steps", setup?.chart.steps.count)
        view.write("stepsPerBeat", setup?.chart.stepsPerBeat)
        view.write("isWindowLearnt", setup?.window.isLearnt)
        view.write("tempoPercent", setup?.tempoPercent)
    }
}

/// Makes the session's identifier the answer.
@_expose(wasm, "sessionID")
@_cdecl("drums_session_id")
public func sessionID() -> Int32 { answer(with: played()?.id ?? []) }

/// Makes the person's identifier the answer.
@_expose(wasm, "sessionPerson")
@_cdecl("drums_session_person")
public func sessionPerson() -> Int32 { answer(with: played()?.person ?? []) }

/// Makes the song's identifier the answer.
@_expose(wasm, "sessionSong")
@_cdecl("drums_session_song")
public func sessionSong() -> Int32 { answer(with: played()?.songID ?? []) }

/// Makes the song's title the answer.
@_expose(wasm, "sessionTitle")
@_cdecl("drums_session_title")
public func sessionTitle() -> Int32 { answer(with: played()?.songTitle ?? []) }

/// The start of a step, microseconds of the song.
@_expose(wasm, "stepPosition")
@_cdecl("drums_step_position")
public func stepPosition(_ step: Int32) -> Double {
    Double(played()?.chart.positionMicroseconds(ofStep: Int(step)) ?? 0)
}

/// The tempo that holds at a step.
@_expose(wasm, "microsecondsPerBeat")
@_cdecl("drums_microseconds_per_beat")
public func microsecondsPerBeat(_ step: Int32) -> Double {
    Double(played()?.chart.microsecondsPerBeat(at: Int(step)) ?? 0)
}
