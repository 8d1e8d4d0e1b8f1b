import Wire

/// The collector of one sensor's samples, in whatever order they arrive; it makes blocks that can be stored.
public struct SampleCollector: Sendable {
    /// The report on the samples that were added.
    public struct Report: Sendable, Equatable {
        /// The number of samples in the blocks.
        public var taken = 0
        /// The number of samples that were earlier than one that was added before, and were sorted in.
        public var reordered = 0
        /// The number of samples at the time of another, of which the first was kept.
        public var repeated = 0
        /// The number of samples with an axis missing, a value that is not a number, or an impossible time.
        public var refused = 0

        /// A report of no samples.
        public init() {}
    }

    /// The most samples that are held until the next ``takeBlocks(gap:)``; later ones are refused.
    public static let mostSamples = 1 << 17

    /// The kind of the samples.
    public let kind: SensorKind
    /// The report since the start.
    public private(set) var report = Report()

    private var times: [Int64] = []
    /// The values of all axes of a sample, and then of the next.
    private var values: [Int64] = []
    private var isSorted = true
    /// The latest time of the samples that are not taken yet.
    private var latest: Int64 = 0

    /// A collector without any samples.
    public init(kind: SensorKind) { self.kind = kind }

    /// Whether no samples are to be taken.
    public var isEmpty: Bool { times.isEmpty }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - values: in the lab's units, one of each axis; nil for one that the device did not send.
    ///   - time: UTC microseconds.
    /// - Returns: false where it is refused.
    @discardableResult
    public mutating func add(_ values: [Double?], at time: Int64) -> Bool {
        guard values.count == kind.axisCount, time >= 0, time <= SampleBlock.latest, times.count < Self.mostSamples
        else { return refuse() }
        var multiples: [Int64] = []
        for value in values {
            guard let value, let multiple = kind.multiple(of: value) else { return refuse() }
            multiples.append(multiple)
        }
        if time < latest {
            report.reordered += 1
            isSorted = false
        }
        latest = max(latest, time)
        times.append(time)
        self.values.append(contentsOf: multiples)
        return true
    }

    /// The samples in order of time, in blocks that are full or end at a gap; nothing is left.
    ///
    /// - Parameter gap: microseconds; a pause longer than this is one.
    public mutating func takeBlocks(gap: Int64) -> [SampleBlock] {
        let order = sortedPlaces()
        var blocks: [SampleBlock] = []
        var (blockTimes, axes) = ([Int64](), [[Int64]](repeating: [], count: kind.axisCount))
        func close(_ blocks: inout [SampleBlock], _ times: inout [Int64], _ axes: inout [[Int64]]) {
            // Nothing is thrown of times that rise and values that fit, which is what there is.
            if !times.isEmpty, let block = try? SampleBlock(times: times, axes: axes) { blocks.append(block) }
            times.removeAll(keepingCapacity: true)
            for axis in axes.indices { axes[axis].removeAll(keepingCapacity: true) }
        }
        var before: Int64?
        for place in order {
            let time = times[place]
            if time == before {
                report.repeated += 1
                continue
            }
            if let before, time - before > gap || blockTimes.count == SampleBlock.mostSamples {
                close(&blocks, &blockTimes, &axes)
            }
            before = time
            blockTimes.append(time)
            for axis in 0..<kind.axisCount { axes[axis].append(values[place * kind.axisCount + axis]) }
            report.taken += 1
        }
        close(&blocks, &blockTimes, &axes)
        times = []
        values = []
        isSorted = true
        latest = 0
        return blocks
    }

    private mutating func refuse() -> Bool {
        report.refused += 1
        return false
    }

    /// The indices of the samples in order of time, and of the same time in order of arrival.
    private func sortedPlaces() -> [Int] {
        var places = Array(times.indices)
        guard !isSorted else { return places }
        // A merge sort from the bottom up: stable, and small in a page's module.
        var other = places
        var width = 1
        while width < places.count {
            var start = 0
            while start < places.count {
                let (middle, end) = (min(start + width, places.count), min(start + 2 * width, places.count))
                var (left, right) = (start, middle)
                for place in start..<end {
                    if right >= end || left < middle && times[places[left]] <= times[places[right]] {
                        other[place] = places[left]
                        left += 1
                    } else {
                        other[place] = places[right]
                        right += 1
                    }
                }
                start = end
            }
            swap(&places, &other)
            width *= 2
        }
        return places
    }
}
