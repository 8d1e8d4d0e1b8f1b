import DrumsEngine
import WasmBridge
import Wire

// What came of the session.

// Once in the module, and not in each export.
@inline(never)
private func told() -> SessionResult? { session?.result }

/// The ``SessionResult``; `beats`: the number of those that were asked for; `end`: the number of the ``SessionEnd``, 0 while
/// it runs; `claimDiffers`: whether the page had claimed another result.
@_expose(wasm, "result")
@_cdecl("drums_result")
public func resultView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let result = told()
        view.write("startedAt", result?.startedAt)
        view.write("endedAt", result?.endedAt)
        view.write("milliseconds", result?.milliseconds)
        view.write("answered", result?.answered)
        view.write("right", result?.right)
        view.write("judged", result?.judged)
        view.write("implausible", result?.implausible)
        view.write("waits", result?.waits)
        view.write("lostMilliseconds", result?.lostMilliseconds)
        view.write("stray", result?.stray)
        view.write("beats", result?.beats.count)
        view.write("end", result?.end?.rawValue)
        view.write("claimDiffers", session?.claimDiffers)
    }
}

/// The distributions of reaction, force, latency and timing, in this order, tenths; `hasQuartiles`: whether there are enough
/// values for quartiles to be shown.
@_expose(wasm, "distributions")
@_cdecl("drums_distributions")
public func distributions(_ isDescribing: Int32) -> Int32 {
    let result = told()
    let all = [result?.reaction, result?.force, result?.latency, result?.timing]
    return answer(rows: all, isDescribing) { row, distribution in
        row.write("count", distribution?.count)
        row.write("lowerQuartile", distribution?.lowerQuartileTenths)
        row.write("median", distribution?.medianTenths)
        row.write("upperQuartile", distribution?.upperQuartileTenths)
        row.write("hasQuartiles", distribution?.hasQuartiles)
    }
}

/// Makes the beats that were asked for the answer, from an index on, each 28 bytes and its wrong drums: i32 step, u8 drum, u8
/// verdict, u8 link, u8 side, i32 reaction, i32 error, i32 hundredths of force (the least number stands for none), i32
/// milliseconds waited, u8 whether it is plausible, u8 number of wrong drums, u16 0, then these. Empty beyond the last.
@_expose(wasm, "beats")
@_cdecl("drums_beats")
public func beats(_ index: Int32) -> Int32 {
    guard let beats = told()?.beats, beats.indices.contains(Int(index)) else { return answer(with: []) }
    var bytes: [UInt8] = []
    for beat in beats[Int(index)...] { append(beat, to: &bytes) }
    return answer(with: bytes)
}

private func append(_ beat: BeatResult, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: Int32(clamping: beat.step))
    bytes.append(beat.drum.rawValue)
    bytes.append(beat.verdict.rawValue)
    bytes.append(beat.link.rawValue)
    bytes.append(beat.side.rawValue)
    bytes.append(littleEndian: beat.reactionMilliseconds ?? .min)
    bytes.append(littleEndian: beat.errorMilliseconds ?? .min)
    bytes.append(littleEndian: beat.forceHundredths ?? .min)
    bytes.append(littleEndian: beat.waitedMilliseconds)
    bytes.append(beat.isPlausible ? 1 : 0)
    let wrong = beat.wrong.prefix(255)
    bytes.append(UInt8(clamping: wrong.count))
    bytes.append(littleEndian: UInt16(0))
    for drum in wrong { bytes.append(drum.rawValue) }
}
