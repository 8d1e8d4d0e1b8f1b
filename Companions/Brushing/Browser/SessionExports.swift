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

/// The session at this moment. `kind`: 0 brush, 1 floss, 2 rinse; `fraction`: the share of the repetition that is done, 0 to
/// 1; `surface`: the number of the ``BrushedSurface``, -1 for floss and rinse; `end`: the number of the ``SessionEnd``, 0
/// while it runs; the others as ``SessionView`` has them.
@_expose(wasm, "session")
@_cdecl("brushing_session")
public func sessionView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let shown = session?.view
        let end = session?.end
        view.write("segmentIndex", shown?.segmentIndex)
        view.write("stepIndex", shown?.stepIndex)
        view.write("kind", shown?.kind.rawValue)
        view.write("repetition", shown?.repetition)
        view.write("repetitions", shown?.repetitions)
        view.write("place", shown?.place)
        view.write("surface", shown?.surface?.rawValue, none: -1)
        view.write("remainingMilliseconds", shown?.remainingMilliseconds)
        view.write("fraction", shown.map { Double($0.fraction) / 65_536 })
        view.write("isPaused", shown?.isPaused)
        view.write("isDone", shown?.isDone)
        view.write("isWorthKeeping", session?.isWorthKeeping)
        view.write("elapsedMilliseconds", shown?.elapsedMilliseconds)
        view.write("plannedMilliseconds", shown?.plannedMilliseconds)
        view.write("end", end?.rawValue)
        view.write("isFinished", end == .finished)
    }
}

/// Each repetition of the steps that are on, as ``RoutineSegment`` has it. `kind` as of the session; `done`: the share that
/// is done, 0 to 1.
@_expose(wasm, "segments")
@_cdecl("brushing_segments")
public func segments(_ isDescribing: Int32) -> Int32 {
    let done = session?.segmentMilliseconds ?? []
    return answer(rows: zip(session?.segments ?? [], done), isDescribing) { row, segment in
        let (segment, done) = segment
        row.write("kind", segment.kind.rawValue)
        row.write("repetition", segment.repetition)
        row.write("repetitions", segment.repetitions)
        row.write("place", segment.place)
        row.write("milliseconds", segment.milliseconds)
        row.write("done", segment.milliseconds > 0 ? Double(done) / Double(segment.milliseconds) : 0)
    }
}

// MARK: - What came of it

/// The ``SessionResult``; `startedAt` by the clock of the device, UTC.
@_expose(wasm, "result")
@_cdecl("brushing_result")
public func resultView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let result = session?.result
        view.write("startedAt", result?.startedAt)
        view.write("brushMilliseconds", result?.brushMilliseconds)
        view.write("flossMilliseconds", result?.flossMilliseconds)
        view.write("rinseMilliseconds", result?.rinseMilliseconds)
        view.write("pausedMilliseconds", result?.pausedMilliseconds)
        view.write("skipped", result?.skipped)
        view.write("isComplete", result?.isComplete)
        view.write("counts", result?.counts)
    }
}

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
