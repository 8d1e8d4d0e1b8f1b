import BrushingEngine
import WasmBridge
import Wire

// The session as bytes that only grow, which is what a page stores and sends while it goes on.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var cursor = SessionCursor()

/// Another session is encoded from its first byte.
func rewind() { cursor = SessionCursor() }

/// Makes the session's bytes from an offset on the answer. Asked where the answer before ended, it costs what is new;
/// asked before that, it costs the whole.
@_expose(wasm, "sessionFrom")
@_cdecl("brushing_session_from")
public func sessionFrom(_ offset: Int32) -> Int32 {
    guard let session else { return answer(with: []) }
    if Int(offset) < cursor.offset { rewind() }
    let known = Int(offset) - cursor.offset
    let new = session.encoded(after: &cursor)
    return answer(with: known > 0 ? Array(new.dropFirst(known)) : new)
}

/// Takes up the session whose bytes so far are in the buffer, in a page that has just opened; returns 0 or the number of the
/// ``SessionCodecError``. Where it was left for too long, it is over now.
@_expose(wasm, "resumeSession")
@_cdecl("brushing_resume_session")
public func resumeSession(_ count: Int32, _ wall: Double, _ monotonic: Double) -> Int32 {
    do throws(SessionCodecError) {
        var decoded = try BrushingSession.decoded(bytes(count), isComplete: false)
        _ = decoded.handle(.opened, at: instant(wall, monotonic))
        session = decoded
        rewind()
        return 0
    } catch {
        return error.number
    }
}
