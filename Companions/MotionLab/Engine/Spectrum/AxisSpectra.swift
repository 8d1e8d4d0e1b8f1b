import Wire

/// The spectra of the axes of a sensor, each on its own, and that of the length of all together.
///
/// The length has no direction: what swings to and fro is twice as fast in it. So a frequency is said of an axis, and
/// of the length where somebody asks for it.
public struct AxisSpectra: Sendable {
    /// The spectrum of each axis.
    public let axes: [AmplitudeSpectrum]
    /// The spectrum of the length of all axes together.
    public let length: AmplitudeSpectrum
    /// The number of values that each is computed from.
    public let count: Int
    /// The least amplitude that is an oscillation, in the values' unit.
    private let least: Double

    /// The least number of values at a constant rate, without a gap.
    public static let leastCount = 16

    /// The spectra of samples at their true times.
    ///
    /// - Parameters:
    ///   - times: microseconds, rising.
    ///   - samples: of each axis as many, without gravity.
    ///   - least: the least amplitude that is an oscillation, in their unit: what a sensor cannot tell from nothing.
    ///   - transform: that of the last time, which is made anew where another is needed.
    /// - Returns: nil for no axes, and fewer than ``leastCount`` values without a gap.
    public init?(
        times: [Int64], samples: [[Double]], least: Double, transform: inout FastFourierTransform?
    ) {
        guard !samples.isEmpty, let rate = SamplingRate(times), rate.hertz.isFinite else { return nil }
        let interval = max(Int64((1_000_000 / rate.hertz).rounded()), 1)
        var lengths: [Double] = []
        lengths.reserveCapacity(times.count)
        for place in times.indices {
            var squares = 0.0
            for axis in samples where place < axis.count { squares += axis[place] * axis[place] }
            lengths.append(squares.squareRoot())
        }
        var spectra: [AmplitudeSpectrum] = []
        var size = Self.leastCount
        for series in samples + [lengths] {
            guard
                let even = ResampledSeries(times: times, samples: series, interval: interval, gap: 4 * interval)
            else { return nil }
            let run = even.longestRun
            guard run.count >= Self.leastCount else { return nil }
            while size * 2 <= run.count, size * 2 <= FastFourierTransform.mostCount { size *= 2 }
            if transform?.count != size { transform = FastFourierTransform(count: size) }
            guard let transform, let spectrum = AmplitudeSpectrum(run, hertz: even.hertz, transform: transform)
            else { return nil }
            spectra.append(spectrum)
        }
        length = spectra.removeLast()
        axes = spectra
        count = size
        self.least = least
    }

    /// The strongest oscillation along an axis; with a negative axis, that of the length; nil where nothing swings.
    public func peak(_ axis: Int) -> AmplitudeSpectrum.Peak? {
        guard let spectrum = spectrum(axis), let peak = spectrum.dominant(), peak.amplitude >= least else { return nil }
        return peak
    }

    /// The spectrum of an axis; with a negative axis, that of the length; nil for an axis that is not there.
    public func spectrum(_ axis: Int) -> AmplitudeSpectrum? {
        axis < 0 ? length : axis < axes.count ? axes[axis] : nil
    }

    /// The axis that swings most: of those with an oscillation that stands out, or of all where none does; nil where
    /// nothing swings.
    public var strongest: Int? {
        var best: (axis: Int, peak: AmplitudeSpectrum.Peak)?
        for axis in axes.indices {
            guard let peak = peak(axis) else { continue }
            if let known = best?.peak {
                guard peak.standsOut == known.standsOut ? peak.amplitude > known.amplitude : peak.standsOut else {
                    continue
                }
            }
            best = (axis, peak)
        }
        return best?.axis
    }
}
