/// What the raw capacitance of a soil probe means.
///
/// The seesaw sensor counts about 300 in air and in bone-dry soil and about 1000 in water; the original divides the
/// span into ten, we into a hundred. Source: sensors.py of Plant-Tracker 1.0.0.
public enum MoistureScale {
    /// Raw counts of a dry probe.
    public static let dry = 300.0
    /// Raw counts of a wet probe.
    public static let wet = 1_000.0

    /// Moisture in percent, 0...100, for a raw capacitance.
    public static func percent(capacitance: Double) -> Double {
        min(max((capacitance - dry) * 100 / (wet - dry), 0), 100)
    }

    /// The raw capacitance of a moisture in percent.
    public static func capacitance(percent: Double) -> Double {
        dry + percent * (wet - dry) / 100
    }
}
