import BrushingEngine
import WasmBridge

// The week of the progress that is loaded: see ProgressExports.swift.

/// The number of sessions that the current week asks for, without frozen days.
@_expose(wasm, "askedThisWeek")
@_cdecl("brushing_asked_this_week")
public func askedThisWeek() -> Int32 { Int32(clamping: progress.askedThisWeek) }

/// The sessions of the current week that are of those it asks for: each half of a day once.
@_expose(wasm, "keptThisWeek")
@_cdecl("brushing_kept_this_week")
public func keptThisWeek() -> Int32 { Int32(clamping: progress.keptThisWeek) }

/// The Monday of the current week; 0 before the first day.
@_expose(wasm, "weekBegins")
@_cdecl("brushing_week_begins")
public func weekBegins() -> Int32 { progress.weekBegins ?? 0 }
