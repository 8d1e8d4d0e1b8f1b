import DrumsEngine
import WasmBridge
import Wire

// What came of the session.

// Once in the module, and not in each export.
@inline(never)
private func told() -> SessionResult? { session?.result }

/// A number of the result: 0 start and 1 end (UTC), 2 milliseconds practised, 3 answered, 4 right, 5 judged, 6
/// implausible, 7 waits, 8 milliseconds that the link was lost, 9 stray, 10 beats asked for, 11 the number of the
/// ``SessionEnd`` (0 while it runs), 12 whether the page had claimed another result.
@_expose(wasm, "resultField")
@_cdecl("drums_result_field")
public func resultField(_ number: Int32) -> Double {
    guard let result = told() else { return 0 }
    return switch number {
    case 0: Double(result.startedAt)
    case 1: Double(result.endedAt)
    case 2: Double(result.milliseconds)
    case 3: Double(result.answered)
    case 4: Double(result.right)
    case 5: Double(result.judged)
    case 6: Double(result.implausible)
    case 7: Double(result.waits)
    case 8: Double(result.lostMilliseconds)
    case 9: Double(result.stray)
    case 10: Double(result.beats.count)
    case 11: Double(result.end?.rawValue ?? 0)
    case 12: session?.claimDiffers == true ? 1 : 0
    default: 0
    }
}

/// A number of a distribution (0 reaction, 1 force, 2 latency, 3 timing): 0 the count, then lower quartile, median and
/// upper quartile in tenths, and 1 where there are enough values for quartiles to be shown.
@_expose(wasm, "distribution")
@_cdecl("drums_distribution")
public func distribution(_ which: Int32, _ field: Int32) -> Int32 {
    guard let result = told() else { return 0 }
    let distribution =
        switch which {
        case 0: result.reaction
        case 1: result.force
        case 2: result.latency
        case 3: result.timing
        default: Distribution?.none
        }
    guard let distribution else { return 0 }
    return switch field {
    case 0: Int32(clamping: distribution.count)
    case 1: distribution.lowerQuartileTenths
    case 2: distribution.medianTenths
    case 3: distribution.upperQuartileTenths
    case 4: distribution.hasQuartiles ? 1 : 0
    default: 0
    }
}

/// Makes a beat that was asked for the answer, 28 bytes and its wrong drums: i32 step, u8 drum, u8 verdict, u8 link, u8
/// side, i32 reaction, i32 error, i32 hundredths of force (the least number stands for none), i32 milliseconds waited,
/// u8 whether it is plausible, u8 number of wrong drums, u16 0, then these. Empty for a beat that does not exist.
@_expose(wasm, "beat")
@_cdecl("drums_beat")
public func beat(_ index: Int32) -> Int32 {
    guard let beats = told()?.beats, beats.indices.contains(Int(index)) else { return answer(with: []) }
    let beat = beats[Int(index)]
    var bytes: [UInt8] = []
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
    return answer(with: bytes)
}
