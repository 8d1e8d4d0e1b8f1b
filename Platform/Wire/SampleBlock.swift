/// Samples of several axes at rising times, each value a whole multiple of its axis's resolution.
///
/// Whole numbers, so that sums are exact: whatever order blocks come in, and however a stream is cut into them, every build
/// counts the same.
public struct SampleBlock: Sendable, Equatable {
    /// The most samples of a block.
    public static let mostSamples = 4_096
    /// The most axes of a block.
    public static let mostAxes = 32
    /// Times are from 0 up to here, microseconds since 1970: the year 2255, and exact as a JavaScript number.
    public static let latest: Int64 = 1 << 53 - 1
    /// Values are from its negative up to here, so that an hour's sum of any rate up to 100 kHz fits 64 bits.
    public static let greatest: Int64 = 1 << 31

    /// Of each sample, UTC microseconds, each later than the one before; never empty.
    public let times: [Int64]
    /// For each axis a value of each sample.
    public let axes: [[Int64]]

    /// - Throws: `SampleBlockError`.
    public init(times: [Int64], axes: [[Int64]]) throws(SampleBlockError) {
        guard !times.isEmpty, times.count <= Self.mostSamples else { throw .sampleCount }
        guard !axes.isEmpty, axes.count <= Self.mostAxes else { throw .axisCount }
        var before: Int64 = -1
        for time in times {
            guard time > before, time <= Self.latest else { throw .times }
            before = time
        }
        for axis in axes {
            guard axis.count == times.count else { throw .sampleCount }
            for value in axis {
                guard value >= -Self.greatest, value <= Self.greatest else { throw .value }
            }
        }
        self.times = times
        self.axes = axes
    }

    /// A block of samples at a constant rate.
    ///
    /// - Parameters:
    ///   - start: of the first sample, UTC microseconds.
    ///   - interval: from one sample to the next, microseconds, at least 1.
    /// - Throws: `SampleBlockError`.
    public init(start: Int64, interval: Int64, axes: [[Int64]]) throws(SampleBlockError) {
        guard !axes.isEmpty, !axes[0].isEmpty, axes[0].count <= Self.mostSamples else { throw .sampleCount }
        guard start >= 0, start <= Self.latest, interval > 0, interval <= Self.latest / Int64(axes[0].count) else {
            throw .times
        }
        var times: [Int64] = []
        times.reserveCapacity(axes[0].count)
        for index in 0..<axes[0].count { times.append(start + Int64(index) * interval) }
        try self.init(times: times, axes: axes)
    }

    private init(unchecked times: [Int64], _ axes: [[Int64]]) {
        self.times = times
        self.axes = axes
    }

    /// How many samples it has.
    public var count: Int { times.count }
    /// Of its first sample, UTC microseconds.
    public var first: Int64 { times[0] }
    /// Of its last sample, UTC microseconds.
    public var last: Int64 { times[times.count - 1] }

    /// Some of its samples, by their places.
    ///
    /// - Parameter range: not empty, and within the block.
    public func slice(_ range: Range<Int>) -> SampleBlock {
        var cut: [[Int64]] = []
        for axis in axes { cut.append(Array(axis[range])) }
        return SampleBlock(unchecked: Array(times[range]), cut)
    }

    /// Its pieces between gaps.
    ///
    /// - Parameter gap: microseconds; a pause longer than this is one.
    public func pieces(gap: Int64) -> [SampleBlock] {
        var pieces: [SampleBlock] = []
        var start = 0
        for index in 1..<max(count, 1) where times[index] - times[index - 1] > gap {
            pieces.append(slice(start..<index))
            start = index
        }
        pieces.append(slice(start..<count))
        return pieces
    }
}

/// Why samples are no block.
public enum SampleBlockError: Error, Equatable, Sendable {
    /// None, more than ``SampleBlock/mostSamples``, or not as many on each axis as there are times.
    case sampleCount
    /// None, or more than ``SampleBlock/mostAxes``.
    case axisCount
    /// They do not rise, or are outside of 0 to ``SampleBlock/latest``.
    case times
    /// One is beyond ``SampleBlock/greatest``.
    case value
    /// The bytes are of another version, cut off, or damaged.
    case damaged
}
