/// Samples of several axes at rising times, each value a whole multiple of its axis's resolution.
///
/// Whole numbers, so that sums are exact: whatever order blocks come in, and however a stream is cut into them, every build
/// counts the same.
public struct SampleBlock: Sendable, Equatable {
    /// The most samples of a block.
    public static let mostSamples = 4_096
    /// The most axes of a block.
    public static let mostAxes = 32
    /// The latest time, in microseconds since 1970: the year 2255, and exact as a JavaScript number. The earliest is 0.
    public static let latest: Int64 = 1 << 53 - 1
    /// The greatest absolute value, so that an hour's sum at any rate up to 100 kHz fits into 64 bits.
    public static let greatest: Int64 = 1 << 31

    /// The times of the samples, in UTC microseconds and ascending; never empty.
    public let times: [Int64]
    /// The values of each axis, one for each sample.
    public let axes: [[Int64]]

    /// Creates a block of samples.
    ///
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

    /// The number of samples.
    public var count: Int { times.count }
    /// The time of the first sample, in UTC microseconds.
    public var first: Int64 { times[0] }
    /// The time of the last sample, in UTC microseconds.
    public var last: Int64 { times[times.count - 1] }

    /// A part of the samples, by their indices.
    ///
    /// - Parameter range: the indices; not empty, and within the block.
    public func slice(_ range: Range<Int>) -> SampleBlock {
        var cut: [[Int64]] = []
        for axis in axes { cut.append(Array(axis[range])) }
        return SampleBlock(unchecked: Array(times[range]), cut)
    }

    /// The parts between gaps.
    ///
    /// - Parameter gap: the length in microseconds above which a pause is a gap.
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

/// The reason why samples do not make a block.
public enum SampleBlockError: Error, Equatable, Sendable {
    /// No samples, more than ``SampleBlock/mostSamples``, or not the same number for each axis and the times.
    case sampleCount
    /// No axes, or more than ``SampleBlock/mostAxes``.
    case axisCount
    /// The times do not ascend, or are outside of 0 to ``SampleBlock/latest``.
    case times
    /// A value is beyond ``SampleBlock/greatest``.
    case value
    /// The bytes are of another version, cut off, or damaged.
    case damaged
}
