#if !arch(wasm32)
    /// The exports are for the browser; built for anything else, the product only says so.
    @main
    enum Host {
        static func main() {
            print("MotionLabBrowser is built for WebAssembly: run scripts/wasm.sh")
        }
    }
#endif
