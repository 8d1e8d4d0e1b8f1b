/// One stored measurement.
public struct Reading: Sendable, Equatable {
    public var series: Int64
    /// UTC milliseconds, unique within the series.
    public var at: Int64
    public var value: Double
    /// Whether the hub chose `at`: such a reading moves on by a millisecond where one with its own time already stands.
    public var isTimeAssigned: Bool

    public init(series: Int64, at: Int64, value: Double, isTimeAssigned: Bool = false) {
        self.series = series
        self.at = at
        self.value = value
        self.isTimeAssigned = isTimeAssigned
    }
}

/// What a series measures, and of which device.
public struct SeriesRecord: Sendable, Equatable {
    public var id: Int64
    public var household: String
    public var device: String
    public var quantity: String
    /// Nil for a quantity that no companion knows.
    public var unit: String?

    public init(id: Int64, household: String, device: String, quantity: String, unit: String?) {
        self.id = id
        self.household = household
        self.device = device
        self.quantity = quantity
        self.unit = unit
    }
}

/// The lengths of time over which readings are summed up as they come, in milliseconds.
public enum RollupSpan: Int64, Sendable, CaseIterable {
    case minute = 60_000
    case hour = 3_600_000
    case day = 86_400_000
}

/// A summary of the readings in one stretch of time.
public struct Bucket: Sendable, Equatable {
    /// UTC milliseconds.
    public var start: Int64
    /// How many readings, at least one.
    public var count: Int
    /// The least value.
    public var low: Double
    /// The greatest value.
    public var high: Double
    /// Of all values.
    public var sum: Double
    /// The arithmetic mean; a bucket holds at least one reading.
    public var mean: Double { sum / Double(count) }

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
