/// A block of readings of one series, which replaces their rows once they are some days old.
///
/// Unlike a ``SampleBlock`` it has no resolution: every value is restored bit for bit.
public struct ReadingBlock: Sendable {
    /// The number of readings in a block, at most: more than a minute has milliseconds.
    public static let mostReadings = 65_536

    /// The times in UTC milliseconds, ascending; never empty.
    public let times: [Int64]
    /// The values.
    public let values: [Double]

    /// Creates a block.
    ///
    /// - Throws: `ReadingBlockError`.
    public init(times: [Int64], values: [Double]) throws(ReadingBlockError) {
        guard !times.isEmpty, times.count <= Self.mostReadings, times.count == values.count else { throw .count }
        guard Self.rise(times) else { throw .times }
        self.times = times
        self.values = values
    }

    /// Whether times ascend.
    static func rise(_ times: [Int64]) -> Bool {
        for index in 1..<max(times.count, 1) where times[index] <= times[index - 1] { return false }
        return true
    }

    /// Creates a block of readings that were checked before.
    init(unchecked times: [Int64], _ values: [Double]) {
        self.times = times
        self.values = values
    }

    /// The number of readings.
    public var count: Int { times.count }
    /// The time of the first reading, in UTC milliseconds.
    public var first: Int64 { times[0] }
    /// The time of the last reading, in UTC milliseconds.
    public var last: Int64 { times[times.count - 1] }

    /// The index of the first reading at or after a time; ``count`` if all are before it.
    public func place(atOrAfter time: Int64) -> Int { times.place(atOrAfter: time) }

    /// Whether there is a reading at exactly that time.
    public func contains(_ time: Int64) -> Bool {
        let place = place(atOrAfter: time)
        return place < count && times[place] == time
    }

    /// Whether another block has the same times, and the same values bit for bit, including NaN and the sign of zero.
    public func isIdentical(to other: ReadingBlock) -> Bool {
        guard times == other.times, values.count == other.values.count else { return false }
        for index in 0..<values.count where values[index].bitPattern != other.values[index].bitPattern { return false }
        return true
    }
}

/// The reason why readings do not make a block.
public enum ReadingBlockError: Error, Equatable, Sendable {
    /// No readings, more than ``ReadingBlock/mostReadings``, or not the same number of values and times.
    case count
    /// The times do not ascend.
    case times
    /// The bytes are of another version, cut off, or damaged.
    case damaged
}

extension RandomAccessCollection<Int64> where Index == Int {
    /// The index of the first number that is not below another, in ascending numbers.
    func place(atOrAfter number: Int64) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
