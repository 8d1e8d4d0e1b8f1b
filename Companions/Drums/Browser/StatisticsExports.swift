import DrumsEngine
import WasmBridge
import Wire

// Calibration by tapping: what the page cannot count itself.

/// Computes the latency of taps: the buffer holds their offsets from the nearest click, tenths of milliseconds, 32 bits
/// each, little-endian.
///
/// - Returns: 20, the bytes of the answer: five numbers of the same kind. 0 and then the number of taps, lower
///   quartile, median, upper quartile in tenths of milliseconds; or 1 and the number where they are too few; or 2, 0,
///   0, 0 and the distance of their quartiles where they are too scattered.
@_expose(wasm, "calibrate")
@_cdecl("drums_calibrate")
public func calibrate(_ count: Int32) -> Int32 {
    var reader = LittleEndianReader(bytes(count)[...])
    var offsets: [Int32] = []
    while reader.remaining >= 4 { offsets.append(reader.int32()) }
    var numbers: [Int32] = []
    do throws(CalibrationError) {
        let latency = try TapCalibration.latency(of: offsets)
        numbers = [
            0, Int32(clamping: latency.count), latency.lowerQuartileTenths, latency.medianTenths,
            latency.upperQuartileTenths,
        ]
    } catch {
        switch error {
        case .tooFewTaps(let taps): numbers = [1, Int32(clamping: taps), 0, 0, 0]
        case .tooScattered(let tenths): numbers = [2, 0, 0, 0, tenths]
        }
    }
    var told: [UInt8] = []
    for number in numbers { told.append(littleEndian: UInt32(bitPattern: number)) }
    return answer(with: told)
}

/// The distance of a tap from the nearest click, tenths of milliseconds; negative is before it.
///
/// - Parameters:
///   - tap: microseconds since the first click.
///   - period: microseconds from click to click.
@_expose(wasm, "tapOffset")
@_cdecl("drums_tap_offset")
public func tapOffset(_ tap: Double, _ period: Double) -> Int32 {
    guard abs(tap) < 1e15, abs(period) < 1e15 else { return 0 }
    return TapCalibration.offsetTenths(ofTap: Int64(tap), period: Int64(period))
}
