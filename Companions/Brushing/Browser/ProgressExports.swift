import BrushingEngine
import WasmBridge

// The progress of one person at a time, from the hub's bytes. Before that: of nobody, at two sessions a day.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) var progress = BrushingProgress(perDay: 2)

/// Replaces the progress by the one in the buffer; returns 0, or 1 for bytes that are not a progress.
@_expose(wasm, "loadProgress")
@_cdecl("brushing_load_progress")
public func loadProgress(_ count: Int32) -> Int32 {
    guard let loaded = BrushingProgress(bytes: bytes(count)) else { return 1 }
    progress = loaded
    return 0
}

/// Makes the progress the answer.
@_expose(wasm, "encodeProgress")
@_cdecl("brushing_encode_progress")
public func encodeProgress() -> Int32 { answer(with: progress.bytes) }

/// Sets the current brushing day.
@_expose(wasm, "advanceProgress")
@_cdecl("brushing_advance_progress")
public func advanceProgress(_ day: Int32) { progress.advance(to: day) }

/// Counts the session under way, which began at that local day and minute; returns the number of the ``Award``, or 0.
@_expose(wasm, "recordResult")
@_cdecl("brushing_record_result")
public func recordResult(_ day: Int32, _ minute: Int32) -> Int32 {
    session.map { record($0, day: day, minute: minute) } ?? 0
}

/// Counts the session in the buffer, as one that waits in the outbox. With a minute below 0 the day and the minute are
/// those of its start by its own offset from UTC. Returns the number of the ``Award``, 0 for none, or minus the number
/// of the ``SessionCodecError``.
@_expose(wasm, "recordBlob")
@_cdecl("brushing_record_blob")
public func recordBlob(_ count: Int32, _ day: Int32, _ minute: Int32) -> Int32 {
    do throws(SessionCodecError) {
        return record(try BrushingSession.decoded(bytes(count)), day: day, minute: minute)
    } catch {
        return -error.number
    }
}

private func record(_ session: BrushingSession, day: Int32, minute: Int32) -> Int32 {
    let result = session.result
    let moment =
        minute < 0
        ? LocalMoment(milliseconds: result.startedAt, utcOffsetMinutes: session.utcOffsetMinutes)
        : LocalMoment(day: day, minute: minute)
    let award = progress.record(
        day: moment.brushingDay, isMorning: moment.isMorning, counts: result.counts, milliseconds: result.milliseconds)
    return Int32(award?.rawValue ?? 0)
}

/// The day that a session of that local day and minute belongs to.
@_expose(wasm, "brushingDay")
@_cdecl("brushing_day")
public func brushingDay(_ day: Int32, _ minute: Int32) -> Int32 { LocalMoment(day: day, minute: minute).brushingDay }

/// 1 when a session of that local minute is the morning's, 0 when it is the evening's.
@_expose(wasm, "isMorning")
@_cdecl("brushing_is_morning")
public func isMorning(_ minute: Int32) -> Int32 { LocalMoment(day: 0, minute: minute).isMorning ? 1 : 0 }

/// The number of sessions that count.
@_expose(wasm, "sessions")
@_cdecl("brushing_sessions")
public func sessions() -> Int32 { Int32(clamping: progress.sessions) }

/// The number of sessions of the current week.
@_expose(wasm, "sessionsThisWeek")
@_cdecl("brushing_sessions_this_week")
public func sessionsThisWeek() -> Int32 { Int32(clamping: progress.sessionsThisWeek) }

/// The time of all sessions.
@_expose(wasm, "totalMilliseconds")
@_cdecl("brushing_total")
public func totalMilliseconds() -> Double { Double(progress.totalMilliseconds) }

/// The number of days in a row.
@_expose(wasm, "streakDays")
@_cdecl("brushing_streak")
public func streakDays() -> Int32 { Int32(clamping: progress.streakDays) }

/// The longest streak so far, in days.
@_expose(wasm, "longestStreakDays")
@_cdecl("brushing_longest_streak")
public func longestStreakDays() -> Int32 { Int32(clamping: progress.longestStreakDays) }

/// The strength of the habit, 0 to 100.
@_expose(wasm, "habitPercent")
@_cdecl("brushing_habit")
public func habitPercent() -> Int32 { Int32(clamping: progress.habitPercent) }

/// The number of trees with all their leaves, of ``Garden``.
@_expose(wasm, "gardenTrees")
@_cdecl("brushing_garden_trees")
public func gardenTrees() -> Int32 { Int32(clamping: progress.garden.trees) }

/// The leaves of the growing tree.
@_expose(wasm, "gardenLeaves")
@_cdecl("brushing_garden_leaves")
public func gardenLeaves() -> Int32 { Int32(clamping: progress.garden.leaves) }

/// The leaves of a whole tree.
@_expose(wasm, "gardenLeavesPerTree")
@_cdecl("brushing_garden_leaves_per_tree")
public func gardenLeavesPerTree() -> Int32 { Int32(clamping: Garden.leavesPerTree) }

/// A day of the week, Monday 0: 1 morning, 2 evening, 4 frozen, 8 a third time, or their sum.
@_expose(wasm, "pip")
@_cdecl("brushing_pip")
public func pip(_ weekday: Int32) -> Int32 {
    progress.week.indices.contains(Int(weekday)) ? Int32(progress.week[Int(weekday)]) : 0
}

/// The bits of the current day, as ``pip(_:)``.
@_expose(wasm, "today")
@_cdecl("brushing_today")
public func today() -> Int32 { Int32(progress.today) }

/// The tip after a number of sessions, 0 ..< `count`.
@_expose(wasm, "tip")
@_cdecl("brushing_tip")
public func tip(_ count: Int32) -> Int32 {
    Int32(clamping: tipIndex(sessions: progress.sessions, of: Int(count)))
}
