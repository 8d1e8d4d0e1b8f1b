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

/// The spectra: the `strongest` axis, which swings most, -1 if nothing swings; `hertzPerLine`: the distance between their lines,
/// NaN if there are none.
@_expose(wasm, "spectra")
@_cdecl("lab_spectra")
public func spectraView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("strongest", spectra?.strongest, none: -1)
        view.write("hertzPerLine", spectra?.length.hertzPerLine, none: .nan)
    }
}

/// The dominant frequencies along x, y and z, and of the length, NaN if there is none; `standsOut`: whether it is not noise.
@_expose(wasm, "peaks")
@_cdecl("lab_peaks")
public func peaks(_ isDescribing: Int32) -> Int32 {
    answer(rows: [0, 1, 2, -1], isDescribing) { row, axis in
        let peak = spectra?.peak(axis)
        row.write("hertz", peak?.hertz, none: .nan)
        row.write("amplitude", peak?.amplitude, none: .nan)
        row.write("standsOut", peak?.standsOut)
    }
}

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
