import DrumsEngine
import WasmBridge
import Wire

// What a screen shows of the session and a sound needs to know of it, as of the last input.

// Once in the module, and not in each export.
@inline(never)
private func shown() -> SessionView? { session?.view }

/// 1 while the song moves, or is about to after a breath.
@_expose(wasm, "isRunning")
@_cdecl("drums_is_running")
public func isRunning() -> Int32 { shown()?.isRunning == true ? 1 : 0 }

/// 1 in a pause.
@_expose(wasm, "isPaused")
@_cdecl("drums_is_paused")
public func isPaused() -> Int32 { shown()?.isPaused == true ? 1 : 0 }

/// 1 when the song has stopped for an answer.
@_expose(wasm, "isWaiting")
@_cdecl("drums_is_waiting")
public func isWaiting() -> Int32 { shown()?.isWaiting == true ? 1 : 0 }

/// 1 while the link to the pads is gone.
@_expose(wasm, "isLinkLost")
@_cdecl("drums_is_link_lost")
public func isLinkLost() -> Int32 { shown()?.isLinkLost == true ? 1 : 0 }

/// The ``LinkKind`` by which it is played now.
@_expose(wasm, "currentLink")
@_cdecl("drums_current_link")
public func currentLink() -> Int32 { Int32(shown()?.link.rawValue ?? 0) }

/// The number of the ``SessionEnd``, 0 while it runs.
@_expose(wasm, "endReason")
@_cdecl("drums_end_reason")
public func endReason() -> Int32 { Int32(shown()?.end?.rawValue ?? 0) }

/// The step whose answer is outstanding, -1 for none.
@_expose(wasm, "cueStep")
@_cdecl("drums_cue_step")
public func cueStep() -> Int32 { shown()?.cueStep.map { Int32(clamping: $0) } ?? -1 }

/// The drum that is asked for, -1 for none.
@_expose(wasm, "cueDrum")
@_cdecl("drums_cue_drum")
public func cueDrum() -> Int32 { shown()?.cueDrum.map { Int32($0.rawValue) } ?? -1 }

/// The hand that is to play it: 0 left, 1 right, -1 for none.
@_expose(wasm, "cueSide")
@_cdecl("drums_cue_side")
public func cueSide() -> Int32 { shown()?.cueSide.map { Int32($0.rawValue) } ?? -1 }

/// 1 when that cue is to be shown: not in a pause, a breath, or without a link.
@_expose(wasm, "isCueDue")
@_cdecl("drums_is_cue_due")
public func isCueDue() -> Int32 { shown()?.isCueDue == true ? 1 : 0 }

/// 1 when that cue is shown.
@_expose(wasm, "isCueShown")
@_cdecl("drums_is_cue_shown")
public func isCueShown() -> Int32 { shown()?.isCueShown == true ? 1 : 0 }

/// The number of beats that were judged.
@_expose(wasm, "beatsDone")
@_cdecl("drums_beats_done")
public func beatsDone() -> Int32 { Int32(clamping: shown()?.beatsDone ?? 0) }

/// The number of beats that were asked for, the outstanding one too.
@_expose(wasm, "beatsAsked")
@_cdecl("drums_beats_asked")
public func beatsAsked() -> Int32 { Int32(clamping: shown()?.beatsAsked ?? 0) }

/// The number of beats of the chart.
@_expose(wasm, "beatCount")
@_cdecl("drums_beat_count")
public func beatCount() -> Int32 { Int32(clamping: shown()?.beatCount ?? 0) }

/// The number of right beats so far.
@_expose(wasm, "rightSoFar")
@_cdecl("drums_right_so_far")
public func rightSoFar() -> Int32 { Int32(clamping: shown()?.right ?? 0) }

/// The time of practice so far, seconds.
@_expose(wasm, "practisedSeconds")
@_cdecl("drums_practised_seconds")
public func practisedSeconds() -> Double { Double(shown()?.practisedMilliseconds ?? 0) / 1_000 }

/// The position of the song at a time of the page.
@_expose(wasm, "songAt")
@_cdecl("drums_song_at")
public func songAt(_ at: Double) -> Double { Double(session?.songMicroseconds(atMicroseconds: whole(at)) ?? 0) }

/// The time of position 0, by the page's clock; NaN if the song does not move.
@_expose(wasm, "anchor")
@_cdecl("drums_anchor")
public func anchor() -> Double { shown()?.anchorMicroseconds.map { Double($0) } ?? .nan }

/// The position before which nothing is to be played again.
@_expose(wasm, "floorPosition")
@_cdecl("drums_floor_position")
public func floorPosition() -> Double { Double(shown()?.floorMicroseconds ?? 0) }

/// The position from which on nothing may be sounded yet.
@_expose(wasm, "horizon")
@_cdecl("drums_horizon")
public func horizon() -> Double { Double(shown()?.horizonMicroseconds ?? 0) }

/// The end of the song.
@_expose(wasm, "songEnd")
@_cdecl("drums_song_end")
public func songEnd() -> Double { Double(shown()?.endMicroseconds ?? 0) }

/// Makes the next beats that were not asked for yet the answer, at most a number of them, 16 bytes each: i32 step, u8
/// drum, u8 side, u16 0, f64 position.
@_expose(wasm, "upcoming")
@_cdecl("drums_upcoming")
public func upcoming(_ count: Int32) -> Int32 {
    var bytes: [UInt8] = []
    for beat in session?.upcoming(Int(count)) ?? [] {
        bytes.append(littleEndian: Int32(clamping: beat.step))
        bytes.append(beat.drum.rawValue)
        bytes.append(beat.side.rawValue)
        bytes.append(littleEndian: UInt16(0))
        bytes.append(littleEndian: Double(beat.positionMicroseconds).bitPattern)
    }
    return answer(with: bytes)
}
