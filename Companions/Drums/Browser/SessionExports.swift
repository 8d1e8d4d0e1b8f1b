import DrumsEngine
import WasmBridge

// One session at a time: begun, or taken up from its bytes. Before that, all answers are 0. Times of the page are
// microseconds of its clock that is never set, as Doubles, for a JavaScript number is one; those of the wall are
// milliseconds.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) var session: DrumSession?

// MARK: - Beginning

/// Begins a session with the next setup: returns the bits of ``SessionOutput``, or minus the number of the
/// ``SessionCodecError``.
@_expose(wasm, "begin")
@_cdecl("drums_begin")
public func begin(_ wall: Double, _ at: Double) -> Int32 { begin(nextSetup(), wall, at) }

/// Begins a session with the setup in the buffer, as ``begin(_:_:)``.
@_expose(wasm, "beginWith")
@_cdecl("drums_begin_with")
public func beginWith(_ count: Int32, _ wall: Double, _ at: Double) -> Int32 {
    do throws(SessionCodecError) {
        return begin(try SessionSetup(bytes: bytes(count)), wall, at)
    } catch {
        return -error.number
    }
}

private func begin(_ setup: SessionSetup, _ wall: Double, _ at: Double) -> Int32 {
    do throws(SessionCodecError) {
        var begun = try DrumSession(setup: setup)
        let output = begun.handle(.start(wall: whole(wall)), atMicroseconds: whole(at))
        session = begun
        rewind()
        return output.rawValue
    } catch {
        return -error.number
    }
}

/// Reads the session whose bytes are in the buffer, as far as they go, to show its result; returns 0 or the number of the
/// ``SessionCodecError``.
@_expose(wasm, "look")
@_cdecl("drums_look")
public func look(_ count: Int32) -> Int32 {
    do throws(SessionCodecError) {
        session = try DrumSession.decoded(bytes(count), isComplete: false)
        rewind()
        return 0
    } catch {
        return error.number
    }
}

// MARK: - Inputs: each returns the bits of SessionOutput

/// Time has passed.
@_expose(wasm, "tick")
@_cdecl("drums_tick")
public func tick(_ at: Double) -> Int32 { tell(.tick, at) }

/// The cue of a step is out.
@_expose(wasm, "cueShown")
@_cdecl("drums_cue_shown")
public func cueShown(_ step: Int32, _ at: Double) -> Int32 { tell(.cueShown(step: Int(step)), at) }

/// The kit's notification in the buffer.
@_expose(wasm, "message")
@_cdecl("drums_message")
public func message(_ count: Int32, _ at: Double) -> Int32 { tell(.message(bytes(count)), at) }

/// A pad without a clock was hit, how hard (0 unknown, 1 to 127), by which ``LinkKind``.
@_expose(wasm, "strike")
@_cdecl("drums_strike")
public func strike(_ drum: Int32, _ velocity: Int32, _ link: Int32, _ at: Double) -> Int32 {
    guard let drum = UInt8(exactly: drum).flatMap({ Drum(rawValue: $0) }), let link = linkKind(link) else { return 0 }
    return tell(.strike(drum, velocity: UInt8(clamping: velocity), link: link), at)
}

/// The player pauses.
@_expose(wasm, "pause")
@_cdecl("drums_pause")
public func pause(_ at: Double) -> Int32 { tell(.pause, at) }

/// The player goes on.
@_expose(wasm, "unpause")
@_cdecl("drums_unpause")
public func unpause(_ at: Double) -> Int32 { tell(.resume, at) }

/// The link to the pads is gone.
@_expose(wasm, "linkLost")
@_cdecl("drums_link_lost")
public func linkLost(_ at: Double) -> Int32 { tell(.linkLost, at) }

/// The link is back, or another one: its ``LinkKind`` and the latency that it adds to an answer, tenths of a
/// millisecond.
@_expose(wasm, "linkBack")
@_cdecl("drums_link_back")
public func linkBack(_ kind: Int32, _ latencyTenths: Int32, _ at: Double) -> Int32 {
    guard let kind = linkKind(kind) else { return 0 }
    return tell(.linkBack(kind, latencyTenths: UInt16(clamping: latencyTenths)), at)
}

/// From now on this of what a pad tells is crosstalk: so many milliseconds before a stroke at most, and so many percent of its
/// velocity.
@_expose(wasm, "crosstalk")
@_cdecl("drums_crosstalk")
public func crosstalk(_ drum: Int32, _ milliseconds: Int32, _ percent: Int32, _ at: Double) -> Int32 {
    guard let drum = UInt8(exactly: drum).flatMap({ Drum(rawValue: $0) }) else { return 0 }
    let setting = Crosstalk(milliseconds: UInt8(clamping: milliseconds), percent: UInt8(clamping: percent))
    return tell(.crosstalk(drum, setting), at)
}

/// The player ends the session.
@_expose(wasm, "stop")
@_cdecl("drums_stop")
public func stop(_ at: Double) -> Int32 { tell(.stop, at) }

/// The result is shown: its claim is written.
@_expose(wasm, "finish")
@_cdecl("drums_finish")
public func finish(_ at: Double) -> Int32 { tell(.finish, at) }

private func linkKind(_ number: Int32) -> LinkKind? { UInt8(exactly: number).flatMap { LinkKind(rawValue: $0) } }

func tell(_ input: SessionInput, _ at: Double) -> Int32 {
    session?.handle(input, atMicroseconds: whole(at)).rawValue ?? 0
}

/// Rounds a number down; JavaScript's numbers are exact up to 2^53, and NaN becomes 0.
func whole(_ number: Double) -> Int64 {
    let most = 9_007_199_254_740_992.0
    return number.isNaN ? 0 : Int64(min(max(number, -most), most).rounded(.down))
}
