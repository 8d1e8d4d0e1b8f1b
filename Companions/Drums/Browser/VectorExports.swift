import DrumsEngine
import WasmBridge

// What the page can ask of the engine without the hub.

// JavaScript runs one call at a time, and nothing else touches it.
nonisolated(unsafe) private var vector = EngineVector()

/// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
@_expose(wasm, "vector")
@_cdecl("drums_vector")
public func runVector(_ count: Int32) -> Int32 {
    answer(with: vector.answer(bytes(count)))
}

/// Forgets what earlier lines left behind: a file of vectors begins anew.
@_expose(wasm, "beginVectors")
@_cdecl("drums_begin_vectors")
public func beginVectors() {
    vector = EngineVector()
}
