import MotionLabEngine
import WasmBridge
import Wire

// Which frequencies are in what was measured.

// Safe, both: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var transform: FastFourierTransform?
nonisolated(unsafe) private var spectra: AxisSpectra?

/// Computes the spectra of the axes of a sensor without gravity, and of the length of all together, from at most a number
/// of last samples. Returns the number used, a power of two; 0 if there are too few.
@_expose(wasm, "computeSpectrum")
@_cdecl("lab_compute_spectrum")
public func computeSpectrum(_ kind: Int32, _ count: Int32) -> Int32 {
    spectra = sensorKind(kind).flatMap {
        instrument.spectra(of: $0, last: max(Int(count), 0), transform: &transform)
    }
    return Int32(clamping: spectra?.count ?? 0)
}

/// The axis that swings most; -1 if nothing swings.
@_expose(wasm, "strongestAxis")
@_cdecl("lab_strongest_axis")
public func strongestAxis() -> Int32 { Int32(clamping: spectra?.strongest ?? -1) }

/// A number of the dominant frequency along an axis, or of the length with a negative one: 0 its Hz, 1 its amplitude, 2
/// the ratio to the usual line; NaN if there is none.
@_expose(wasm, "dominant")
@_cdecl("lab_dominant")
public func dominant(_ axis: Int32, _ which: Int32) -> Double {
    guard let peak = spectra?.peak(Int(axis)) else { return .nan }
    return switch which {
    case 0: peak.hertz
    case 1: peak.amplitude
    default: peak.prominence
    }
}

/// 1 if the dominant frequency along an axis is not noise.
@_expose(wasm, "standsOut")
@_cdecl("lab_stands_out")
public func standsOut(_ axis: Int32) -> Int32 { spectra?.peak(Int(axis))?.standsOut == true ? 1 : 0 }

/// The distance between lines of the spectra, Hz; NaN if there are none.
@_expose(wasm, "hertzPerLine")
@_cdecl("lab_hertz_per_line")
public func hertzPerLine() -> Double { spectra?.length.hertzPerLine ?? .nan }

/// Makes the amplitude of each line of an axis the answer, f32.
@_expose(wasm, "spectrumLines")
@_cdecl("lab_spectrum_lines")
public func spectrumLines(_ axis: Int32) -> Int32 {
    answer(with: littleEndian((spectra?.spectrum(Int(axis))?.amplitudes ?? []).map { Float($0) }))
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
