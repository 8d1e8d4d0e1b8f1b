import DrumsEngine
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
@_cdecl("drums_session_from")
public func sessionFrom(_ offset: Int32) -> Int32 {
    guard let session else { return answer(with: []) }
    if Int(offset) < cursor.offset { rewind() }
    let known = Int(offset) - cursor.offset
    let new = session.encoded(after: &cursor)
    return answer(with: known > 0 ? Array(new.dropFirst(known)) : new)
}

/// Takes up the session whose bytes so far are in the buffer, in a page that has just opened; returns 0 or the number of the
/// ``SessionCodecError``. It is paused, or over where it was left for too long.
@_expose(wasm, "resumeSession")
@_cdecl("drums_resume_session")
public func resumeSession(_ count: Int32, _ wall: Double, _ at: Double) -> Int32 {
    let error = look(count)
    if error == 0 { _ = tell(.opened(wall: whole(wall)), at) }
    return error
}
