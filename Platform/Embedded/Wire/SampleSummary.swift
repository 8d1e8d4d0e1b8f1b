/// The summary of the samples in an interval: their number, and the minimum, maximum and sum of each axis. The
/// summaries of disjoint intervals add up to that of both.
public struct SampleSummary: Sendable, Equatable {
    /// The summary of one axis, in units of its resolution.
    public struct Axis: Sendable, Equatable {
        /// The minimum.
        public var low: Int64
        /// The maximum.
        public var high: Int64
        /// The sum.
        public var sum: Int64

        /// Creates a summary of one axis.
        public init(low: Int64, high: Int64, sum: Int64) {
            self.low = low
            self.high = high
            self.sum = sum
        }
    }

    /// The start of the interval in UTC microseconds, a multiple of its width.
    public var start: Int64
    /// The number of samples, at least one.
    public var count: Int64
    /// The summaries of the axes.
    public var axes: [Axis]

    /// Creates the summary of the first sample.
    private init(start: Int64, first: [Axis]) {
        self.start = start
        count = 1
        axes = first
    }

    /// Adds the samples of another interval.
    ///
    /// - Parameter other: a summary with the same number of axes.
    public mutating func add(_ other: SampleSummary) {
        count = count.plusClamped(other.count)
        for index in 0..<min(axes.count, other.axes.count) {
            axes[index].low = min(axes[index].low, other.axes[index].low)
            axes[index].high = max(axes[index].high, other.axes[index].high)
            axes[index].sum = axes[index].sum.plusClamped(other.axes[index].sum)
        }
    }

    /// The summaries of a block, by time, for intervals that begin at multiples of `width`.
    ///
    /// - Parameter width: the length of each interval, in microseconds, at least 1.
    public static func of(_ block: SampleBlock, width: Int64) -> [SampleSummary] {
        var all: [SampleSummary] = []
        for index in 0..<block.count {
            // Times are never negative.
            let start = block.times[index] / width * width
            var axes: [Axis] = []
            for axis in block.axes { axes.append(Axis(low: axis[index], high: axis[index], sum: axis[index])) }
            let one = SampleSummary(start: start, first: axes)
            if let last = all.last, last.start == start { all[all.count - 1].add(one) } else { all.append(one) }
        }
        return all
    }

    /// The summary as variable-length integers: the count, and for each axis minimum, maximum and sum.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [1]
        bytes.append(varint: UInt64(count))
        for axis in axes {
            bytes.append(zigzag: axis.low)
            bytes.append(zigzag: axis.high)
            bytes.append(zigzag: axis.sum)
        }
        return bytes
    }

    /// Decodes bytes of ``encoded``.
    ///
    /// - Throws: `SampleBlockError.damaged` for any other bytes.
    public init(start: Int64, encoded bytes: [UInt8]) throws(SampleBlockError) {
        guard bytes.first == 1 else { throw .damaged }
        var reader = VarintReader(bytes[1...])
        self.start = start
        count = Int64(try reader.number(atMost: UInt64(Int64.max)))
        axes = []
        while reader.remaining > 0, axes.count < SampleBlock.mostAxes {
            axes.append(Axis(low: try reader.zigzag(), high: try reader.zigzag(), sum: try reader.zigzag()))
        }
        guard count > 0, !axes.isEmpty, reader.remaining == 0 else { throw .damaged }
    }
}
