import Wire

/// An experiment of a file: the sensors that are measured, the formulas and the plots.
///
/// The file is JSON, at most 64 KB:
///
///     {"tandemExperiment": 1, "slug": "pendulum", "title": "Pendulum", "seconds": 30, "analysis": "pendulum",
///     "sensors": [{"sensor": "gyroscope", "hertz": 100}], "parameters": [{"name": "length", "unit": "m", "value": 0.5,
///     "least": 0.05, "most": 20}], "formulas": [{"name": "speed", "unit": "rad/s", "formula":
///     "sqrt(gyroscope.x*gyroscope.x)"}], "plots": [{"title": "Swing", "x": "time", "y": ["speed"]}]}
///
/// `tandemExperiment` is the version of the format and stands first. A formula (see ``Formula``) may use `time` (s from
/// the start), each axis of the sensors (`gyroscope.x`), the parameters, and the formulas before it; so may a plot.
/// `hertz` may be left out: as many as the device gives. An unknown member is an error, for a file of a later version
/// would be misunderstood.
public struct Experiment: Sendable, Equatable {
    /// A sensor that is to be read.
    public struct Sensor: Sendable, Equatable {
        /// The sensor.
        public var kind: SensorKind
        /// The samples a second; nil for as many as the device gives.
        public var hertz: Double?
    }

    /// A number that the person enters, such as a length.
    public struct Parameter: Sendable, Equatable {
        /// The name, as formulas use it.
        public var name: [UInt8] = []
        /// The unit, UTF-8.
        public var unit: [UInt8] = []
        /// The value before the person enters one.
        public var value = 0.0
        /// The least value.
        public var least = -1e9
        /// The greatest value.
        public var most = 1e9
    }

    /// A channel that is computed.
    public struct Computed: Sendable, Equatable {
        /// The name, as later formulas and plots use it.
        public var name: [UInt8]
        /// The unit, UTF-8.
        public var unit: [UInt8]
        /// The text of the formula, as it stands in the file.
        public var text: [UInt8]
        /// The formula.
        public var formula: Formula
    }

    /// A chart.
    public struct Plot: Sendable, Equatable {
        /// The title, UTF-8.
        public var title: [UInt8] = []
        /// The channel across, an index into ``Experiment/channels``.
        public var x = 0
        /// The channels of the lines, indices into ``Experiment/channels``.
        public var y: [Int] = []
        /// Whether it is drawn over time, the first channel.
        var isOverTime: Bool { x == 0 }
    }

    /// The analysis of the whole recording at its end.
    public enum Analysis: UInt8, Sendable, CaseIterable {
        case none, pendulum, freeFall, lift, spin, sound, spectrum

        /// The name in files.
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

    /// The limits of an experiment.
    public enum Limits {
        /// The most bytes of the file.
        public static let bytes = 64 << 10
        /// The most sensors.
        public static let sensors = 8
        /// The most parameters.
        public static let parameters = 8
        /// The most formulas.
        public static let formulas = 24
        /// The most plots.
        public static let plots = 12
        /// The most lines of a plot.
        public static let linesOfAPlot = 8
        /// The most bytes of a title.
        public static let titleBytes = 120
        /// The longest recording, seconds.
        public static let seconds = 7_200.0
        /// The highest rate, samples a second.
        public static let hertz = 1_000.0
    }

    /// The identifier in addresses and recordings: small letters, digits and hyphens.
    public internal(set) var slug: [UInt8] = []
    /// The title, UTF-8.
    public internal(set) var title: [UInt8] = []
    /// The time after which the recording ends by itself.
    public internal(set) var seconds = 60.0
    /// The analysis at the end.
    public internal(set) var analysis = Analysis.none
    /// The sensors that are read.
    public internal(set) var sensors: [Sensor] = []
    /// The parameters that the person enters.
    public internal(set) var parameters: [Parameter] = []
    /// The computed channels.
    public internal(set) var formulas: [Computed] = []
    /// The charts.
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
    ///   - parameters: as the person entered them, each clamped to its limits; the file's own where there are fewer.
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
