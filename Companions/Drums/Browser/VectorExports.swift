import DrumsEngine
import WasmBridge

// The engine on a line, for the vector files alone: it would be a third of the module that a phone loads, so it is
// only in the module that `scripts/test-wasm.sh` builds for them.
#if VECTORS

    // Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
    nonisolated(unsafe) private var vector = EngineVector()

    /// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
    @_expose(wasm, "vector")
    @_cdecl("drums_vector")
    public func runVector(_ count: Int32) -> Int32 {
        answer(with: vector.answer(bytes(count)))
    }

#endif
