/// A stored measurement.
public struct Reading: Sendable, Equatable {
    /// The id of the series.
    public var series: Int64
    /// The time of the measurement in UTC milliseconds, unique within the series.
    public var at: Int64
    /// The measured value.
    public var value: Double
    /// Whether the hub chose the time: such a reading is moved on by a millisecond if another has its time already.
    public var isTimeAssigned: Bool

    /// Creates a reading.
    public init(series: Int64, at: Int64, value: Double, isTimeAssigned: Bool = false) {
        self.series = series
        self.at = at
        self.value = value
        self.isTimeAssigned = isTimeAssigned
    }
}

/// A series: the readings of one quantity of one device.
public struct SeriesRecord: Sendable, Equatable {
    /// The id.
    public var id: Int64
    /// The id of the household.
    public var household: String
    /// The id of the device.
    public var device: String
    /// The name of the quantity.
    public var quantity: String
    /// The unit; nil for a quantity that no companion knows.
    public var unit: String?

    /// Creates a record.
    public init(id: Int64, household: String, device: String, quantity: String, unit: String?) {
        self.id = id
        self.household = household
        self.device = device
        self.quantity = quantity
        self.unit = unit
    }
}

/// The intervals by which readings are summarised as they arrive, in milliseconds.
public enum RollupSpan: Int64, Sendable, CaseIterable {
    case minute = 60_000
    case hour = 3_600_000
    case day = 86_400_000
}

/// The summary of the readings in an interval.
public struct Bucket: Sendable, Equatable {
    /// The start of the interval, in UTC milliseconds.
    public var start: Int64
    /// The number of readings, at least one.
    public var count: Int
    /// The minimum.
    public var low: Double
    /// The maximum.
    public var high: Double
    /// The sum of the values.
    public var sum: Double
    /// The arithmetic mean.
    public var mean: Double { sum / Double(count) }

    /// Creates a summary.
    public init(start: Int64, count: Int, low: Double, high: Double, sum: Double) {
        self.start = start
        self.count = count
        self.low = low
        self.high = high
        self.sum = sum
    }

    init(start: Int64, _ value: Double) { self.init(start: start, count: 1, low: value, high: value, sum: value) }

    mutating func add(_ value: Double) {
        count += 1
        low = min(low, value)
        high = max(high, value)
        sum += value
    }

    mutating func add(_ other: Bucket) {
        count += other.count
        low = min(low, other.low)
        high = max(high, other.high)
        sum += other.sum
    }
}
