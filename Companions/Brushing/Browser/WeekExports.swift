import BrushingEngine
import WasmBridge

// The week of the progress that is loaded: see ProgressExports.swift.

/// The number of sessions that the current week asks for, without frozen days.
@_expose(wasm, "askedThisWeek")
@_cdecl("brushing_asked_this_week")
public func askedThisWeek() -> Int32 { Int32(clamping: progress.askedThisWeek) }

/// The Monday of the current week; 0 before the first day.
@_expose(wasm, "weekBegins")
@_cdecl("brushing_week_begins")
public func weekBegins() -> Int32 { progress.weekBegins ?? 0 }
