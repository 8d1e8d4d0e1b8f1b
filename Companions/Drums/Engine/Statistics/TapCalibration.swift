/// The calibration of the latency that a screen, a keyboard or a MIDI kit adds to a tap, found by tapping along.
///
/// Nobody hits a click exactly, and a tap now and then goes wrong, so it is the median of at least ``leastTaps`` of
/// them. Tapping blind to clicks gives what sound and input take together; tapping to flashes without sound, what
/// display and input take; the second less the first is how far picture and sound are apart. People tap some 20 to 50
/// ms before a click (Aschersleben, “Temporal Control of Movements in Sensorimotor Synchronization”, Brain and
/// Cognition 48, 2002): that is in both, and cancels only in their difference.
public enum TapCalibration {
    /// The least number of taps: with fewer, one wrong tap moves the median.
    public static let leastTaps = 8
    /// The most taps that are looked at.
    public static let mostTaps = 64
    /// The widest distance of the quartiles, tenths of milliseconds: with a wider one, the taps did not follow the
    /// click.
    public static let widestSpreadTenths: Int32 = 1_200

    /// The distance of a tap from the click nearest to it, in tenths of milliseconds; negative is before it.
    ///
    /// - Parameters:
    ///   - tap: microseconds since the first click.
    ///   - period: microseconds from click to click; 0 for none.
    public static func offsetTenths(ofTap tap: Int64, period: Int64) -> Int32 {
        guard period > 0 else { return 0 }
        var rest = tap % period
        if rest < 0 { rest += period }
        if rest >= period - rest { rest -= period }
        return Int32(clamping: (rest + (rest < 0 ? -50 : 50)) / 100)
    }

    /// The median and quartiles of taps.
    ///
    /// - Parameter offsets: tenths of milliseconds, of which the last ``mostTaps`` count.
    /// - Throws: ``CalibrationError`` where they say too little.
    public static func latency(of offsets: [Int32]) throws(CalibrationError) -> Distribution {
        guard offsets.count >= leastTaps else { throw .tooFewTaps(offsets.count) }
        // As microseconds, of which a tenth of a millisecond has a hundred.
        let microseconds = offsets.suffix(mostTaps).map { Int32(clamping: Int64($0) * 100) }
        guard let latency = Distribution(microseconds: microseconds) else { throw .tooFewTaps(0) }
        let range = Int64(latency.upperQuartileTenths) - Int64(latency.lowerQuartileTenths)
        guard range <= Int64(widestSpreadTenths) else { throw .tooScattered(tenths: Int32(clamping: range)) }
        return latency
    }
}

/// The reason why taps give no latency.
public enum CalibrationError: Error, Sendable, Equatable {
    /// The number of taps, which is less than ``TapCalibration/leastTaps``.
    case tooFewTaps(Int)
    /// The distance of the quartiles, which is too wide.
    case tooScattered(tenths: Int32)
}
