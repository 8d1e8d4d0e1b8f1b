import BrushingEngine

// What the page can ask of the engine without the hub. Bytes cross in one buffer: JavaScript calls `buffer` with the
// count it needs, writes there (the view is to be made after the call, since memory may have grown), and calls a
// function with that count. A function that answers with bytes returns their count, and `answer` is where they lie.
// Times are milliseconds; those of clocks, days apart, are Doubles, for a JavaScript number is one.

// JavaScript runs one call at a time, and nothing else touches these.
nonisolated(unsafe) private var input = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var output: [UInt8] = [0]
nonisolated(unsafe) private var vector = EngineVector()

/// Room for `count` bytes, valid until the next call of this function.
@_expose(wasm, "buffer")
@_cdecl("brushing_buffer")
public func buffer(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    let needed = max(Int(count), 1)
    if needed > input.count {
        input.deallocate()
        input = .allocate(capacity: needed)
    }
    return input.baseAddress
}

/// Where the last answer lies.
@_expose(wasm, "answer")
@_cdecl("brushing_answer")
public func answer() -> UnsafePointer<UInt8>? {
    output.withUnsafeBufferPointer { $0.baseAddress }
}

/// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
@_expose(wasm, "vector")
@_cdecl("brushing_vector")
public func runVector(_ count: Int32) -> Int32 {
    answer(with: vector.answer(bytes(count)))
}

/// Forgets what earlier lines left behind: a file of vectors begins anew.
@_expose(wasm, "beginVectors")
@_cdecl("brushing_begin_vectors")
public func beginVectors() {
    vector = EngineVector()
}

/// What lies in the buffer.
func bytes(_ count: Int32) -> [UInt8] {
    Array(input.prefix(max(Int(count), 0)))
}

/// Makes these bytes the answer; returns their count.
func answer(with bytes: [UInt8]) -> Int32 {
    // Never empty, so that there is an address.
    output = bytes + [0]
    return Int32(clamping: bytes.count)
}
