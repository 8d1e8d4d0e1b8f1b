/// The scale of a soil probe, which converts its raw value to percent: the values in air and in water.
///
/// A probe may count up or down as the soil gets wetter: seesaw sensors count up, most boards with a voltage output
/// down.
public struct MoistureScale: Equatable, Sendable {
    /// The raw value of a dry probe.
    public let dry: Double
    /// The raw value of a probe in water.
    public let wet: Double

    /// The scale of the seesaw sensor, which counts about 300 in air and in bone-dry soil and about 1000 in water; the
    /// original divides it into ten steps, this into a hundred. Source: sensors.py of Plant-Tracker 1.0.0.
    public static let seesaw = MoistureScale(counted: 300, to: 1_000)
    /// The scale of a sensor that reports percent itself.
    public static let percent = MoistureScale(counted: 0, to: 100)

    private init(counted dry: Double, to wet: Double) { (self.dry, self.wet) = (dry, wet) }

    /// The reason why two values do not make a scale.
    public enum Failure: Error, Equatable, Sendable {
        /// A value is not a number, or outside of what such a probe can report.
        case outOfRange
        /// The values are less than a tenth of the usual span apart: the probe was hardly in the water, or not dry.
        case tooNear
    }

    /// Creates a scale from measured values.
    ///
    /// - Parameters:
    ///   - dry: the raw value of a dry probe.
    ///   - wet: the raw value of a probe in water.
    ///   - usual: the scale of such probes; a tenth of its span is the least that is accepted.
    ///   - plausible: the values that such a probe can report.
    public init(dry: Double, wet: Double, usual: MoistureScale, plausible: ClosedRange<Double>) throws(Failure) {
        guard plausible.contains(dry), plausible.contains(wet) else { throw .outOfRange }
        guard (wet - dry).magnitude * 10 >= (usual.wet - usual.dry).magnitude else { throw .tooNear }
        (self.dry, self.wet) = (dry, wet)
    }

    /// The moisture in percent, 0...100, for a raw value.
    public func percent(raw: Double) -> Double { min(max((raw - dry) * 100 / (wet - dry), 0), 100) }

    /// The raw value for a moisture in percent.
    public func raw(percent: Double) -> Double { dry + percent * (wet - dry) / 100 }
}
