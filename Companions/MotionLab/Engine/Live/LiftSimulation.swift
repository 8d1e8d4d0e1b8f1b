/// A simulated ride in a lift: the readings of a barometer at a time since the start, for people without a phone that
/// has one.
///
/// It waits 4 s, climbs 12 m, waits 6 s above, comes down and begins anew. It speeds up and slows down by 1 m/s² to 1.5
/// m/s, as lifts do.
public enum LiftSimulation {
    /// The time of one ride up and down, seconds.
    public static let period = 2 * (rest + ride) + 2
    /// The height of the climb, m.
    public static let climb = 12.0

    private static let rest = 4.0
    private static let speed = 1.5
    private static let acceleration = 1.0
    /// The time of a climb: 1.5 s to speed up and as long to slow down, and in between at full speed.
    private static let ride = climb / speed + speed / acceleration

    /// The height at a time, m.
    public static func metres(at seconds: Double) -> Double {
        guard seconds.isFinite, seconds > 0 else { return 0 }
        let phase = seconds - (seconds / period).rounded(.down) * period
        if phase < rest { return 0 }
        if phase < rest + ride { return climbed(phase - rest) }
        if phase < period - ride { return climb }
        return climb - climbed(phase - (period - ride))
    }

    /// The pressure at a time, kPa, with a barometer's noise of a pascal; the same each time.
    public static func pressure(at seconds: Double, celsius: Double = Altitude.usualCelsius) -> Double {
        let step = UInt64(max(seconds * 1_000, 0).rounded())
        var mixed = (step &+ 0x9E37_79B9) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 31
        mixed = mixed &* 0x94D0_49BB_1331_11EB
        let noise = Double(mixed >> 40) / Double(1 << 24) - 0.5
        return Altitude.pressure(metres: metres(at: seconds), reference: 101.325, celsius: celsius) + noise * 0.001
    }

    private static func climbed(_ seconds: Double) -> Double {
        let ramp = speed / acceleration
        if seconds < ramp { return acceleration * seconds * seconds / 2 }
        let left = ride - seconds
        if left < ramp { return climb - acceleration * left * left / 2 }
        return speed * (seconds - ramp / 2)
    }
}
