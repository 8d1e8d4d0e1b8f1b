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

/// Sets the current brushing day.
@_expose(wasm, "advanceProgress")
@_cdecl("brushing_advance_progress")
public func advanceProgress(_ day: Int32) { progress.advance(to: day) }

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

/// The ``BrushingProgress``; `weekBegins`: the Monday of the current week, 0 before the first day.
@_expose(wasm, "progress")
@_cdecl("brushing_progress")
public func progressView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("sessions", progress.sessions)
        view.write("sessionsThisWeek", progress.sessionsThisWeek)
        view.write("askedThisWeek", progress.askedThisWeek)
        view.write("keptThisWeek", progress.keptThisWeek)
        view.write("totalMilliseconds", progress.totalMilliseconds)
        view.write("streakDays", progress.streakDays)
        view.write("longestStreakDays", progress.longestStreakDays)
        view.write("habitPercent", progress.habitPercent)
        view.write("weekBegins", progress.weekBegins)
    }
}

/// The ``Garden``.
@_expose(wasm, "garden")
@_cdecl("brushing_garden")
public func gardenView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("trees", progress.garden.trees)
        view.write("leaves", progress.garden.leaves)
        view.write("leavesPerTree", Garden.leavesPerTree)
    }
}

/// The days of the current week, from Monday on: whether each has a session of the morning, of the evening and a third one, and
/// is frozen.
@_expose(wasm, "week")
@_cdecl("brushing_week")
public func week(_ isDescribing: Int32) -> Int32 {
    answer(rows: progress.week, isDescribing) { row, pips in
        row.write("morning", pips & BrushingProgress.Pip.morning != 0)
        row.write("evening", pips & BrushingProgress.Pip.evening != 0)
        row.write("third", pips & BrushingProgress.Pip.third != 0)
        row.write("isFrozen", pips & BrushingProgress.Pip.frozen != 0)
    }
}

/// The tip after a number of sessions, 0 ..< `count`.
@_expose(wasm, "tip")
@_cdecl("brushing_tip")
public func tip(_ count: Int32) -> Int32 {
    Int32(clamping: tipIndex(sessions: progress.sessions, of: Int(count)))
}
