/// Readings of one series at rising times: what is stored in place of a row each once they are some days old.
///
/// Unlike a ``SampleBlock`` it knows no resolution: whatever was stored comes back bit for bit.
public struct ReadingBlock: Sendable {
    /// The most readings of a block: more than a minute has milliseconds.
    public static let mostReadings = 65_536

    /// Of each reading, UTC milliseconds, each later than the one before; never empty.
    public let times: [Int64]
    /// Of each reading.
    public let values: [Double]

    /// - Throws: `ReadingBlockError`.
    public init(times: [Int64], values: [Double]) throws(ReadingBlockError) {
        guard !times.isEmpty, times.count <= Self.mostReadings, times.count == values.count else { throw .count }
        guard Self.rise(times) else { throw .times }
        self.times = times
        self.values = values
    }

    /// Whether each is later than the one before.
    static func rise(_ times: [Int64]) -> Bool {
        for index in 1..<max(times.count, 1) where times[index] <= times[index - 1] { return false }
        return true
    }

    /// A block of what has been looked at already.
    init(unchecked times: [Int64], _ values: [Double]) {
        self.times = times
        self.values = values
    }

    /// How many readings it has.
    public var count: Int { times.count }
    /// Of its first reading, UTC milliseconds.
    public var first: Int64 { times[0] }
    /// Of its last reading, UTC milliseconds.
    public var last: Int64 { times[times.count - 1] }

    /// The place of the first reading at or after a time; ``count`` where all are before it.
    public func place(atOrAfter time: Int64) -> Int { times.place(atOrAfter: time) }

    /// Whether it has a reading at exactly that time.
    public func contains(_ time: Int64) -> Bool {
        let place = place(atOrAfter: time)
        return place < count && times[place] == time
    }

    /// Whether another has the same times, and the same values bit for bit: NaN and the sign of nought too.
    public func isIdentical(to other: ReadingBlock) -> Bool {
        guard times == other.times, values.count == other.values.count else { return false }
        for index in 0..<values.count where values[index].bitPattern != other.values[index].bitPattern { return false }
        return true
    }
}

/// Why readings are no block.
public enum ReadingBlockError: Error, Equatable, Sendable {
    /// None, more than ``ReadingBlock/mostReadings``, or not as many values as times.
    case count
    /// They do not rise.
    case times
    /// The bytes are of another version, cut off, or damaged.
    case damaged
}

extension RandomAccessCollection<Int64> where Index == Int {
    /// The place of the first number that is not below another, in rising ones.
    func place(atOrAfter number: Int64) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
