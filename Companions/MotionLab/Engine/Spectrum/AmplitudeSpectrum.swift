import Signals

/// The amplitude of each frequency in a series of values at a constant rate.
public struct AmplitudeSpectrum: Sendable {
    /// The distance between lines of the spectrum, Hz.
    public let hertzPerLine: Double
    /// The amplitude of each line from 0 Hz up to half the rate: that of an oscillation of this frequency, in the
    /// values' unit.
    public let amplitudes: [Double]
    /// The window that the values were multiplied by.
    public let window: SpectralWindow
    /// Whether there were fewer values than the transform uses.
    private let isPadded: Bool

    /// The spectrum of values less their mean.
    ///
    /// - Parameters:
    ///   - values: at least 8; the last power of two of them that fits into `transform` counts, or all with zeros after
    ///     them.
    ///   - hertz: values a second.
    ///   - transform: of as many values as the spectrum is to be computed from.
    /// - Returns: nil for fewer values, or a rate that is not above zero.
    public init?(_ values: [Double], hertz: Double, transform: FastFourierTransform, window: SpectralWindow = .hann) {
        guard values.count >= 8, hertz > 0, hertz.isFinite else { return nil }
        let used = values.suffix(transform.count)
        var mean = 0.0
        for value in used { mean += value }
        mean /= Double(used.count)
        let weights = window.weights(count: used.count)
        var real = [Double](repeating: 0, count: transform.count)
        var imaginary = real
        for (place, value) in used.enumerated() {
            guard value.isFinite else { return nil }
            real[place] = (value - mean) * weights[place]
        }
        transform.transform(real: &real, imaginary: &imaginary)
        let scale = 2 / (Double(used.count) * window.coherentGain)
        var amplitudes: [Double] = []
        amplitudes.reserveCapacity(transform.count / 2 + 1)
        for line in 0...transform.count / 2 {
            let size = (real[line] * real[line] + imaginary[line] * imaginary[line]).squareRoot() * scale
            // Half the rate, and nought, have no mirror image that holds the other half.
            amplitudes.append(line == 0 || line == transform.count / 2 ? size / 2 : size)
        }
        self.amplitudes = amplitudes
        self.window = window
        isPadded = used.count < transform.count
        hertzPerLine = hertz / Double(transform.count)
    }

    /// An oscillation that stands out.
    public struct Peak: Sendable, Equatable {
        /// The frequency, which may lie between the lines.
        public var hertz: Double
        /// The amplitude, in the values' unit.
        public var amplitude: Double
        /// The amplitude as a multiple of the median line: below ``clearProminence``, it may be noise.
        public var prominence: Double

        /// The prominence from which on a line is not noise: lines of white noise follow a Rayleigh distribution, and
        /// one of them is ten times the median with a chance of 2⁻¹⁰⁰.
        public static let clearProminence = 10.0

        /// Whether the peak is shown to a person.
        public var standsOut: Bool { prominence >= Self.clearProminence }
    }

    /// The strongest frequency from `lowest` up.
    ///
    /// Between two lines it is found by the ratio of the highest and its higher neighbour, which with Hann's window is
    /// exact for one oscillation (Grandke, “Interpolation Algorithms for Discrete Fourier Transforms of Weighted
    /// Signals”, IEEE Transactions on Instrumentation and Measurement 32, 1983); with another, or with zeros after the
    /// values, by a parabola through the logarithms (Smith and Serra, “PARSHL”, Proceedings of the International
    /// Computer Music Conference, 1987, section 4).
    /// - Parameter lowest: Hz; slow drift below it is passed over.
    /// - Returns: nil where no line is higher than both its neighbours, or all are nought.
    public func dominant(from lowest: Double = 0.2) -> Peak? {
        var best = 0
        for line in 1..<max(amplitudes.count - 1, 1) where Double(line) * hertzPerLine >= lowest {
            guard amplitudes[line] > amplitudes[line - 1], amplitudes[line] >= amplitudes[line + 1] else { continue }
            if best == 0 || amplitudes[line] > amplitudes[best] { best = line }
        }
        guard best > 0, amplitudes[best] > 0 else { return nil }
        let (shift, height) = window == .hann && !isPadded ? byRatio(best) : byParabola(best)
        let usual = median(amplitudes) ?? 0
        return Peak(
            hertz: (Double(best) + shift) * hertzPerLine, amplitude: height,
            prominence: usual > 0 ? height / usual : .infinity)
    }

    /// The frequency’s distance from a line, in lines, and its height, by the shape of Hann's window: its main
    /// lobe is sin (πd) / (πd (1 - d²)), d lines from its middle (Harris, section V-C), and so the ratio of two lines
    /// of it is (1 + d) / (2 - d).
    private func byRatio(_ best: Int) -> (shift: Double, height: Double) {
        let (left, right) = (amplitudes[best - 1], amplitudes[best + 1])
        let ratio = max(left, right) / amplitudes[best]
        let distance = min(max((2 * ratio - 1) / (ratio + 1), 0), 0.5)
        let angle = Double.pi * distance
        let height = distance < 1e-6 ? 1 : (1 - distance * distance) * angle / sin(angle)
        return (right >= left ? distance : -distance, amplitudes[best] * height)
    }

    private func byParabola(_ best: Int) -> (shift: Double, height: Double) {
        let floor = 1e-300
        let (left, middle, right) = (
            log(max(amplitudes[best - 1], floor)), log(max(amplitudes[best], floor)),
            log(max(amplitudes[best + 1], floor))
        )
        let bend = left - 2 * middle + right
        let shift = bend < 0 ? min(max((left - right) / (2 * bend), -0.5), 0.5) : 0
        // The flat top is as high as its highest line.
        return (shift, window == .flatTop ? amplitudes[best] : exp(middle - (left - right) * shift / 4))
    }
}

/// The amplitude of one frequency in values at a constant rate, without the others: for one that is known, such as the
/// mains'.
///
/// Source: Goertzel, “An Algorithm for the Evaluation of Finite Trigonometric Series”, American Mathematical Monthly 65
/// (1958). It is exact for a whole number of oscillations.
/// - Parameters:
///   - frequency: Hz, up to half the rate.
///   - hertz: values a second.
/// - Returns: in the values' unit; nil for no values, or a frequency that they cannot hold.
public func goertzelAmplitude(of frequency: Double, in values: [Double], hertz: Double) -> Double? {
    guard !values.isEmpty, hertz > 0, frequency > 0, frequency < hertz / 2 else { return nil }
    let step = 2 * Double.pi * frequency / hertz
    let factor = 2 * cos(step)
    var (before, last) = (0.0, 0.0)
    for value in values { (before, last) = (last, value + factor * last - before) }
    let real = last - before * cos(step)
    let imaginary = before * sin(step)
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(values.count)
}
