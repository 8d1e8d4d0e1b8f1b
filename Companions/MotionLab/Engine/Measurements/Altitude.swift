import Signals

/// The conversion of air pressure to height.
///
/// The hypsometric equation: h = R T / g ln(p₀ / p), with the gas constant of dry air R = 287.05287 J/(kg K) and g =
/// 9.80665 m/s² (U.S. Standard Atmosphere, 1976), and the temperature of the air between both, which is the one thing
/// in it that a house changes: 10 °C more are 3.5 % more height.
public enum Altitude {
    /// The default temperature, °C.
    public static let usualCelsius = 15.0

    /// The height of a pressure above the reference, m.
    ///
    /// - Parameters:
    ///   - pressure: in any unit, above zero.
    ///   - reference: likewise.
    ///   - celsius: of the air, above -273.15.
    /// - Returns: nil for an impossible pressure or temperature.
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

/// The height above the beginning of a stream of pressures.
public struct RelativeAltitude: Sendable {
    /// The number of pressures at the start whose median is the reference: a single one scatters by half a metre.
    public static let referenceCount = 5

    /// The temperature of the air, °C. Changing it changes what was measured before as well.
    public var celsius: Double
    /// The reference pressure, in the unit of the samples; nil before the first.
    public private(set) var reference: Double?
    /// The latest pressure.
    public private(set) var pressure: Double?

    private var first: [Double] = []

    /// A stream without any pressures.
    public init(celsius: Double = Altitude.usualCelsius) { self.celsius = celsius }

    /// Adds a pressure; an impossible one is ignored.
    public mutating func add(_ pressure: Double) {
        guard pressure > 0, pressure.isFinite else { return }
        self.pressure = pressure
        guard first.count < Self.referenceCount else { return }
        first.append(pressure)
        reference = median(first)
    }

    /// Begins anew with the next pressure.
    public mutating func reset() {
        first = []
        reference = nil
        pressure = nil
    }

    /// The direction from the start.
    public enum Direction: Int8, Sendable {
        case lower = -1
        case level = 0
        case higher = 1
    }

    /// The least height that counts as a climb, m: a phone's barometer scatters by some 2 Pa.
    public static let levelMetres = 0.3

    /// The direction from the start; level before the first pressure.
    public var direction: Direction {
        guard let metres, metres.magnitude >= Self.levelMetres else { return .level }
        return metres > 0 ? .higher : .lower
    }

    /// The height above the start, m; nil before the first pressure.
    public var metres: Double? {
        guard let reference, let pressure else { return nil }
        return Altitude.metres(pressure: pressure, reference: reference, celsius: celsius)
    }
}
