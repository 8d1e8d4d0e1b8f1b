import MotionLabEngine
import WasmBridge
import Wire

// The recording as bytes that are only appended to, which is what a page stores and sends while it goes on.

// Safe, all four: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var writer: RecordingWriter?
nonisolated(unsafe) private var id: [UInt8] = []
nonisolated(unsafe) private var person: [UInt8] = []
nonisolated(unsafe) private var experimentSlug: [UInt8] = []
nonisolated(unsafe) private var streams: [RecordedStream] = []
nonisolated(unsafe) private var isOver = false

/// Sets the recording's identifier: the 16 bytes in the buffer.
@_expose(wasm, "setID")
@_cdecl("lab_set_id")
public func setID(_ count: Int32) { id = bytes(count) }

/// Sets the recording's person: the identifier in the buffer, ASCII. The streams of the one before are forgotten.
@_expose(wasm, "setPerson")
@_cdecl("lab_set_person")
public func setPerson(_ count: Int32) {
    person = bytes(count)
    streams = []
    experimentSlug = []
}

/// Sets the recording's experiment: the slug in the buffer.
@_expose(wasm, "setExperiment")
@_cdecl("lab_set_experiment")
public func setExperiment(_ count: Int32) { experimentSlug = bytes(count) }

/// Adds a stream of a ``SensorKind`` from a ``SensorSource``; `hertz` is the rate that the device claims, 0 for none.
/// Returns 1, or 0 for an unknown kind or source.
@_expose(wasm, "addStream")
@_cdecl("lab_add_stream")
public func addStream(_ kind: Int32, _ source: Int32, _ hertz: Double) -> Int32 {
    guard let kind = sensorKind(kind), let source = SensorSource(rawValue: UInt8(clamping: source)) else { return 0 }
    let claimed = hertz > 0 && hertz < 10_000 ? UInt32(hertz * 1_000) : 0
    streams.append(RecordedStream(kind: kind, source: source, claimedMillihertz: claimed))
    return 1
}

/// Begins the recording at a time in UTC milliseconds, so many minutes east of Greenwich. Returns 0, or the number of the
/// ``RecordingError``.
@_expose(wasm, "beginRecording")
@_cdecl("lab_begin_recording")
public func beginRecording(_ at: Double, _ utcOffset: Int32) -> Int32 {
    do throws(RecordingError) {
        writer = try RecordingWriter(
            header: RecordingHeader(
                id: id, person: person, experiment: experimentSlug, utcOffsetMinutes: Int16(clamping: utcOffset),
                startedAt: microseconds(at), streams: streams))
        isOver = false
        return 0
    } catch {
        return error.number
    }
}

/// Adds a sample, if the recording has a stream of the kind.
func record(_ values: [Double], of kind: SensorKind, at time: Int64) {
    guard let place = writer?.header.streams.firstIndex(where: { $0.kind == kind }) else { return }
    writer?.add(values.map { $0 }, to: place, at: time)
}

/// Makes the new bytes of the recording the answer.
@_expose(wasm, "takeRecording")
@_cdecl("lab_take_recording")
public func takeRecording() -> Int32 { answer(with: writer?.takeBytes() ?? []) }

/// Adds the text in the buffer as an annotation at a time in UTC milliseconds. Returns 1, or 0 if it is too long, or
/// nothing is recorded.
@_expose(wasm, "annotate")
@_cdecl("lab_annotate")
public func annotate(_ count: Int32, _ at: Double) -> Int32 {
    writer?.add(.annotation(at: microseconds(at), text: bytes(count))) == true ? 1 : 0
}

/// Sets the recording's name to the one in the buffer. Returns 1, or 0 if it is too long, or nothing is recorded.
@_expose(wasm, "nameRecording")
@_cdecl("lab_name_recording")
public func nameRecording(_ count: Int32) -> Int32 { writer?.add(.name(bytes(count))) == true ? 1 : 0 }

/// Adds a change of a stream's state: a number of ``RecordedStreamState``.
@_expose(wasm, "recordState")
@_cdecl("lab_record_state")
public func recordState(_ kind: Int32, _ state: Int32, _ at: Double) {
    guard let state = RecordedStreamState(rawValue: UInt8(clamping: state)),
        let place = writer?.header.streams.firstIndex(where: { Int32($0.kind.rawValue) == kind })
    else { return }
    writer?.add(.state(at: microseconds(at), stream: place, state))
}

/// Adds the offset of the device's clock from the hub's, if it is known.
@_expose(wasm, "recordClock")
@_cdecl("lab_record_clock")
public func recordClock(_ at: Double) {
    guard let offset = alignment.offset else { return }
    writer?.add(.clock(at: microseconds(at), offset))
}

/// Ends the recording.
@_expose(wasm, "endRecording")
@_cdecl("lab_end_recording")
public func endRecording(_ at: Double) {
    writer?.add(.end(at: microseconds(at)))
    isOver = true
}

/// 1 when the recording has ended.
@_expose(wasm, "isRecordingOver")
@_cdecl("lab_is_recording_over")
public func isRecordingOver() -> Int32 { isOver ? 1 : 0 }

/// The number of recorded samples of a kind.
@_expose(wasm, "recorded")
@_cdecl("lab_recorded")
public func recorded(_ kind: Int32) -> Int32 {
    guard let writer, let place = writer.header.streams.firstIndex(where: { Int32($0.kind.rawValue) == kind }) else {
        return 0
    }
    return Int32(clamping: writer.report(of: place).taken)
}

/// Continues the recording in the buffer, in a page that has just opened: the samples from before are kept, and it is
/// over, since nobody held the phone meanwhile. Returns 0, or the number of the ``RecordingError``.
@_expose(wasm, "resumeSession")
@_cdecl("lab_resume_session")
public func resumeSession(_ count: Int32, _ wall: Double, _ monotonic: Double) -> Int32 {
    isOver = true
    do throws(RecordingError) {
        writer = try RecordingWriter(resuming: bytes(count))
        return 0
    } catch {
        writer = nil
        // One that had ended before the page went is whole.
        return error == .afterEnd ? 0 : error.number
    }
}
