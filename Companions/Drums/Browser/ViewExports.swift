import DrumsEngine
import WasmBridge

// What a screen shows of the session and a sound needs to know of it, as of the last input.

/// The session as of the last input: its ``SessionView``, and of its setup whether the music goes on without an answer. `link`:
/// the ``LinkKind`` by which it is played now; `end`: the number of the ``SessionEnd``, 0 while it runs; of the cue, -1 is
/// none; `anchor`: the time of position 0 by the page's clock, NaN if the song does not move.
@_expose(wasm, "session")
@_cdecl("drums_session")
public func sessionView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let shown = session?.view
        view.write("isRunning", shown?.isRunning)
        view.write("isPaused", shown?.isPaused)
        view.write("isWaiting", shown?.isWaiting)
        view.write("isLinkLost", shown?.isLinkLost)
        view.write("isFlow", session?.setup.mode == .flow)
        view.write("link", shown?.link.rawValue)
        view.write("end", shown?.end?.rawValue)
        view.write("isFinished", shown?.end == .finished)
        view.write("cueStep", shown?.cueStep, none: -1)
        view.write("cueDrum", shown?.cueDrum?.rawValue, none: -1)
        view.write("cueSide", shown?.cueSide?.rawValue, none: -1)
        view.write("isCueDue", shown?.isCueDue)
        view.write("isCueShown", shown?.isCueShown)
        view.write("beatsDone", shown?.beatsDone)
        view.write("beatsAsked", shown?.beatsAsked)
        view.write("beatCount", shown?.beatCount)
        view.write("right", shown?.right)
        view.write("practisedSeconds", shown.map { Double($0.practisedMilliseconds) / 1_000 })
        view.write("anchor", shown?.anchorMicroseconds, none: .nan)
        view.write("floor", shown?.floorMicroseconds)
        view.write("horizon", shown?.horizonMicroseconds)
        view.write("songEnd", shown?.endMicroseconds)
    }
}

/// The position of the song at a time of the page.
@_expose(wasm, "songAt")
@_cdecl("drums_song_at")
public func songAt(_ at: Double) -> Double { Double(session?.songMicroseconds(atMicroseconds: whole(at)) ?? 0) }

/// The next beats that were not asked for yet, at most a number of them; `at`: the position in the song.
@_expose(wasm, "upcoming")
@_cdecl("drums_upcoming")
public func upcoming(_ isDescribing: Int32, _ count: Int32) -> Int32 {
    answer(rows: session?.upcoming(Int(count)) ?? [], isDescribing) { row, beat in
        row.write("step", beat.step)
        row.write("drum", beat.drum.rawValue)
        row.write("side", beat.side.rawValue)
        row.write("at", beat.positionMicroseconds)
    }
}
