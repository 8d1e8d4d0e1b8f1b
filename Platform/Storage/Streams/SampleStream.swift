/// A stream of samples that a kind of device sends: many a second, on several axes that belong together. Scalar
/// readings, in contrast, are a row each.
public struct SampleStream: Sendable, Equatable {
    /// The name within the device, such as `motion`.
    public var name: String
    /// The axes, in their order within blocks.
    public var axes: [StreamAxis]
    /// The pause above which there is a gap, in microseconds: a few times the interval of the slowest device.
    public var gapMicroseconds: Int64
    /// The times for which it is stored.
    public var retention: StreamRetention

    /// Declares a stream.
    public init(
        name: String, axes: [StreamAxis], gapMicroseconds: Int64, retention: StreamRetention = StreamRetention()
    ) {
        self.name = name
        self.axes = axes
        self.gapMicroseconds = gapMicroseconds
        self.retention = retention
    }
}

/// One axis of a stream.
public struct StreamAxis: Sendable, Equatable {
    /// The name, such as `x`.
    public var name: String
    /// The unit of the values, such as `m/s²`; nil for none.
    public var unit: String?
    /// The resolution in the unit: values are stored as whole multiples of it. It is what the sensor itself
    /// distinguishes.
    public var resolution: Double

    /// Declares an axis.
    public init(name: String, unit: String? = nil, resolution: Double) {
        self.name = name
        self.unit = unit
        self.resolution = resolution
    }

    /// A value as a multiple of the resolution; nil if it is not a number, or too large.
    public func multiple(of value: Double) -> Int64? {
        let multiple = (value / resolution).rounded()
        return abs(multiple) <= 2_147_483_648 ? Int64(multiple) : nil
    }

    /// A multiple of the resolution as a value in the unit.
    public func value(_ multiple: Int64) -> Double { Double(multiple) * resolution }
}

/// The times for which samples are stored; nil for ever.
public struct StreamRetention: Sendable, Equatable {
    /// The time for which samples are stored, in days.
    public var sampleDays: Int?
    /// The time for which summaries are stored, in days.
    public var summaryDays: Int?

    /// Creates times; nil stands for ever.
    public init(sampleDays: Int? = nil, summaryDays: Int? = nil) {
        self.sampleDays = sampleDays
        self.summaryDays = summaryDays
    }
}

/// A stored stream of one device.
public struct StreamRecord: Sendable, Equatable {
    /// The id.
    public var id: Int64
    /// The id of the household.
    public var household: String
    /// The id of the device.
    public var device: String
    /// The name of the stream.
    public var name: String
    /// The pause above which there is a gap, in microseconds.
    public var gapMicroseconds: Int64
    /// The number of values in each sample.
    public var axisCount: Int
}

/// The outcome of appending the samples of a block.
public struct AppendedSamples: Sendable, Equatable {
    /// The number of samples that were stored.
    public var stored = 0
    /// The number of samples at times that had one already; the first ones stay.
    public var known = 0
    /// The number of samples that are older than the stream is kept.
    public var expired = 0

    /// Creates an outcome.
    public init(stored: Int = 0, known: Int = 0, expired: Int = 0) {
        self.stored = stored
        self.known = known
        self.expired = expired
    }
}

/// The reason why samples cannot be stored.
public enum StreamError: Error, Equatable, CustomStringConvertible {
    /// The block has another number of axes than the stream.
    case axisCount(expected: Int, found: Int)

    public var description: String {
        switch self {
        case .axisCount(let expected, let found): "A sample of this stream has \(expected) values, and not \(found)."
        }
    }
}
