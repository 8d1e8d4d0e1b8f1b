import Wire

/// What is measured, computed and drawn, as a file says it.
///
/// The file is JSON, at most 64 KB:
///
///     {"tandemExperiment": 1, "slug": "pendulum", "title": "Pendulum", "seconds": 30, "analysis": "pendulum",
///      "sensors": [{"sensor": "gyroscope", "hertz": 100}],
///      "parameters": [{"name": "length", "unit": "m", "value": 0.5, "least": 0.05, "most": 20}],
///      "formulas": [{"name": "speed", "unit": "rad/s", "formula": "sqrt(gyroscope.x*gyroscope.x)"}],
///      "plots": [{"title": "Swing", "x": "time", "y": ["speed"]}]}
///
/// `tandemExperiment` is the version of the format and stands first. A formula (see ``Formula``) may use `time` (s from
/// the start), each axis of the sensors (`gyroscope.x`), the parameters, and the formulas before it; so may a plot.
/// `hertz` may be left out: as many as the device gives. What is not known is an error, for a file of a later version
/// would be misunderstood.
public struct Experiment: Sendable, Equatable {
    /// A sensor that is to be read.
    public struct Sensor: Sendable, Equatable {
        public var kind: SensorKind
        /// Samples a second; nil for as many as there are.
        public var hertz: Double?
    }

    /// A number that the person enters, such as a length.
    public struct Parameter: Sendable, Equatable {
        public var name: [UInt8] = []
        public var unit: [UInt8] = []
        public var value = 0.0
        public var least = -1e9
        public var most = 1e9
    }

    /// A channel that is computed.
    public struct Computed: Sendable, Equatable {
        public var name: [UInt8]
        public var unit: [UInt8]
        /// As it stands in the file.
        public var text: [UInt8]
        public var formula: Formula
    }

    /// A chart.
    public struct Plot: Sendable, Equatable {
        public var title: [UInt8] = []
        /// A place in ``Experiment/channels``.
        public var x = 0
        public var y: [Int] = []
    }

    /// What is made of the whole recording at its end.
    public enum Analysis: UInt8, Sendable, CaseIterable {
        case none, pendulum, freeFall, lift, spin, sound, spectrum

        /// As files name it.
        public var name: StaticString {
            switch self {
            case .none: "none"
            case .pendulum: "pendulum"
            case .freeFall: "freeFall"
            case .lift: "lift"
            case .spin: "spin"
            case .sound: "sound"
            case .spectrum: "spectrum"
            }
        }
    }

    /// How large an experiment may be.
    public enum Limits {
        public static let bytes = 64 << 10
        public static let sensors = 8
        public static let parameters = 8
        public static let formulas = 24
        public static let plots = 12
        public static let linesOfAPlot = 8
        /// Bytes of a title.
        public static let titleBytes = 120
        public static let seconds = 7_200.0
        public static let hertz = 1_000.0
    }

    /// In addresses and recordings: small letters, digits and hyphens.
    public internal(set) var slug: [UInt8] = []
    /// UTF-8.
    public internal(set) var title: [UInt8] = []
    /// After which the recording ends by itself.
    public internal(set) var seconds = 60.0
    public internal(set) var analysis = Analysis.none
    public internal(set) var sensors: [Sensor] = []
    public internal(set) var parameters: [Parameter] = []
    public internal(set) var formulas: [Computed] = []
    public internal(set) var plots: [Plot] = []

    init() {}

    /// The names of all channels in their order: `time`, the sensors' axes, the parameters, and what is computed.
    public var channels: [[UInt8]] {
        var channels: [[UInt8]] = [letters(of: "time")]
        for sensor in sensors { for axis in sensor.kind.axes { channels.append(Self.channel(sensor.kind, axis)) } }
        for parameter in parameters { channels.append(parameter.name) }
        for formula in formulas { channels.append(formula.name) }
        return channels
    }

    /// The values of all channels at a moment.
    ///
    /// - Parameters:
    ///   - seconds: since the start.
    ///   - axes: of all axes of all sensors, in their order; nil where there is none.
    ///   - parameters: as the person entered them, each held within its limits; the file's own where there are fewer.
    public func values(seconds: Double, axes: [Double?], parameters entered: [Double]) -> [Double?] {
        var values: [Double?] = [seconds]
        var count = 0
        for sensor in sensors { count += sensor.kind.axisCount }
        for place in 0..<count { values.append(place < axes.count ? axes[place] : nil) }
        for (place, parameter) in parameters.enumerated() {
            let value = place < entered.count ? entered[place] : parameter.value
            values.append(value.isFinite ? min(max(value, parameter.least), parameter.most) : parameter.value)
        }
        for computed in formulas { values.append(computed.formula.value(values)) }
        return values
    }

    static func channel(_ kind: SensorKind, _ axis: StaticString) -> [UInt8] {
        var writer = TextWriter()
        writer.write(kind.name)
        writer.write(".")
        writer.write(axis)
        return writer.bytes
    }
}

/// The letters of a literal.
func letters(of text: StaticString) -> [UInt8] {
    var writer = TextWriter()
    writer.write(text)
    return writer.bytes
}
