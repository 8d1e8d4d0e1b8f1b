import DrumsEngine
import WasmBridge
import Wire

// The session as bytes that only grow, which is what a page stores and sends while it goes on.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var cursor = RecordingCursor()

/// Another session is read from its first byte.
func rewindRecording() { cursor = RecordingCursor() }

/// Makes the recording's bytes from an offset on the answer. Asked where the answer before ended, it costs what is new;
/// asked before that, it costs the whole.
@_expose(wasm, "recordingFrom")
@_cdecl("drums_recording_from")
public func recordingFrom(_ offset: Int32) -> Int32 {
    guard let session else { return answer(with: []) }
    if Int(offset) < cursor.offset { rewindRecording() }
    let known = Int(offset) - cursor.offset
    let new = session.recording(after: &cursor)
    return answer(with: known > 0 ? Array(new.dropFirst(known)) : new)
}

/// Takes up the session whose recording is in the buffer, in a page that has just opened; returns 0 or the number of the
/// ``SessionCodecError``. It is paused, or over where it was left for too long.
@_expose(wasm, "resumeRecording")
@_cdecl("drums_resume_recording")
public func resumeRecording(_ count: Int32, _ wall: Double, _ at: Double) -> Int32 {
    let error = lookAtRecording(count)
    if error == 0 { _ = tell(.opened(wall: whole(wall)), at) }
    return error
}

/// Reads the session whose recording is in the buffer, to show what there is of it; returns 0 or the number of the
/// ``SessionCodecError``.
@_expose(wasm, "lookAtRecording")
@_cdecl("drums_look_at_recording")
public func lookAtRecording(_ count: Int32) -> Int32 {
    do throws(SessionCodecError) {
        session = try DrumSession.decoded(DrumSession.encoded(recording: bytes(count), isComplete: false))
        rewindRecording()
        return 0
    } catch {
        return error.number
    }
}
