import WasmBridge

// The engine on a line, as WebAssembly: a module for the vector files alone. Phones load that of `Browser`.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var vector = EngineVector()

/// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
@_expose(wasm, "vector")
@_cdecl("toy_vector")
public func runVector(_ count: Int32) -> Int32 {
    answer(with: vector.answer(bytes(count)))
}

#if !arch(wasm32)
    /// The export is for WebAssembly; built for anything else, the product only says so.
    @main
    enum Host {
        static func main() {
            print("TriviaToyVectorLines is built for WebAssembly: run scripts/test-wasm.sh")
        }
    }
#endif
