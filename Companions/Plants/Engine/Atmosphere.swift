import Signals

/// The vapour pressure deficit in kilopascals: how strongly the air pulls water out of leaves.
///
/// `0.6108 e^(17.27 T / (T + 237.3)) (1 - RH / 100)`, the Tetens equation over water (FAO Irrigation and Drainage Paper
/// 56, equation 11).
public func vapourPressureDeficit(celsius: Double, humidityPercent: Double) -> Double {
    0.6108 * exp(17.27 * celsius / (celsius + 237.3)) * (1 - min(max(humidityPercent, 0), 100) / 100)
}

/// The light of a day: the daily light integral in mol of photons per square metre.
///
/// A lux of daylight is about 0.0185 micromol of photosynthetic photons per square metre and second. Between two
/// readings the light is assumed to change evenly; over a gap nothing is known and nothing is added.
public struct DailyLight: Equatable, Sendable {
    /// Micromol a second and square metre for a lux of daylight.
    public static let photonsPerLux = 0.0185
    /// The greatest plausible integral, in mol per square metre: a sensor that says more is wrong.
    public static let most = 65.0

    /// The integral so far, mol a square metre, at most ``most``.
    public var molPerSquareMetre: Double { min(sum, Self.most) }
    /// The time that the integral covers, in milliseconds.
    public private(set) var covered: Int64 = 0

    private let longestGap: Int64
    private var sum = 0.0
    private var last: (lux: Double, at: Int64)?

    /// A day without light yet.
    /// - Parameter longestGap: milliseconds between two readings that still belong together; see ``Staleness``.
    public init(longestGap: Int64 = 7_200_000) {
        self.longestGap = longestGap
    }

    /// Takes a reading; readings come in the order of time, and others are passed over.
    public mutating func handle(lux: Double, at: Int64) {
        defer { if at > last?.at ?? .min { last = (max(lux, 0), at) } }
        guard let last, at > last.at, at - last.at <= longestGap else { return }
        let seconds = Double(at - last.at) / 1_000
        sum += (last.lux + max(lux, 0)) / 2 * seconds * Self.photonsPerLux / 1_000_000
        covered += at - last.at
    }

    /// Two days are equal when they cover and hold the same.
    public static func == (left: DailyLight, right: DailyLight) -> Bool {
        left.sum == right.sum && left.covered == right.covered && left.last?.at == right.last?.at
    }
}
