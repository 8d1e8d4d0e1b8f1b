import Wire

/// A quantity that a sensor can measure, with a known unit.
public enum Quantity: UInt8, CaseIterable, Sendable {
    /// Water in the soil, percent of what the sensor can tell.
    case moisture
    /// Relative humidity of the air, percent.
    case humidity
    /// Charge of the sensor's battery, percent.
    case battery
    /// The capacitance of a soil probe, raw counts: about 300 dry to 1000 wet on the seesaw sensor.
    case capacitance
    /// Temperature, degrees Celsius.
    case temperature
    /// Illuminance, lux.
    case light
    /// Electrical conductivity of the soil, microsiemens per centimetre.
    case conductivity
    /// The air pressure, in hectopascals.
    case pressure

    /// Finds a quantity by its name, or by the one that Zigbee2MQTT and ESPHome's examples have for it; nil for a name
    /// without a known unit.
    public init?(name: Span<UInt8>) {
        // By number: `allCases` would make an array for each reading.
        var number: UInt8 = 0
        while let quantity = Quantity(rawValue: number) {
            if matches(name, quantity.name) {
                self = quantity
                return
            }
            number += 1
        }
        if matches(name, "soil_moisture") {
            self = .moisture
        } else if matches(name, "illuminance") {
            self = .light
        } else {
            return nil
        }
    }

    /// The name in topics, in messages and in the store.
    public var name: StaticString {
        switch self {
        case .moisture: "moisture"
        case .humidity: "humidity"
        case .battery: "battery"
        case .capacitance: "capacitance"
        case .temperature: "temperature"
        case .light: "light"
        case .conductivity: "conductivity"
        case .pressure: "pressure"
        }
    }

    /// The unit as it is shown, UTF-8; empty for raw counts.
    public var unit: StaticString {
        switch self {
        case .moisture, .humidity, .battery: "%"
        case .capacitance: ""
        case .temperature: "°C"
        case .light: "lx"
        case .conductivity: "µS/cm"
        case .pressure: "hPa"
        }
    }

    /// The values that a working sensor in or around a house can report; others are refused as absurd.
    ///
    /// Wide enough for every sensor known to us, narrow enough for their error values: -127 °C of a DS18B20, 65535
    /// of a seesaw, 0 hPa of a barometer that is not there.
    public var plausible: ClosedRange<Double> {
        switch self {
        case .moisture, .humidity, .battery: 0...100
        case .capacitance: 0...4_095
        case .temperature: -60...100
        case .light: 0...200_000
        case .conductivity: 0...30_000
        case .pressure: 300...1_200
        }
    }

    /// The values accepted for a quantity without a unit.
    public static let plausibleUnknown = -1e12...1e12

    /// Whether a series can have this name: 1 to 32 of `a-z`, `0-9`, `_` and `-`, and none of the names that mean
    /// something else below a device's topic (`readings`, `errors`) or in a message (`at`, `value`).
    public static func isName(_ name: Span<UInt8>) -> Bool {
        guard (1...32).contains(name.count) else { return false }
        for index in 0..<name.count {
            switch name[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return !matches(name, "readings") && !matches(name, "errors") && !matches(name, "at")
            && !matches(name, "value")
    }
}
