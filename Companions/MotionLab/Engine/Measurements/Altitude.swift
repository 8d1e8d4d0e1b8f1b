import Signals

/// Heights from the pressure of the air.
///
/// The hypsometric equation: h = R T / g ln(p₀ / p), with the gas constant of dry air R = 287.05287 J/(kg K) and g =
/// 9.80665 m/s² (U.S. Standard Atmosphere, 1976), and the temperature of the air between both, which is the one thing
/// in it that a house changes: 10 °C more are 3.5 % more height.
public enum Altitude {
    /// What is taken where nobody said another, °C.
    public static let usualCelsius = 15.0

    /// How much higher the pressure is found than the reference, m.
    ///
    /// - Parameters:
    ///   - pressure: in any unit, above nought.
    ///   - reference: likewise.
    ///   - celsius: of the air, above -273.15.
    /// - Returns: nil for what is no pressure or no temperature.
    public static func metres(pressure: Double, reference: Double, celsius: Double = usualCelsius) -> Double? {
        guard pressure > 0, reference > 0, pressure.isFinite, reference.isFinite, celsius > -273.15, celsius < 1_000
        else { return nil }
        return 287.05287 / 9.80665 * (celsius + 273.15) * log(reference / pressure)
    }

    /// The pressure at a height above that of a reference, in the reference's unit.
    public static func pressure(metres: Double, reference: Double, celsius: Double = usualCelsius) -> Double {
        reference * exp(-metres * 9.80665 / (287.05287 * (celsius + 273.15)))
    }
}

/// The height above where a stream of pressures began.
public struct RelativeAltitude: Sendable {
    /// So many pressures at the start are the reference, by their median: a single one scatters by half a metre.
    public static let referenceCount = 5

    /// Of the air, °C. Changing it changes what was measured before as well.
    public var celsius: Double
    /// In the unit of what was added; nil before the first.
    public private(set) var reference: Double?
    /// What was added last.
    public private(set) var pressure: Double?

    private var first: [Double] = []

    public init(celsius: Double = Altitude.usualCelsius) { self.celsius = celsius }

    /// Takes a pressure; what is none is passed over.
    public mutating func add(_ pressure: Double) {
        guard pressure > 0, pressure.isFinite else { return }
        self.pressure = pressure
        guard first.count < Self.referenceCount else { return }
        first.append(pressure)
        reference = median(first)
    }

    /// Begins anew from here.
    public mutating func reset() {
        first = []
        reference = nil
        pressure = nil
    }

    /// Whether it is higher than the start, or lower.
    public enum Direction: Int8, Sendable {
        case lower = -1
        case level = 0
        case higher = 1
    }

    /// Less than this is no climb, m: a phone's barometer scatters by some 2 Pa.
    public static let levelMetres = 0.3

    /// Where that is to the start; level before the first pressure.
    public var direction: Direction {
        guard let metres, metres.magnitude >= Self.levelMetres else { return .level }
        return metres > 0 ? .higher : .lower
    }

    /// Above the start, m; nil before the first pressure.
    public var metres: Double? {
        guard let reference, let pressure else { return nil }
        return Altitude.metres(pressure: pressure, reference: reference, celsius: celsius)
    }
}
