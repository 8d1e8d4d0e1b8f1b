import Signals

/// The window that values are multiplied by before they are transformed, so that a stretch that begins and ends
/// anywhere does not smear each frequency over all others.
///
/// Source: Harris, “On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform”, Proceedings of
/// the IEEE 66 (1978); the periodic forms.
public enum SpectralWindow: UInt8, Sendable, CaseIterable {
    /// The window that leaves all values as they are.
    case rectangular = 0
    /// The window for most signals.
    case hann = 1
    /// The window for a weak frequency beside a strong one: side lobes below -92 dB. With four terms.
    case blackmanHarris = 2
    /// The window for the height of a peak rather than its place. With five terms, as MATLAB and SciPy have it.
    case flatTop = 3

    /// The coefficients of its cosines, of alternating sign. A tuple and no array: in WebAssembly the compiler took the
    /// constant array of one window for that of another.
    private var terms: (Double, Double, Double, Double, Double) {
        switch self {
        case .rectangular: (1, 0, 0, 0, 0)
        case .hann: (0.5, 0.5, 0, 0, 0)
        case .blackmanHarris: (0.35875, 0.48829, 0.14128, 0.01168, 0)
        case .flatTop: (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)
        }
    }

    /// The weight of each of `count` values.
    public func weights(count: Int) -> [Double] {
        let terms = terms
        var weights: [Double] = []
        weights.reserveCapacity(count)
        for place in 0..<max(count, 0) {
            let angle = 2 * Double.pi * Double(place) / Double(count)
            var weight = terms.0
            if terms.1 != 0 { weight -= terms.1 * cos(angle) }
            if terms.2 != 0 { weight += terms.2 * cos(2 * angle) }
            if terms.3 != 0 { weight -= terms.3 * cos(3 * angle) }
            if terms.4 != 0 { weight += terms.4 * cos(4 * angle) }
            weights.append(weight)
        }
        return weights
    }

    /// The mean of its weights: the factor that weakens a steady oscillation.
    public var coherentGain: Double { terms.0 }
}
