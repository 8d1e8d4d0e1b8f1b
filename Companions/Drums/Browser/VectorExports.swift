import DrumsEngine
import WasmBridge

// The engine on a line, for the vector files alone. It would be a third of the module that a phone loads, so it is only in
// the one that `scripts/test-wasm.sh` builds for them.
#if VECTORS

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

#endif
