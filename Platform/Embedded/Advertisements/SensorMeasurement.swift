import Wire

/// A quantity that a Bluetooth sensor broadcasts, with its unit.
public enum SensorQuantity: UInt8, CaseIterable, Sendable {
    /// Water in the soil, percent of what the sensor can tell.
    case moisture
    /// The temperature, degrees Celsius.
    case temperature
    /// The illuminance, lux.
    case illuminance
    /// The electrical conductivity of the soil, microsiemens per centimetre.
    case conductivity
    /// The charge of the battery, percent.
    case battery
    /// The relative humidity of the air, percent.
    case humidity
    /// The pressure of the air, hectopascals.
    case pressure
    /// The voltage of the battery, volts.
    case voltage

    /// The name in messages: that of a series of Tandem where it has one, or another name that it reads.
    public var name: StaticString {
        switch self {
        case .moisture: "moisture"
        case .temperature: "temperature"
        case .illuminance: "illuminance"
        case .conductivity: "conductivity"
        case .battery: "battery"
        case .humidity: "humidity"
        case .pressure: "pressure"
        case .voltage: "voltage"
        }
    }

    /// The values that a working sensor in or around a house can report, in thousandths of the unit.
    public var plausible: ClosedRange<Int64> {
        switch self {
        case .moisture, .battery, .humidity: 0...100_000
        case .temperature: -60_000...100_000
        case .illuminance: 0...200_000_000
        case .conductivity: 0...30_000_000
        case .pressure: 300_000...1_200_000
        case .voltage: 0...60_000
        }
    }
}

/// A measurement that a sensor broadcast.
public struct SensorMeasurement: Equatable, Sendable {
    /// The quantity.
    public let quantity: SensorQuantity
    /// The place among measurements of the same quantity in one advertisement, from 0: a sensor with a second probe sends two.
    public let ordinal: UInt8
    /// The value in thousandths of the quantity's unit.
    public let thousandths: Int64

    /// Creates a measurement; nil where no working sensor reports the value.
    public init?(_ quantity: SensorQuantity, thousandths: Int64, ordinal: UInt8 = 0) {
        guard quantity.plausible.contains(thousandths) else { return nil }
        self.quantity = quantity
        self.ordinal = ordinal
        self.thousandths = thousandths
    }
}

extension [SensorMeasurement] {
    /// Appends a value in thousandths of its unit, with the next ordinal of its quantity; an implausible one is put aside.
    mutating func append(_ quantity: SensorQuantity, thousandths: Int64) {
        var ordinal: UInt8 = 0
        for measurement in self where measurement.quantity == quantity { ordinal = ordinal &+ 1 }
        guard let measurement = SensorMeasurement(quantity, thousandths: thousandths, ordinal: ordinal) else { return }
        append(measurement)
    }
}

/// The value of a single-precision number in thousandths, rounded, halves away from zero (IEEE 754-2019, 3.4); nil where it
/// is no number or too large.
func thousandths(ofSingle bits: UInt32) -> Int64? {
    let exponent = Int(bits >> 23 & 0xFF)
    guard exponent < 255 else { return nil }
    guard exponent > 0 else { return 0 }
    let scaled = Int64(bits & 0x7F_FFFF | 0x80_0000) * 1_000
    let shift = exponent - 150
    let magnitude: Int64
    if shift >= 0 {
        guard shift <= 28 else { return nil }
        magnitude = scaled << Int64(shift)
    } else if shift < -40 {
        magnitude = 0
    } else {
        magnitude = (scaled + (1 << Int64(-shift - 1))) >> Int64(-shift)
    }
    return bits >> 31 == 1 ? -magnitude : magnitude
}
