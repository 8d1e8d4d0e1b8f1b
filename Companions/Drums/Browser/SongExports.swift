import DrumsEngine
import WasmBridge
import Wire

// One song at a time, and one tapping. Before a song is loaded, all answers are 0.

// Safe, all: WebAssembly has one thread here, and JavaScript makes one call at a time.
/// The song that the page has loaded last.
nonisolated(unsafe) var loadedSong: Song?
/// The loaded song at the tempo as written, and the tempo, in percent of it, at which it is to be played.
nonisolated(unsafe) private var writtenSong: Song?
nonisolated(unsafe) private(set) var loadedTempoPercent = SessionRules.ownTempo
nonisolated(unsafe) private var taps = TapTempo()
nonisolated(unsafe) private var tapped: TapTempo.Answer?

// MARK: - A song

/// Loads the song in the buffer; returns 0, or the number of the ``SongCodecError`` and then no song is loaded.
@_expose(wasm, "loadSong")
@_cdecl("drums_load_song")
public func loadSong(_ count: Int32) -> Int32 {
    loadedSong = nil
    loadedTempoPercent = SessionRules.ownTempo
    defer { writtenSong = loadedSong }
    do throws(SongCodecError) {
        loadedSong = try Song.decoded(bytes(count))
        return 0
    } catch {
        return error.number
    }
}

/// Sets the tempo of the loaded song, in percent of its own; returns 0, 20 if none is loaded, or 100 more than the
/// number of the ``SongError``, which leaves it as it was.
@_expose(wasm, "setTempo")
@_cdecl("drums_set_tempo")
public func setTempo(_ percent: Int32) -> Int32 {
    guard let song = writtenSong else { return noSong }
    let percent = UInt8(clamping: percent)
    do throws(SongError) {
        loadedSong = try song.atTempo(percent: percent)
        loadedTempoPercent = percent
        return 0
    } catch {
        return 100 + Int32(error.rawValue)
    }
}

/// The loaded song. `division`: the number of parts into which a beat divides, 2 or 3; `isAudio`: whether its sound is a
/// recording; `audioOffset`: the place of position 0 in it, milliseconds.
@_expose(wasm, "song")
@_cdecl("drums_song")
public func songView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("beats", loadedSong?.beats)
        view.write("division", loadedSong?.beatDivision)
        view.write("milliseconds", loadedSong?.milliseconds)
        view.write("isAudio", loadedSong?.sound == .audio)
        view.write("audioOffset", loadedSong?.audioOffsetMilliseconds)
    }
}

/// 1 if a bar begins with a beat of the song; those that are counted in are below 0.
@_expose(wasm, "songBeginsBar")
@_cdecl("drums_song_begins_bar")
public func songBeginsBar(_ beat: Int32) -> Int32 { loadedSong?.beginsBar(Int(beat)) == true ? 1 : 0 }

/// The notes of the song, 12 bytes each: u32 start and u32 length in microseconds, u8 pitch, u8 velocity, u8 voice, u8
/// 0.
@_expose(wasm, "songNotes")
@_cdecl("drums_song_notes")
public func songNotes() -> Int32 {
    var out: [UInt8] = []
    guard let song = loadedSong else { return answer(with: out) }
    out.reserveCapacity(song.notes.count * 12)
    for note in song.notes {
        let start = song.microseconds(atTick: Int64(note.start))
        let end = song.microseconds(atTick: Int64(note.start) + Int64(note.length))
        out.append(littleEndian: UInt32(clamping: start))
        out.append(littleEndian: UInt32(clamping: end - start))
        out.append(contentsOf: [note.pitch, note.velocity, note.voice.rawValue, 0])
    }
    return answer(with: out)
}

/// The chart of a level, 1 to 4: u8 steps per beat, u16 tempo changes, each u16 step and u32 microseconds per beat, u16
/// steps, and these as bits, the first in the lowest.
@_expose(wasm, "songChart")
@_cdecl("drums_song_chart")
public func songChart(_ level: Int32) -> Int32 {
    guard let song = loadedSong, let level = Level(rawValue: UInt8(clamping: level)) else { return answer(with: []) }
    let chart = song.chart(level)
    var out: [UInt8] = [chart.stepsPerBeat]
    out.append(littleEndian: UInt16(clamping: chart.tempo.count))
    for change in chart.tempo {
        out.append(littleEndian: change.step)
        out.append(littleEndian: change.microsecondsPerBeat)
    }
    out.append(littleEndian: UInt16(clamping: chart.steps.count))
    out.append(contentsOf: packed(chart.steps))
    return answer(with: out)
}

// MARK: - Tapping along

/// Begins a tapping.
///
/// - Parameter latency: the latency of the sound to the ear and of the finger to the page, milliseconds.
@_expose(wasm, "tapsBegin")
@_cdecl("drums_taps_begin")
public func tapsBegin(_ latency: Double) {
    taps = TapTempo(latencyMicroseconds: Int64(exactly: (latency * 1_000).rounded()) ?? 0)
    tapped = nil
}

/// Adds a tap at a place of the recording, milliseconds; returns the number of taps.
@_expose(wasm, "tap")
@_cdecl("drums_tap")
public func tap(_ position: Double) -> Int32 {
    taps.tap(atMicroseconds: Int64(exactly: (position * 1_000).rounded()) ?? 0)
    return Int32(clamping: taps.count)
}

/// Computes the tempo; returns 0 or the number of the ``TapTempo/Failure``.
@_expose(wasm, "tapsTempo")
@_cdecl("drums_taps_tempo")
public func tapsTempo(_ beatsPerBar: Int32) -> Int32 {
    tapped = nil
    do throws(TapTempo.Failure) {
        tapped = try taps.answer(beatsPerBar: Int(beatsPerBar))
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// The ``TapTempo/Answer`` that was computed last.
@_expose(wasm, "taps")
@_cdecl("drums_taps")
public func tapsView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("microsecondsPerBeat", tapped?.microsecondsPerBeat)
        view.write("offsetMilliseconds", tapped?.offsetMilliseconds)
        view.write("spreadMilliseconds", tapped?.spreadMilliseconds)
    }
}
