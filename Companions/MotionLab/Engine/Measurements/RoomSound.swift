import Signals
import Wire

/// The sound levels of a room, in dB relative to full scale: a phone's microphone is not calibrated, so they say which
/// of two rooms is louder, and by how much.
public struct RoomSound: Sendable, Equatable {
    /// The level of a steady sound with the same energy (IEC 61672-1, the equivalent continuous level).
    public var equivalent: Double
    /// The level that is exceeded a tenth of the time: the loud moments.
    public var loud: Double
    /// The level that is exceeded half of the time.
    public var usual: Double
    /// The level that is exceeded nine tenths of the time: the background.
    public var background: Double

    /// The levels of a room.
    ///
    /// - Parameter levels: dB, at equal intervals; those that are not numbers are left out.
    /// - Returns: nil for none.
    public init?(_ levels: [Double]) {
        let sorted = levels.filter { $0.isFinite }.sorted()
        guard let loud = quantile(sorted: sorted, 0.9), let usual = quantile(sorted: sorted, 0.5),
            let background = quantile(sorted: sorted, 0.1)
        else { return nil }
        var energy = 0.0
        for level in sorted { energy += exp(level / 10 * RoomSound.ln10) }
        equivalent = 10 * log(energy / Double(sorted.count)) / RoomSound.ln10
        self.loud = loud
        self.usual = usual
        self.background = background
    }

    private static let ln10 = 2.302585092994046
}

/// The reverberation time of a room after a clap.
public struct ReverberationTime: Sendable, Equatable {
    /// The time in which the sound would fall by 60 dB, s.
    public var seconds: Double
    /// The uncertainty, s: twice the standard error.
    public var uncertainty: Double

    /// The time from the fall between 5 and 25 dB below the loudest level, three times as far (ISO 3382-2, clause 6.3:
    /// T₂₀).
    ///
    /// - Parameters:
    ///   - times: microseconds, rising.
    ///   - levels: dB; as many.
    /// - Returns: nil where the level does not fall by 25 dB, or there are fewer than 3 in between.
    public init?(times: [Int64], levels: [Double]) {
        guard times.count == levels.count, let peak = levels.indices.max(by: { levels[$0] < levels[$1] }) else {
            return nil
        }
        var (x, y) = ([Double](), [Double]())
        var hasFallen = false
        for place in peak..<levels.count {
            let fall = levels[peak] - levels[place]
            if fall >= 25 {
                hasFallen = true
                break
            }
            guard fall >= 5 else { continue }
            x.append(Double(times[place].minusClamped(times[peak])) / 1_000_000)
            y.append(levels[place])
        }
        guard hasFallen, let line = LeastSquaresLine(x: x, y: y), line.slope < 0 else { return nil }
        seconds = -60 / line.slope
        uncertainty = 2 * 60 * line.slopeError / (line.slope * line.slope)
    }
}
