/// What the samples of a stretch of time come to: how many, and the lowest, highest and sum of each axis. Two of parts that
/// share no sample add up to that of the whole.
public struct SampleSummary: Sendable, Equatable {
    /// Of one axis, in its resolution.
    public struct Axis: Sendable, Equatable {
        public var low: Int64
        public var high: Int64
        public var sum: Int64

        public init(low: Int64, high: Int64, sum: Int64) {
            self.low = low
            self.high = high
            self.sum = sum
        }
    }

    /// Where the stretch begins, UTC microseconds, a multiple of its width.
    public var start: Int64
    /// Samples; at least one.
    public var count: Int64
    public var axes: [Axis]

    /// Of no samples yet.
    private init(start: Int64, first: [Axis]) {
        self.start = start
        count = 1
        axes = first
    }

    /// Adds the samples of another stretch.
    ///
    /// - Parameter other: of as many axes.
    public mutating func add(_ other: SampleSummary) {
        count = count.plusClamped(other.count)
        for index in 0..<min(axes.count, other.axes.count) {
            axes[index].low = min(axes[index].low, other.axes[index].low)
            axes[index].high = max(axes[index].high, other.axes[index].high)
            axes[index].sum = axes[index].sum.plusClamped(other.axes[index].sum)
        }
    }

    /// The summaries of a block, in order of time, of stretches that begin at multiples of `width`.
    ///
    /// - Parameter width: microseconds, at least 1.
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

    /// As variable-length integers: the count, and of each axis low, high and sum.
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

    /// Reads what ``encoded`` wrote.
    ///
    /// - Throws: `SampleBlockError.damaged`, whatever the bytes are.
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
