/// A stream of samples that a kind of device sends: many a second, on several axes, which belong together. Beside scalar
/// readings, which are a row each.
public struct SampleStream: Sendable, Equatable {
    /// Within the device: `motion`.
    public var name: String
    /// In the order in which blocks have them.
    public var axes: [StreamAxis]
    /// A pause longer than this is a gap, microseconds. A few times the interval of the slowest device.
    public var gapMicroseconds: Int64
    /// How long it is stored.
    public var retention: StreamRetention

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
    /// Such as `x`.
    public var name: String
    /// Of its values, such as `m/s²`; nil for none.
    public var unit: String?
    /// Values are stored as whole multiples of it, in the unit: what the sensor itself distinguishes.
    public var resolution: Double

    public init(name: String, unit: String? = nil, resolution: Double) {
        self.name = name
        self.unit = unit
        self.resolution = resolution
    }

    /// A value as a multiple of the resolution; nil for one that is no number, or too large.
    public func multiple(of value: Double) -> Int64? {
        let multiple = (value / resolution).rounded()
        return abs(multiple) <= 2_147_483_648 ? Int64(multiple) : nil
    }

    /// A multiple of the resolution as a value in the unit.
    public func value(_ multiple: Int64) -> Double { Double(multiple) * resolution }
}

/// How long samples are stored; nil for ever.
public struct StreamRetention: Sendable, Equatable {
    /// The samples themselves, days.
    public var sampleDays: Int?
    /// Their summaries, days.
    public var summaryDays: Int?

    public init(sampleDays: Int? = nil, summaryDays: Int? = nil) {
        self.sampleDays = sampleDays
        self.summaryDays = summaryDays
    }
}

/// A stream of one device at rest.
public struct StreamRecord: Sendable, Equatable {
    public var id: Int64
    public var household: String
    public var device: String
    public var name: String
    /// A pause longer than this is a gap, microseconds.
    public var gapMicroseconds: Int64
    /// How many values each sample has.
    public var axisCount: Int
}

/// What became of the samples of a block.
public struct AppendedSamples: Sendable, Equatable {
    /// Stored now.
    public var stored = 0
    /// At times that were stored before: the first ones stand.
    public var known = 0
    /// Older than what the stream keeps.
    public var expired = 0

    public init(stored: Int = 0, known: Int = 0, expired: Int = 0) {
        self.stored = stored
        self.known = known
        self.expired = expired
    }
}

/// Why samples cannot be stored.
public enum StreamError: Error, Equatable, CustomStringConvertible {
    /// The block has another number of axes than the stream.
    case axisCount(expected: Int, found: Int)

    public var description: String {
        switch self {
        case .axisCount(let expected, let found): "A sample of this stream has \(expected) values, and not \(found)."
        }
    }
}
