/// The distance of the sensor of a spinning phone from the axis: the acceleration towards the axis is the square of the
/// rate times the radius, so the radius is the slope of one over the other.
public struct CentripetalSpin: Sendable, Equatable {
    /// The radius, m.
    public var radius: Double
    /// The uncertainty, m: twice the standard error.
    public var uncertainty: Double
    /// The share of the variance of the acceleration that the rate explains, 0 to 1.
    public var explained: Double

    /// The radius by a series of rates and accelerations.
    ///
    /// - Parameters:
    ///   - rates: rad/s, at least 8.
    ///   - accelerations: towards the axis, without gravity, g; as many.
    /// - Returns: nil for fewer, and where it never spun.
    public init?(rates: [Double], accelerations: [Double]) {
        guard rates.count == accelerations.count, rates.count >= 8 else { return nil }
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for place in rates.indices {
            let square = rates[place] * rates[place]
            let acceleration = accelerations[place] * SensorSource.standardGravity
            xx += square * square
            xy += square * acceleration
            yy += acceleration * acceleration
        }
        // A quarter of a radian a second, on the average, is no spin.
        guard xx > Double(rates.count) * 0.004, xy.isFinite else { return nil }
        // Through the origin: at rest there is none.
        let slope = xy / xx
        radius = slope
        let rest = max(yy - slope * xy, 0)
        uncertainty = 2 * (rest / Double(rates.count - 1) / xx).squareRoot()
        explained = yy > 0 ? max(1 - rest / yy, 0) : 0
    }
}
