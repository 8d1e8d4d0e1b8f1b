import MotionLabEngine
import WasmBridge
import Wire

// What a phone does at a press.

/// Makes the pattern of a ``HapticPattern/Intensity`` the answer: u16 milliseconds of vibration and rest in turns.
@_expose(wasm, "haptic")
@_cdecl("lab_haptic")
public func haptic(_ intensity: Int32) -> Int32 {
    guard let intensity = HapticPattern.Intensity(rawValue: UInt8(clamping: intensity)) else {
        return answer(with: [])
    }
    var out: [UInt8] = []
    for part in HapticPattern(intensity).milliseconds { out.append(littleEndian: part) }
    return answer(with: out)
}

/// Looks at a pattern in the buffer, u16 each. Returns its milliseconds; -1 for none, -2 for too many parts, and -3 less
/// the place of a part that is too long or lasts no time.
@_expose(wasm, "checkHaptic")
@_cdecl("lab_check_haptic")
public func checkHaptic(_ count: Int32) -> Int32 {
    var reader = LittleEndianReader(bytes(count)[...])
    var parts: [UInt16] = []
    while reader.remaining >= 2 { parts.append(reader.uint16()) }
    do throws(HapticPattern.Failure) {
        return Int32(clamping: try HapticPattern(parts).totalMilliseconds)
    } catch {
        return switch error {
        case .empty: -1
        case .tooMany: -2
        case .part(let place): -3 - Int32(clamping: place)
        }
    }
}
