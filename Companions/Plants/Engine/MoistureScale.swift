/// What the raw value of a soil probe means in percent: how it reads in air, and how in water.
///
/// A probe may count up or down as the soil gets wetter: seesaw sensors count up, most boards that give a voltage down.
public struct MoistureScale: Equatable, Sendable {
    /// What a dry probe reads.
    public let dry: Double
    /// What a probe in water reads.
    public let wet: Double

    /// The seesaw sensor counts about 300 in air and in bone-dry soil and about 1000 in water; the original divides the
    /// span into ten, we into a hundred. Source: sensors.py of Plant-Tracker 1.0.0.
    public static let seesaw = MoistureScale(counted: 300, to: 1_000)
    /// Of a sensor that says percent by itself.
    public static let percent = MoistureScale(counted: 0, to: 100)

    private init(counted dry: Double, to wet: Double) { (self.dry, self.wet) = (dry, wet) }

    /// Why two values make no scale.
    public enum Failure: Error, Equatable, Sendable {
        /// Not a number, or outside of what such a probe can say.
        case outOfRange
        /// Less than a tenth of the usual span apart: the probe was hardly in the water, or not dry.
        case tooNear
    }

    /// A scale as somebody has measured it.
    /// - Parameters:
    ///   - usual: of such probes; a tenth of its span is the least that tells dry from wet.
    ///   - plausible: what such a probe can say.
    public init(dry: Double, wet: Double, usual: MoistureScale, plausible: ClosedRange<Double>) throws(Failure) {
        guard plausible.contains(dry), plausible.contains(wet) else { throw .outOfRange }
        guard (wet - dry).magnitude * 10 >= (usual.wet - usual.dry).magnitude else { throw .tooNear }
        (self.dry, self.wet) = (dry, wet)
    }

    /// Moisture in percent, 0...100, for what the probe reads.
    public func percent(raw: Double) -> Double { min(max((raw - dry) * 100 / (wet - dry), 0), 100) }

    /// What the probe reads at a moisture in percent.
    public func raw(percent: Double) -> Double { dry + percent * (wet - dry) / 100 }
}
