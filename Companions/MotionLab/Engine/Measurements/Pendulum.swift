import Signals
import Wire

/// The period of an oscillation, from where it crosses its own middle upwards.
public struct OscillationPeriod: Sendable, Equatable {
    /// The median of the periods, s.
    public var seconds: Double
    /// The uncertainty, s.
    public var uncertainty: Double
    /// The number of periods.
    public var count: Int
    /// The amplitude, from the middle to the top, in the values' unit, as the median of the periods.
    public var amplitude: Double

    /// The period of a series.
    ///
    /// - Parameters:
    ///   - times: microseconds, rising.
    ///   - values: as many, of something that swings.
    /// - Returns: nil for fewer than two whole periods.
    public init?(times: [Int64], values: [Double]) {
        guard times.count == values.count, times.count >= 8, let low = quantile(values, 0.02),
            let high = quantile(values, 0.98), high > low, isRising(times)
        else { return nil }
        let middle = (low + high) / 2
        // Noise around the middle is no crossing: between two of them it goes a quarter of the way down.
        let hysteresis = (high - low) / 8
        var crossings: [Double] = []
        var tops: [Double] = []
        var top = -Double.infinity
        var isArmed = false
        for place in values.indices.dropFirst() {
            top = max(top, values[place])
            if values[place] < middle - hysteresis { isArmed = true }
            guard isArmed, values[place - 1] < middle, values[place] >= middle else { continue }
            isArmed = false
            let share = (middle - values[place - 1]) / (values[place] - values[place - 1])
            let start = Double(times[place - 1].minusClamped(times[0]))
            crossings.append((start + share * Double(times[place].minusClamped(times[place - 1]))) / 1_000_000)
            if crossings.count > 1 { tops.append(top - middle) }
            top = -.infinity
        }
        guard crossings.count >= 3 else { return nil }
        var periods: [Double] = []
        for place in crossings.indices.dropFirst() { periods.append(crossings[place] - crossings[place - 1]) }
        guard let statistics = RobustStatistics(periods), statistics.median > 0 else { return nil }
        seconds = statistics.median
        uncertainty = statistics.margin
        count = periods.count
        amplitude = median(tops) ?? 0
    }
}

/// The gravity that a pendulum measures.
public struct PendulumGravity: Sendable, Equatable {
    /// The acceleration, m/s².
    public var metresPerSecondSquared: Double
    /// The uncertainty, from the period and the length, m/s².
    public var uncertainty: Double

    /// The gravity by period and length: g = 4π² L / T², with the period as it would be for small swings: T is longer
    /// by a sixteenth of the square of the amplitude (Nelson and Olsson, “The pendulum: Rich physics from a simple
    /// system”, American Journal of Physics 54, 1986, equation 8, to the fourth power).
    ///
    /// - Parameters:
    ///   - period: s.
    ///   - length: from where it hangs to its centre of mass, m.
    ///   - lengthUncertainty: m.
    ///   - amplitude: radians; 0 where it is small, or not known.
    /// - Returns: nil where one is not above zero.
    public init?(period: OscillationPeriod, length: Double, lengthUncertainty: Double = 0, amplitude: Double = 0) {
        guard period.seconds > 0, length > 0, amplitude.magnitude < .pi / 2 else { return nil }
        let square = amplitude * amplitude
        let small = period.seconds / (1 + square / 16 + 11 * square * square / 3_072)
        let gravity = 4 * Double.pi * Double.pi * length / (small * small)
        metresPerSecondSquared = gravity
        let ofPeriod = 2 * period.uncertainty / period.seconds
        let ofLength = lengthUncertainty / length
        uncertainty = gravity * (ofPeriod * ofPeriod + ofLength * ofLength).squareRoot()
    }
}
