import @NAME@Engine
import WasmBridge

// The engine on a line, for the vector files alone: only in the module that `scripts/test-wasm.sh` builds for them.
#if VECTORS

    // Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
    nonisolated(unsafe) private var vector = EngineVector()

    /// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
    @_expose(wasm, "vector")
    @_cdecl("@SYMBOL@_vector")
    public func runVector(_ count: Int32) -> Int32 {
        answer(with: vector.answer(bytes(count)))
    }

#endif
