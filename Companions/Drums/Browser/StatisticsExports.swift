import DrumsEngine
import WasmBridge
import Wire

// Calibration by tapping: what the page cannot count itself.

/// The latency of taps: the buffer holds their offsets from the nearest click, tenths of milliseconds, 32 bits each,
/// little-endian: their `count` and quartiles in tenths of milliseconds. Where they are too few, the count alone; where they
/// are too scattered, for `upper` the distance of their quartiles.
@_expose(wasm, "calibration")
@_cdecl("drums_calibration")
public func calibration(_ isDescribing: Int32, _ count: Int32) -> Int32 {
    var reader = LittleEndianReader(bytes(count)[...])
    var offsets: [Int32] = []
    while reader.remaining >= 4 { offsets.append(reader.int32()) }
    var isTooFew = false
    var isTooScattered = false
    var taps = 0
    var quartiles: (lower: Int32, median: Int32, upper: Int32) = (0, 0, 0)
    do throws(CalibrationError) {
        let latency = try TapCalibration.latency(of: offsets)
        taps = latency.count
        quartiles = (latency.lowerQuartileTenths, latency.medianTenths, latency.upperQuartileTenths)
    } catch {
        switch error {
        case .tooFewTaps(let few): (isTooFew, taps) = (true, few)
        case .tooScattered(let tenths): (isTooScattered, quartiles.upper) = (true, tenths)
        }
    }
    return answer(view: isDescribing) { view in
        view.write("isTooFew", isTooFew)
        view.write("isTooScattered", isTooScattered)
        view.write("count", taps)
        view.write("lower", quartiles.lower)
        view.write("median", quartiles.median)
        view.write("upper", quartiles.upper)
    }
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
