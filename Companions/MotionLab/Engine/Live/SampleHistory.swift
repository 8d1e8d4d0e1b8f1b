/// The last samples of a sensor, for a chart that moves and for a spectrum.
public struct SampleHistory: Sendable {
    /// The most samples that are stored: 40 s at 200 Hz.
    public static let mostSamples = 8_192

    /// The number of values of a sample.
    public let axisCount: Int
    /// The number of samples that are stored.
    public var count: Int { times.count - first }

    private var times: [Int64] = []
    /// The values of all axes of a sample, and then of the next.
    private var values: [Double] = []
    /// The index of the first stored sample; those before it are to be removed.
    private var first = 0

    /// A history without any samples.
    public init(axisCount: Int) { self.axisCount = axisCount }

    /// Adds a sample; one that is not later than the one before is ignored.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    public mutating func add(_ sample: [Double], at time: Int64) -> Bool {
        guard sample.count == axisCount, time > times.last ?? .min else { return false }
        times.append(time)
        values.append(contentsOf: sample)
        if count > Self.mostSamples { first += 1 }
        // Moved seldom, so that a sample costs little.
        if first >= Self.mostSamples {
            times.removeFirst(first)
            values.removeFirst(first * axisCount)
            first = 0
        }
        return true
    }

    /// The times of at most a number of last samples.
    public func times(last most: Int) -> [Int64] { Array(times[max(first, times.count - most)...]) }

    /// One axis of at most a number of last samples; with a negative axis, the magnitude of all together.
    public func series(_ axis: Int, last most: Int) -> [Double] {
        var series: [Double] = []
        for place in max(first, times.count - most)..<times.count {
            let base = place * axisCount
            if axis >= 0 {
                series.append(axis < axisCount ? values[base + axis] : 0)
            } else {
                var squares = 0.0
                for each in 0..<axisCount { squares += values[base + each] * values[base + each] }
                series.append(squares.squareRoot())
            }
        }
        return series
    }

    /// The points of a chart in a stretch of time: `axisCount + 1` numbers a point, its place from 0 to 1 and the
    /// values, and points of NaN where the line is broken.
    ///
    /// - Parameters:
    ///   - start: microseconds.
    ///   - end: microseconds, later.
    ///   - columns: in a column with more than two samples only the lowest and the highest count, of each axis, in the order
    ///     in which they came: what is narrower than a pixel is not seen, no peak is lost, and a line that falls only falls.
    ///   - gap: microseconds; between samples farther apart the line is broken.
    public func points(from start: Int64, to end: Int64, columns: Int, gap: Int64) -> [Float] {
        guard end > start, columns > 0, count > 0 else { return [] }
        var place = lowerBound(start)
        // One before, so that the line comes in from the edge.
        if place > first { place -= 1 }
        let span = Double(end - start)
        let width = max((end - start) / Int64(columns), 1)
        var points: [Float] = []
        var before: Int64?
        while place < times.count, times[place] <= end {
            // Columns begin at multiples of their width, and do not shimmer while the chart moves.
            let column = times[place] / width
            var last = place
            while last + 1 < times.count, times[last + 1] <= end, times[last + 1] / width == column,
                times[last + 1] - times[last] <= gap
            {
                last += 1
            }
            if let before, times[place] - before > gap {
                for _ in 0...axisCount { points.append(.nan) }
            }
            if last - place < 2 {
                for each in place...last { append(each, start, span, to: &points) }
            } else {
                appendExtremes(place...last, start, span, to: &points)
            }
            before = times[last]
            place = last + 1
        }
        return points
    }

    private func append(_ place: Int, _ start: Int64, _ span: Double, to points: inout [Float]) {
        points.append(Float(Double(times[place] - start) / span))
        for axis in 0..<axisCount { points.append(Float(values[place * axisCount + axis])) }
    }

    private func appendExtremes(_ places: ClosedRange<Int>, _ start: Int64, _ span: Double, to points: inout [Float]) {
        for isFirst in [true, false] {
            let time = isFirst ? times[places.lowerBound] : times[places.upperBound]
            points.append(Float(Double(time - start) / span))
            for axis in 0..<axisCount {
                var (lowest, highest) = (places.lowerBound, places.lowerBound)
                for place in places {
                    let value = values[place * axisCount + axis]
                    if value < values[lowest * axisCount + axis] { lowest = place }
                    if value > values[highest * axisCount + axis] { highest = place }
                }
                points.append(Float(values[(isFirst ? min(lowest, highest) : max(lowest, highest)) * axisCount + axis]))
            }
        }
    }

    private func lowerBound(_ time: Int64) -> Int {
        var (low, high) = (first, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
