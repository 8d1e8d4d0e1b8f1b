import @NAME@Engine
import WasmBridge

// What the page can ask of the engine without the hub.

/// The number of the ``Level/State`` of a level, percent.
@_expose(wasm, "stateOf")
@_cdecl("@SYMBOL@_state_of")
public func stateOf(_ percent: Double) -> Int32 { Level.state(percent).rawValue }
