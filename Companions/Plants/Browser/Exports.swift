import PlantsEngine

// What the page can ask of the engine without the hub. Bytes cross in one buffer: JavaScript calls `buffer` with the
// count it needs, writes there (the view is to be made after the call, since memory may have grown), and calls a
// function with that count. A function that answers with bytes returns their count, and `answer` is where they lie.

// JavaScript runs one call at a time, and nothing else touches these.
nonisolated(unsafe) private var input = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var output: [UInt8] = [0]
nonisolated(unsafe) private var vector = EngineVector()

/// Room for `count` bytes, valid until the next call of this function.
@_expose(wasm, "buffer")
@_cdecl("plants_buffer")
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
@_cdecl("plants_answer")
public func answer() -> UnsafePointer<UInt8>? {
    output.withUnsafeBufferPointer { $0.baseAddress }
}

/// 0 when the buffer holds a name that a plant can have, else the number of the ``PlantRules/Fault``.
@_expose(wasm, "checkName")
@_cdecl("plants_check_name")
public func checkName(_ count: Int32) -> Int32 {
    do throws(PlantRules.Fault) {
        try PlantRules.check(name: bytes(count).span)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// 0 when the buffer holds a place that a plant can have, else the number of the fault.
@_expose(wasm, "checkPlace")
@_cdecl("plants_check_place")
public func checkPlace(_ count: Int32) -> Int32 {
    do throws(PlantRules.Fault) {
        try PlantRules.check(place: bytes(count).span)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// 0 when these limits, percent, are sensible, else the number of the fault.
@_expose(wasm, "checkLimits")
@_cdecl("plants_check_limits")
public func checkLimits(_ low: Double, _ high: Double) -> Int32 {
    do throws(PlantRules.Fault) {
        try PlantRules.check(low: low, high: high)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// Answers the line of a vector file in the buffer; returns how many bytes the answer has.
@_expose(wasm, "vector")
@_cdecl("plants_vector")
public func runVector(_ count: Int32) -> Int32 {
    let text = vector.answer(bytes(count))
    // Never empty, so that there is an address.
    output = text + [0]
    return Int32(text.count)
}

/// Forgets what earlier lines left behind: a file of vectors begins anew.
@_expose(wasm, "beginVectors")
@_cdecl("plants_begin_vectors")
public func beginVectors() {
    vector = EngineVector()
}

private func bytes(_ count: Int32) -> [UInt8] {
    Array(input.prefix(max(Int(count), 0)))
}
