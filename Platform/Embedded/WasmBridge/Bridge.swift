// How bytes cross between a page and a companion's engine, the same for all of them. JavaScript calls `buffer` with the
// count it needs, writes there (the view is to be made after the call, since memory may have grown), and calls a
// function with that count. A function that answers with bytes returns their count, and `answer` is where they lie.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var input = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var output: [UInt8] = [0]

/// A buffer of `count` bytes for input, valid until the next call of this function.
@_expose(wasm, "buffer")
@_cdecl("bridge_buffer")
public func buffer(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    let needed = max(Int(count), 1)
    if needed > input.count {
        input.deallocate()
        input = .allocate(capacity: needed)
    }
    return input.baseAddress
}

/// The address of the last output.
@_expose(wasm, "answer")
@_cdecl("bridge_answer")
public func answer() -> UnsafePointer<UInt8>? {
    output.withUnsafeBufferPointer { $0.baseAddress }
}

/// The bytes in the input buffer, for an export that was called with their count.
public func bytes(_ count: Int32) -> [UInt8] {
    Array(input.prefix(max(Int(count), 0)))
}

/// Sets the output; returns its count, which the export returns in turn.
public func answer(with bytes: [UInt8]) -> Int32 {
    // Never empty, so that there is an address.
    output = bytes + [0]
    return Int32(clamping: bytes.count)
}
