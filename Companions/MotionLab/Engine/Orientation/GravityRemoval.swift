import Signals
import Wire

/// The length of the stretch whose mean is gravity, microseconds: what swings once in a third of it, or faster, is
/// movement.
public let gravityStretch: Int64 = 20_000_000

/// The accelerations of a device without their gravity, each in the device's axes.
///
/// Where a gyroscope says how the device was turned, all are turned back to how it lay at the first. There gravity
/// stands still, and is the mean, weighted by Hann's window so that a swing that is cut off does not count; with the
/// slope of a line, for a gyroscope drifts. Without a gyroscope gravity is the mean of each axis as it is: right for
/// a device that is shaken and not turned.
///
/// - Parameters:
///   - felt: with gravity, g.
///   - times: as many, microseconds, rising.
///   - turning: nil for a device without a gyroscope.
/// - Returns: as many; nil for other times.
public func withoutGravity(_ felt: [Vector3], at times: [Int64], turning: TurningRates?) -> [Vector3]? {
    guard felt.count == times.count, let first = times.first, let last = times.last, isRising(times) else { return nil }
    let orientations = turning?.orientations(at: times)
    var level: [Vector3] = []
    level.reserveCapacity(felt.count)
    for (place, one) in felt.enumerated() { level.append(orientations?[place].rotating(one) ?? one) }
    let half = min(last.minusClamped(first), gravityStretch) / 2
    let hop = gravityStretch / 20
    var knots: [GravityKnot] = []
    var centre = first + half
    while true {
        knots.append(GravityKnot(of: level, at: times, around: centre, half: half, slopes: turning != nil))
        guard centre < last - half else { break }
        // Where nothing came for a while, on to where something comes again.
        let next = times[lowerBound(of: centre + 1, in: times)]
        centre = min(max(next, last.minusClamped(centre) > hop ? centre + hop : last), last - half)
    }
    var linear: [Vector3] = []
    linear.reserveCapacity(felt.count)
    var after = 0
    for (place, time) in times.enumerated() {
        while after < knots.count, knots[after].centre <= time { after += 1 }
        let gravity: Vector3
        if after == 0 {
            gravity = knots[0].value(at: time)
        } else if after == knots.count {
            gravity = knots[after - 1].value(at: time)
        } else {
            let (one, other) = (knots[after - 1], knots[after])
            let share = Double(time.minusClamped(one.centre)) / Double(max(other.centre.minusClamped(one.centre), 1))
            gravity = one.value(at: one.centre) * (1 - share) + other.value(at: other.centre) * share
        }
        linear.append(felt[place] - (orientations?[place].inverse.rotating(gravity) ?? gravity))
    }
    return linear
}

/// Gravity around a time.
private struct GravityKnot {
    var centre: Int64
    private var mean = Vector3.zero
    /// The mean time, seconds from the centre.
    private var middle = 0.0
    private var slope = Vector3.zero

    init(of level: [Vector3], at times: [Int64], around centre: Int64, half: Int64, slopes: Bool) {
        self.centre = centre
        var place = lowerBound(of: centre - half, in: times)
        let start = place
        var (weights, moments) = (0.0, 0.0)
        while place < times.count, times[place] <= centre + half {
            let weight = Self.weight(times[place].minusClamped(centre), half)
            weights += weight
            mean = mean + level[place] * weight
            moments += weight * Self.seconds(times[place].minusClamped(centre))
            place += 1
        }
        let end = place
        guard weights > 0 else {
            // One sample, or two at the ends of the window.
            mean = .zero
            for each in start..<end { mean = mean + level[each] }
            if end > start { mean = mean * (1 / Double(end - start)) }
            return
        }
        mean = mean * (1 / weights)
        middle = moments / weights
        guard slopes else { return }
        var (squares, products) = (0.0, Vector3.zero)
        for each in start..<end {
            let weight = Self.weight(times[each].minusClamped(centre), half)
            let from = Self.seconds(times[each].minusClamped(centre)) - middle
            squares += weight * from * from
            products = products + (level[each] - mean) * (weight * from)
        }
        if squares > 0 { slope = products * (1 / squares) }
    }

    func value(at time: Int64) -> Vector3 {
        mean + slope * (Self.seconds(time.minusClamped(centre)) - middle)
    }

    private static func weight(_ distance: Int64, _ half: Int64) -> Double {
        guard half > 0 else { return 0 }
        return 0.5 + 0.5 * cos(Double.pi * Double(distance) / Double(half))
    }

    private static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1_000_000 }
}

/// The place of the first time that is not before another; the count where there is none.
func lowerBound(of time: Int64, in times: [Int64]) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
        let middle = (low + high) / 2
        if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
}
