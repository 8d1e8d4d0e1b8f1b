import Signals
import Wire

/// The rates of a gyroscope, by which it is known how gravity wanders through the axes of a device that is turned.
public struct TurningRates: Sendable {
    /// The times of the samples, microseconds, rising.
    public var times: [Int64]
    /// The rates, rad/s, as many.
    public var rates: [Vector3]

    /// The longest pause within which a rate is taken to go on in a straight line, microseconds.
    public static let longestStep: Int64 = 500_000

    /// A series of rates.
    public init(times: [Int64], rates: [Vector3]) {
        self.times = times
        self.rates = rates
    }

    /// The rotations from the device's axes at each of the times to those at the first: the rates in a straight line
    /// from one sample to the next, and no rotation where none are near.
    func orientations(at asked: [Int64]) -> [Quaternion] {
        var found: [Quaternion] = []
        found.reserveCapacity(asked.count)
        guard times.count == rates.count, !times.isEmpty, isRising(times) else {
            return [Quaternion](repeating: .identity, count: asked.count)
        }
        var orientation = Quaternion.identity
        var after = 0
        for (place, time) in asked.enumerated() {
            guard place > 0 else {
                found.append(orientation)
                while after < times.count, times[after] <= time { after += 1 }
                continue
            }
            var (from, rate) = (asked[place - 1], self.rate(at: asked[place - 1], after))
            while from < time {
                let to = after < times.count && times[after] < time ? times[after] : time
                if after < times.count, times[after] <= time { after += 1 }
                let next = self.rate(at: to, after)
                let seconds = Double(to.minusClamped(from)) / 1_000_000
                orientation = (orientation * Quaternion(rotation: (rate + next) * (seconds / 2))).normalized
                (from, rate) = (to, next)
            }
            found.append(orientation)
        }
        return found
    }

    /// The rate at a time.
    ///
    /// - Parameter after: the place of the first sample that is later.
    private func rate(at time: Int64, _ after: Int) -> Vector3 {
        let before = after - 1
        guard before >= 0, before < rates.count else {
            return times[0].minusClamped(time) <= Self.longestStep ? rates[0] : .zero
        }
        guard after < times.count else {
            return time.minusClamped(times[before]) <= Self.longestStep ? rates[before] : .zero
        }
        let step = times[after].minusClamped(times[before])
        guard step <= Self.longestStep, step > 0 else { return .zero }
        let share = Double(time.minusClamped(times[before])) / Double(step)
        return rates[before] * (1 - share) + rates[after] * share
    }
}
