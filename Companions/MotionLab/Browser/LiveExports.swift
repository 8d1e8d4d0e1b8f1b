import MotionLabEngine
import WasmBridge
import Wire

// What a page shows while it measures: the engine has one instrument, a page as many engines as it likes.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) var instrument = LiveInstrument()

/// Begins anew, with a rate in samples a second; 0 for all that the device gives.
@_expose(wasm, "begin")
@_cdecl("lab_begin")
public func begin(_ hertz: Double) {
    let celsius = instrument.altitude.celsius
    instrument = LiveInstrument()
    instrument.altitude.celsius = celsius
    instrument.want(hertz: hertz)
}

/// Adds a sample of a ``SensorKind`` from a ``SensorSource`` at a time in UTC milliseconds; NaN for an axis that the
/// browser did not give. Kinds with one value take the first. It is added to the recording as well, if there is one
/// with this kind. Returns the ``LiveSensor/Outcome``.
@_expose(wasm, "sample")
@_cdecl("lab_sample")
public func sample(_ kind: Int32, _ source: Int32, _ at: Double, _ x: Double, _ y: Double, _ z: Double) -> Int32 {
    guard let kind = sensorKind(kind), let source = SensorSource(rawValue: UInt8(clamping: source)),
        kind.axisCount == 1 || kind.axisCount == 3
    else { return 0 }
    var values: [Double?] = []
    for value in [x, y, z].prefix(kind.axisCount) { values.append(value.isNaN ? nil : value) }
    let time = microseconds(at)
    let outcome = instrument.take(values, of: kind, from: source, at: time)
    if outcome == .taken, let latest = instrument.sensor(kind)?.latest {
        record(latest, of: kind, at: time)
        experiment(latest, of: kind, at: time)
    }
    return Int32(outcome.rawValue)
}

/// Sets the samples a second that are wanted from now on; 0 for all.
@_expose(wasm, "want")
@_cdecl("lab_want")
public func want(_ hertz: Double) { instrument.want(hertz: hertz) }

/// A ``LiveSensor`` at a time in UTC milliseconds. `x`, `y` and `z` are the latest sample in the lab's unit, NaN before the first
/// and for an axis that the kind does not have; `hertz`: NaN if no samples arrive; `isWaiting`: nothing came yet; `isStuck`: the
/// same comes again and again; `refused`: the samples in which an axis was missing or not a number.
@_expose(wasm, "sensor")
@_cdecl("lab_sensor")
public func sensorView(_ isDescribing: Int32, _ kind: Int32, _ at: Double) -> Int32 {
    answer(view: isDescribing) { view in
        let sensor = live(kind)
        let latest = (sensor?.latest ?? []) + [.nan, .nan, .nan]
        view.write("x", latest[0])
        view.write("y", latest[1])
        view.write("z", latest[2])
        view.write("magnitude", sensor?.magnitude, none: .nan)
        view.write("hertz", sensor?.hertz(at: microseconds(at)), none: .nan)
        let (isWaiting, isSilent, isStuck) =
            switch sensor?.state(at: microseconds(at)) ?? .waiting {
            case .waiting: (true, false, false)
            case .live: (false, false, false)
            case .silent: (false, true, false)
            case .stuck: (false, false, true)
            }
        view.write("isWaiting", isWaiting)
        view.write("isSilent", isSilent)
        view.write("isStuck", isStuck)
        view.write("refused", sensor?.refused)
    }
}

/// Makes the points of a chart the answer, for an interval in UTC milliseconds and a number of columns: f32 for the
/// place from 0 to 1, and for each axis; NaN where the line is broken.
@_expose(wasm, "chart")
@_cdecl("lab_chart")
public func chart(_ kind: Int32, _ from: Double, _ to: Double, _ columns: Int32) -> Int32 {
    guard let sensor = live(kind) else { return answer(with: []) }
    let end = microseconds(to)
    return answer(
        with: littleEndian(
            sensor.history.points(
                from: microseconds(from), to: end, columns: Int(columns), gap: sensor.gap(at: end))))
}

func live(_ kind: Int32) -> LiveSensor? { sensorKind(kind).flatMap { instrument.sensor($0) } }

func sensorKind(_ number: Int32) -> SensorKind? { UInt8(exactly: number).flatMap { SensorKind(rawValue: $0) } }

/// Converts UTC milliseconds to whole microseconds; -1 for an impossible time.
func microseconds(_ milliseconds: Double) -> Int64 {
    let scaled = (milliseconds * 1_000).rounded()
    return scaled.magnitude < 9_007_199_254_740_992 ? Int64(scaled) : -1
}

func littleEndian(_ numbers: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 4)
    for number in numbers { bytes.append(littleEndian: number.bitPattern) }
    return bytes
}
