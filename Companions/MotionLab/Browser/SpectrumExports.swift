import MotionLabEngine
import WasmBridge
import Wire

// Which frequencies are in what was measured.

// Safe, both: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var transform: FastFourierTransform?
nonisolated(unsafe) private var spectrum: AmplitudeSpectrum?

/// Computes the spectrum of an axis of a sensor, or of the magnitude with a negative axis, from at most a number of
/// last samples, a power of two. Returns the number used, 0 if there are too few.
@_expose(wasm, "computeSpectrum")
@_cdecl("lab_compute_spectrum")
public func computeSpectrum(_ kind: Int32, _ axis: Int32, _ count: Int32) -> Int32 {
    spectrum = nil
    guard let history = live(kind)?.history, let rate = SamplingRate(history.times(last: Int(count))) else { return 0 }
    let times = history.times(last: Int(count))
    let interval = max(Int64((1_000_000 / rate.hertz).rounded()), 1)
    guard
        let even = ResampledSeries(
            times: times, samples: history.series(Int(axis), last: Int(count)), interval: interval, gap: 4 * interval)
    else { return 0 }
    let run = even.longestRun
    var size = 16
    while size * 2 <= run.count, size * 2 <= Int(count) { size *= 2 }
    if transform?.count != size { transform = FastFourierTransform(count: size) }
    guard run.count >= 16, let transform else { return 0 }
    spectrum = AmplitudeSpectrum(run, hertz: even.hertz, transform: transform)
    return spectrum == nil ? 0 : Int32(clamping: size)
}

/// A number of the dominant frequency: 0 its Hz, 1 its amplitude, 2 the ratio to the usual line; NaN if there is none.
@_expose(wasm, "dominant")
@_cdecl("lab_dominant")
public func dominant(_ which: Int32) -> Double {
    guard let peak = spectrum?.dominant() else { return .nan }
    return switch which {
    case 0: peak.hertz
    case 1: peak.amplitude
    default: peak.prominence
    }
}

/// 1 if that frequency is not noise.
@_expose(wasm, "standsOut")
@_cdecl("lab_stands_out")
public func standsOut() -> Int32 { spectrum?.dominant()?.standsOut == true ? 1 : 0 }

/// The distance between lines of the spectrum, Hz; NaN if there is none.
@_expose(wasm, "hertzPerLine")
@_cdecl("lab_hertz_per_line")
public func hertzPerLine() -> Double { spectrum?.hertzPerLine ?? .nan }

/// Makes the amplitude of each line the answer, f32.
@_expose(wasm, "spectrumLines")
@_cdecl("lab_spectrum_lines")
public func spectrumLines() -> Int32 {
    answer(with: littleEndian((spectrum?.amplitudes ?? []).map { Float($0) }))
}

/// Transforms a number of f64 of the buffer, a power of two, and makes the magnitude of each frequency the answer, f64.
/// For a comparison of its cost with the same in JavaScript. Returns the number of bytes, 0 for another count.
@_expose(wasm, "fourier")
@_cdecl("lab_fourier")
public func fourier(_ bytesCount: Int32) -> Int32 {
    let input = bytes(bytesCount)
    let count = input.count / 8
    // The memory of WebAssembly has the lowest byte first, as the values do: read as they are.
    var real = input.withUnsafeBytes { raw in
        [Double](unsafeUninitializedCapacity: count) { values, initialized in
            for place in 0..<count { values[place] = raw.loadUnaligned(fromByteOffset: place * 8, as: Double.self) }
            initialized = count
        }
    }
    if transform?.count != real.count { transform = FastFourierTransform(count: real.count) }
    guard let transform else { return answer(with: []) }
    var imaginary = [Double](repeating: 0, count: real.count)
    transform.transform(real: &real, imaginary: &imaginary)
    let out = [UInt8](unsafeUninitializedCapacity: count * 8) { bytes, initialized in
        let raw = UnsafeMutableRawBufferPointer(bytes)
        for place in 0..<count {
            let size = (real[place] * real[place] + imaginary[place] * imaginary[place]).squareRoot()
            raw.storeBytes(of: size, toByteOffset: place * 8, as: Double.self)
        }
        initialized = count * 8
    }
    return answer(with: out)
}
