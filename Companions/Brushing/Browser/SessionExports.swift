import BrushingEngine
import WasmBridge

// One session at a time: begun, or taken up from its bytes. Before that, all answers are 0.
//
// Times are milliseconds; those of clocks, days apart, are Doubles, for a JavaScript number is one.

// Safe, all four: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var id: [UInt8] = []
nonisolated(unsafe) private var person: [UInt8] = []
nonisolated(unsafe) private var routine = Routine.original
nonisolated(unsafe) var session: BrushingSession?

// MARK: - Routines

/// 0 when the buffer holds a routine, else the number of the ``RoutineError``.
@_expose(wasm, "checkRoutine")
@_cdecl("brushing_check_routine")
public func checkRoutine(_ count: Int32) -> Int32 {
    do throws(RoutineError) {
        _ = try Routine(bytes: bytes(count))
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// The milliseconds of the routine in the buffer, or minus the number of the ``RoutineError``.
@_expose(wasm, "plannedOf")
@_cdecl("brushing_planned_of")
public func plannedOf(_ count: Int32) -> Int32 {
    do throws(RoutineError) {
        return Int32(clamping: try Routine(bytes: bytes(count)).plannedMilliseconds)
    } catch {
        return -Int32(error.rawValue)
    }
}

// MARK: - Beginning

/// Sets the next session's identifier: 16 bytes of the buffer.
@_expose(wasm, "setID")
@_cdecl("brushing_set_id")
public func setID(_ count: Int32) { id = bytes(count) }

/// Sets the next session's person: the bytes of the buffer.
@_expose(wasm, "setPerson")
@_cdecl("brushing_set_person")
public func setPerson(_ count: Int32) { person = bytes(count) }

/// Sets the next session's routine, from the buffer; returns 0 or the number of the ``RoutineError``.
@_expose(wasm, "setRoutine")
@_cdecl("brushing_set_routine")
public func setRoutine(_ count: Int32) -> Int32 {
    do throws(RoutineError) {
        routine = try Routine(bytes: bytes(count))
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// Starts a session; returns the bits of ``SessionOutput``, or minus the number of the ``SessionCodecError``.
@_expose(wasm, "begin")
@_cdecl("brushing_begin")
public func begin(_ wall: Double, _ monotonic: Double, _ utcOffsetMinutes: Int32) -> Int32 {
    do throws(SessionCodecError) {
        var begun = try BrushingSession(
            id: id, person: person, utcOffsetMinutes: Int16(clamping: utcOffsetMinutes), routine: routine)
        let output = begun.handle(.start, at: instant(wall, monotonic))
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
@_cdecl("brushing_look")
public func look(_ count: Int32) -> Int32 {
    do throws(SessionCodecError) {
        session = try BrushingSession.decoded(bytes(count), isComplete: false)
        rewind()
        return 0
    } catch {
        return error.number
    }
}

/// Passes an input to the session: a number of ``SessionInput`` but start and opened. Returns the bits of
/// ``SessionOutput``.
@_expose(wasm, "handle")
@_cdecl("brushing_handle")
public func handle(_ number: Int32, _ wall: Double, _ monotonic: Double) -> Int32 {
    guard let input = SessionInput(rawValue: UInt8(clamping: number)), input != .start, input != .opened, number >= 0,
        let output = session?.handle(input, at: instant(wall, monotonic))
    else { return SessionOutput.ignored.rawValue }
    return output.rawValue
}

// MARK: - What a screen shows

/// The milliseconds that are left of the repetition.
@_expose(wasm, "remainingMilliseconds")
@_cdecl("brushing_remaining")
public func remainingMilliseconds() -> Int32 { Int32(clamping: session?.view.remainingMilliseconds ?? 0) }

/// The share of the repetition that is done, 0 to 1.
@_expose(wasm, "fraction")
@_cdecl("brushing_fraction")
public func fraction() -> Double { Double(session?.view.fraction ?? 0) / 65_536 }

/// The index of the step among all steps of the routine, from 0.
@_expose(wasm, "stepIndex")
@_cdecl("brushing_step_index")
public func stepIndex() -> Int32 { Int32(clamping: session?.view.stepIndex ?? 0) }

/// The kind of the step: 0 brush, 1 floss, 2 rinse.
@_expose(wasm, "stepKind")
@_cdecl("brushing_step_kind")
public func stepKind() -> Int32 { Int32(session?.view.kind.rawValue ?? 0) }

/// The number of the repetition, from 1.
@_expose(wasm, "repetition")
@_cdecl("brushing_repetition")
public func repetition() -> Int32 { Int32(clamping: session?.view.repetition ?? 0) }

/// The number of repetitions of the step.
@_expose(wasm, "repetitions")
@_cdecl("brushing_repetitions")
public func repetitions() -> Int32 { Int32(clamping: session?.view.repetitions ?? 0) }

/// The place in the mouth, from 0 with the clock from the upper left: a quarter has one place, or two of eight.
@_expose(wasm, "place")
@_cdecl("brushing_place")
public func place() -> Int32 { Int32(clamping: session?.view.place ?? 0) }

/// The side of the teeth that is brushed now: the number of the ``BrushedSurface``, -1 for floss and rinse.
@_expose(wasm, "zonePart")
@_cdecl("brushing_zone_part")
public func zonePart() -> Int32 { session?.view.surface?.rawValue ?? -1 }

/// 1 in a pause.
@_expose(wasm, "isPaused")
@_cdecl("brushing_is_paused")
public func isPaused() -> Int32 { session?.view.isPaused == true ? 1 : 0 }

/// 1 when the session is over.
@_expose(wasm, "isDone")
@_cdecl("brushing_is_done")
public func isDone() -> Int32 { session?.view.isDone == true ? 1 : 0 }

/// The milliseconds of the whole routine that are done.
@_expose(wasm, "elapsedMilliseconds")
@_cdecl("brushing_elapsed")
public func elapsedMilliseconds() -> Int32 { Int32(clamping: session?.view.elapsedMilliseconds ?? 0) }

/// The milliseconds of the whole routine.
@_expose(wasm, "plannedMilliseconds")
@_cdecl("brushing_planned")
public func plannedMilliseconds() -> Int32 { Int32(clamping: session?.view.plannedMilliseconds ?? 0) }

// MARK: - Segments: each repetition of the steps that are on

/// The number of segments.
@_expose(wasm, "segmentCount")
@_cdecl("brushing_segment_count")
public func segmentCount() -> Int32 { Int32(clamping: session?.segments.count ?? 0) }

/// The index of the current segment; their count when all are done.
@_expose(wasm, "segmentIndex")
@_cdecl("brushing_segment_index")
public func segmentIndex() -> Int32 { Int32(clamping: session?.view.segmentIndex ?? 0) }

/// The kind of a segment: 0 brush, 1 floss, 2 rinse.
@_expose(wasm, "segmentKind")
@_cdecl("brushing_segment_kind")
public func segmentKind(_ index: Int32) -> Int32 { Int32(segment(index)?.kind.rawValue ?? 0) }

/// The number of a segment's repetition within its step, from 1.
@_expose(wasm, "segmentRepetition")
@_cdecl("brushing_segment_repetition")
public func segmentRepetition(_ index: Int32) -> Int32 { Int32(clamping: segment(index)?.repetition ?? 0) }

/// The place of a segment in the mouth, as of ``place()``.
@_expose(wasm, "segmentPlace")
@_cdecl("brushing_segment_place")
public func segmentPlace(_ index: Int32) -> Int32 { Int32(clamping: segment(index)?.place ?? 0) }

/// The planned milliseconds of a segment.
@_expose(wasm, "segmentMilliseconds")
@_cdecl("brushing_segment_milliseconds")
public func segmentMilliseconds(_ index: Int32) -> Int32 { Int32(clamping: segment(index)?.milliseconds ?? 0) }

/// The share of a segment that is done, 0 to 1.
@_expose(wasm, "segmentDone")
@_cdecl("brushing_segment_done")
public func segmentDone(_ index: Int32) -> Double {
    guard let session, let segment = segment(index), segment.milliseconds > 0 else { return 0 }
    return Double(session.segmentMilliseconds[Int(index)]) / Double(segment.milliseconds)
}

private func segment(_ index: Int32) -> RoutineSegment? {
    guard let segments = session?.segments, segments.indices.contains(Int(index)) else { return nil }
    return segments[Int(index)]
}

// MARK: - What came of it

/// The time spent on all steps of a kind.
@_expose(wasm, "resultMilliseconds")
@_cdecl("brushing_result_milliseconds")
public func resultMilliseconds(_ kind: Int32) -> Int32 {
    guard let result = session?.result else { return 0 }
    return switch kind {
    case 0: Int32(clamping: result.brushMilliseconds)
    case 1: Int32(clamping: result.flossMilliseconds)
    case 2: Int32(clamping: result.rinseMilliseconds)
    default: 0
    }
}

/// The time spent in pauses.
@_expose(wasm, "pausedMilliseconds")
@_cdecl("brushing_paused")
public func pausedMilliseconds() -> Int32 { Int32(clamping: session?.result.pausedMilliseconds ?? 0) }

/// The number of skipped repetitions.
@_expose(wasm, "skipped")
@_cdecl("brushing_skipped")
public func skipped() -> Int32 { Int32(clamping: session?.result.skipped ?? 0) }

/// 1 when every repetition was done in full.
@_expose(wasm, "isComplete")
@_cdecl("brushing_is_complete")
public func isComplete() -> Int32 { session?.result.isComplete == true ? 1 : 0 }

/// 1 when the session counts for streaks and awards.
@_expose(wasm, "counts")
@_cdecl("brushing_counts")
public func counts() -> Int32 { session?.result.counts == true ? 1 : 0 }

/// 1 when enough was done for the session to be sent.
@_expose(wasm, "isWorthKeeping")
@_cdecl("brushing_is_worth_keeping")
public func isWorthKeeping() -> Int32 { session?.isWorthKeeping == true ? 1 : 0 }

/// The number of the ``SessionEnd``, 0 while it runs.
@_expose(wasm, "endReason")
@_cdecl("brushing_end_reason")
public func endReason() -> Int32 { Int32(session?.end?.rawValue ?? 0) }

/// The start of the session, UTC, by the clock of the device.
@_expose(wasm, "startedAt")
@_cdecl("brushing_started_at")
public func startedAt() -> Double { Double(session?.result.startedAt ?? 0) }

/// Makes the person's identifier the answer.
@_expose(wasm, "person")
@_cdecl("brushing_person")
public func sessionPerson() -> Int32 { answer(with: session?.person ?? []) }

func instant(_ wall: Double, _ monotonic: Double) -> Instant {
    Instant(wall: milliseconds(wall), monotonic: milliseconds(monotonic))
}

/// Rounds milliseconds down to a whole number; JavaScript's numbers are exact up to 2^53, and NaN becomes 0.
private func milliseconds(_ number: Double) -> Int64 {
    let most = 9_007_199_254_740_992.0
    return number.isNaN ? 0 : Int64(min(max(number, -most), most).rounded(.down))
}
