/// A piece of a motion, as the accelerometer feels it; thousandths of g and milliseconds.
public enum MotionSegment: Equatable, Sendable {
    /// The toy lies still.
    case rest(UInt32)
    /// A push upwards by a hand, a half sine of this height above gravity.
    case push(UInt32, peak: Int32)
    /// The toy flies; one that spins feels this much.
    case flight(UInt32, spin: Int32 = 60)
    /// A landing or a catch: a half sine of this height, and then as much of it the other way.
    case impact(UInt32, peak: Int32)
    /// A shake to and fro along x, this often a second, tenths of hertz.
    case shake(UInt32, peak: Int32, tenthsOfHertz: UInt32)
    /// The steps of a walk, felt in a bag: up with this height for 55 hundredths of each step, and lighter the more for
    /// the rest of it.
    case steps(UInt32, peak: Int32, stepTime: UInt32)
    /// A drive in a car: swaying and a rough road.
    case car(UInt32, roughness: Int32)

    var duration: UInt32 {
        switch self {
        case .rest(let time), .push(let time, _), .flight(let time, _), .impact(let time, _), .shake(let time, _, _),
            .steps(let time, _, _), .car(let time, _):
            time
        }
    }

    /// The acceleration at a time within it.
    func acceleration(at time: UInt32, noise: Int32) -> (x: Int32, y: Int32, z: Int32) {
        switch self {
        case .rest: return (0, 0, 1_000)
        case .push(let duration, let peak):
            return (0, 0, 1_000 + peak * Self.sine(time * 180 / max(duration, 1)) / 1_000)
        case .flight(_, let spin): return (spin, 0, 0)
        case .impact(let duration, let peak):
            return (
                peak / 4 * Self.sine(time * 360 / max(duration, 1)) / 1_000, 0,
                1_000 + peak * Self.sine(time * 360 / max(duration, 1)) / 1_000
            )
        case .shake(_, let peak, let frequency):
            return (peak * Self.sine(time * frequency * 360 / 10_000) / 1_000, 0, 1_000)
        case .steps(_, let peak, let stepTime):
            let phase = time % stepTime
            let stance = stepTime * 55 / 100
            if phase < stance { return (peak / 5, 0, 1_000 + peak * Self.sine(phase * 180 / stance) / 1_000) }
            return (150, 100, max(1_000 - peak / 2, 50))
        case .car(_, let roughness):
            return (
                300 * Self.sine(time * 360 / 4_000) / 1_000 + noise * roughness / 500, noise * roughness / 500,
                1_000 + noise * roughness / 250
            )
        }
    }

    /// A thousand times the sine of an angle in degrees, by Bhaskara's formula: within 0.2 %.
    static func sine(_ degrees: UInt32) -> Int32 {
        let angle = Int32(degrees % 360)
        let half = angle % 180
        let product = half * (180 - half)
        let value = 4_000 * product / (40_500 - product)
        return angle < 180 ? value : -value
    }
}

/// Motions that the tests and the simulator play.
public enum MotionScript {
    /// A throw upwards, caught after a number of milliseconds in the air.
    public static func thrown(flight: UInt32 = 600) -> [MotionSegment] {
        [.push(160, peak: 2_200), .flight(flight), .impact(60, peak: 3_500), .rest(400)]
    }
    /// A throw with a spin.
    public static var spun: [MotionSegment] {
        [.push(160, peak: 2_500), .flight(600, spin: 420), .impact(60, peak: 3_500), .rest(400)]
    }
    /// A fall from a table, with two bounces.
    public static var dropped: [MotionSegment] {
        [
            .rest(200), .flight(390, spin: 30), .impact(24, peak: 9_000), .flight(230), .impact(20, peak: 5_000),
            .flight(120), .impact(20, peak: 2_500), .rest(500),
        ]
    }
    /// A shake by a hand.
    public static var shaken: [MotionSegment] { [.shake(1_500, peak: 2_400, tenthsOfHertz: 40), .rest(300)] }
    /// A walk, in a bag.
    public static var walked: [MotionSegment] { [.steps(20_000, peak: 900, stepTime: 520)] }
    /// A run, in a bag.
    public static var run: [MotionSegment] { [.steps(20_000, peak: 1_800, stepTime: 370)] }
    /// A drive over a bad road.
    public static var driven: [MotionSegment] { [.car(20_000, roughness: 180)] }
    /// A landing on a table, not gently put down.
    public static var putDown: [MotionSegment] {
        [.push(300, peak: 300), .flight(60), .impact(20, peak: 3_000), .rest(500)]
    }
    /// A hand-over from one person to another.
    public static var handedOver: [MotionSegment] {
        [.push(500, peak: 500), .shake(700, peak: 500, tenthsOfHertz: 15), .rest(300)]
    }
}
