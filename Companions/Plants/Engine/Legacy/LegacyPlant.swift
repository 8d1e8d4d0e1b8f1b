import Wire

/// A plant as the original stores it: a name and a text that lists its sensors.
public struct LegacyPlant: Equatable, Sendable {
    /// The name, UTF-8.
    public var name: [UInt8]
    /// The text of `Sensors` as it was sent: usually a JSON array in a string, `["36", "37"]`, in the documentation
    /// also a bare id, `test id`.
    public var sensors: [UInt8]

    /// A plant.
    public init(name: [UInt8], sensors: [UInt8]) {
        self.name = name
        self.sensors = sensors
    }

    /// The ids of its sensors. Any text is accepted as an id; whether the sensor answers is seen when it is read.
    public var sensorIDs: [[UInt8]] {
        Self.ids(in: sensors) ?? (sensors.isEmpty ? [] : [sensors])
    }

    /// The elements of a JSON array of strings (or numbers); nil if the text is not such an array.
    static func ids(in text: [UInt8]) -> [[UInt8]]? {
        var reader = JSONReader(depthLimit: 2, sizeLimit: LegacyGardenFile.longest)
        var ids: [[UInt8]] = []
        do throws(JSONError) {
            guard try reader.next(in: text.span) == .arrayStart else { return nil }
            while true {
                switch try reader.next(in: text.span) {
                case .string(let range): ids.append(JSONReader.unescaped(range, in: text.span))
                case .number(let range): ids.append(Array(text[range]))
                case .arrayEnd: return try reader.next(in: text.span) == .end ? ids : nil
                default: return nil
                }
            }
        } catch {
            return nil
        }
    }

    /// Writes `{"Sensors": "[\"36\"]", "Name": "Fern"}`, spaced and escaped as Python's `json.dumps` does.
    func write(to text: inout TextWriter) {
        text.write("{\"Sensors\": ")
        text.write(jsonString: sensors.span, asciiOnly: true)
        text.write(", \"Name\": ")
        text.write(jsonString: name.span, asciiOnly: true)
        text.write("}")
    }
}

/// The current value of a legacy plant's sensor.
public struct LegacySensorValue: Equatable, Sendable {
    /// The raw capacitance, about 300 (dry) to 1000 (wet); nil if the sensor has none.
    public var capacitance: Double?
    /// The moisture in percent, for a sensor that has no raw value.
    public var moisturePercent: Double?
    /// The temperature in degrees Celsius; nil if there is none.
    public var temperatureCelsius: Double?

    /// Creates a value; one of the first two is needed for an answer.
    public init(capacitance: Double? = nil, moisturePercent: Double? = nil, temperatureCelsius: Double? = nil) {
        self.capacitance = capacitance
        self.moisturePercent = moisturePercent
        self.temperatureCelsius = temperatureCelsius
    }

    /// The moisture as the original shows it: `round((raw - 300) * 10 / 700)`, halves to even as in Python, or a tenth
    /// of the percentage. Nil if nothing is known.
    public var moistureTenths: Int64? {
        let tenths: Double
        if let capacitance {
            tenths = (capacitance - 300) * 10 / 700
        } else if let moisturePercent {
            tenths = moisturePercent / 10
        } else {
            return nil
        }
        guard tenths.magnitude < 1e6 else { return nil }
        return Int64(tenths.rounded(.toNearestOrEven))
    }

    /// The temperature in degrees Fahrenheit, cut off towards zero as the original does.
    public var fahrenheit: Int64? {
        guard let celsius = temperatureCelsius, celsius.magnitude < 1e6 else { return nil }
        return Int64(celsius * 9 / 5 + 32)
    }
}
