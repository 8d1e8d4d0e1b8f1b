import BrushingEngine
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
@_cdecl("brushing_recording_from")
public func recordingFrom(_ offset: Int32) -> Int32 {
    guard let session else { return answer(with: []) }
    if Int(offset) < cursor.offset { rewindRecording() }
    let known = Int(offset) - cursor.offset
    let new = session.recording(after: &cursor)
    return answer(with: known > 0 ? Array(new.dropFirst(known)) : new)
}

/// Takes up the session whose recording is in the buffer, in a page that has just opened; returns 0 or the number of the
/// ``SessionCodecError``. Where it was left for too long, it is over now.
@_expose(wasm, "resumeRecording")
@_cdecl("brushing_resume_recording")
public func resumeRecording(_ count: Int32, _ wall: Double, _ monotonic: Double) -> Int32 {
    do throws(SessionCodecError) {
        var decoded = try BrushingSession.decoded(
            BrushingSession.encoded(recording: bytes(count), isComplete: false))
        _ = decoded.handle(.opened, at: instant(wall, monotonic))
        session = decoded
        rewindRecording()
        return 0
    } catch {
        return error.number
    }
}
