import GRDB
import HubKit
import MotionLabEngine
import Storage
import Wire

/// The chart of one sensor of a recording: of each stretch of time how many values there were, the lowest, the mean and
/// the highest, of each axis, and of their length. The length has no direction: a swing has two humps in it, and so
/// what is drawn is an axis, the strongest where nobody chose.
struct ChartResponse: Codable, Sendable {
    struct Point: Codable, Sendable {
        /// The time of its beginning, in seconds from the start of the recording.
        var seconds: Double
        var count: Int64
        /// The lowest, the mean and the highest value of each axis.
        var low, mean, high: [Double]
        /// The mean length of the vectors, of a single axis its value; that of the mean vector where the samples are
        /// not at hand.
        var magnitude: Double
        /// The least and the greatest length; that of the mean where the samples are not at hand.
        var magnitudeLow, magnitudeHigh: Double
    }

    /// A pause in which nothing was measured, which is drawn as one: from the last value before it to the first after
    /// it.
    struct Gap: Codable, Sendable {
        /// The beginning and the end of the gap, from the start of the recording.
        var fromSeconds, toSeconds: Double
    }

    var sensor, unit: String
    var axes: [String]
    /// The place of the axis that swings most.
    var strongest: Int
    /// Whether the axes have a length that says something: a unit quaternion's is always one.
    var hasLength: Bool
    /// Whether gravity was taken out.
    var isWithoutGravity: Bool
    /// The length of a stretch.
    var widthMicroseconds: Int64
    var points: [Point]
    var gaps: [Gap]

    /// The most points of a chart: two for each pixel across a large screen.
    static let mostPoints = 4_000

    /// The width of stretches for so many points at most: 1, 2 or 5 times a power of ten, microseconds.
    static func width(of microseconds: Int64, points: Int) -> Int64 {
        let least = max(microseconds, 0) / Int64(max(points, 1)) + 1
        var power: Int64 = 1
        while true {
            for factor: Int64 in [1, 2, 5] where factor * power >= least { return factor * power }
            power *= 10
        }
    }
}

/// The stored data that a chart of one sensor is made of.
struct StoredChart: Sendable {
    private enum Source: Sendable {
        case samples(StoredSamples)
        case summaries([SampleSummary], gaps: [Range<Int64>])
    }

    private let kind: SensorKind
    private let start: Int64
    private let width: Int64
    private let source: Source
    private let isWithoutGravity: Bool
    /// The part that is shown, microseconds as the samples have them.
    private let part: ClosedRange<Int64>

    /// The longest recording of an app whose samples are read where gravity is to be taken out, microseconds; of a
    /// longer one each axis is drawn less its mean.
    private static let longestRead: Int64 = 600_000_000

    /// Reads the data of a chart.
    ///
    /// - Parameter withoutGravity: of an acceleration; others have none.
    /// - Parameter part: of the recording, microseconds from its start; nil for all of it.
    /// - Throws: a 404 problem for a sensor that the recording has nothing of.
    init(
        _ recording: StoredRecording, of kind: SensorKind, withoutGravity: Bool, points: Int,
        part: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        guard let stream = recording.streams.first(where: { $0.sensor == "\(kind.name)" && $0.samples > 0 }),
            let first = stream.firstMicroseconds, let last = stream.lastMicroseconds
        else { throw Problem.notFound("This recording has nothing of this sensor.") }
        self.kind = kind
        start = recording.startMicroseconds
        let from = max(first, (part?.lowerBound ?? .min).plusClamped(start))
        let to = max(min(last, (part?.upperBound ?? .max).plusClamped(start)), from)
        width = ChartResponse.width(of: to - from, points: points)
        // A stretch more on either side, so that a line goes on to the edge.
        let begin = max(first, from - width)
        self.part = begin...max(min(last, to + width), begin)
        isWithoutGravity = withoutGravity && kind == .accelerometer
        guard recording.origin == .push, let device = recording.device,
            !isWithoutGravity || last - first > Self.longestRead
        else {
            source = .samples(try StoredSamples(recording, db))
            return
        }
        guard let stored = try db.stream(stream.sensor, device: device) else {
            throw Problem.notFound("This recording has nothing of this sensor.")
        }
        source = .summaries(
            try db.summaries(
                stream: stored, from: self.part.lowerBound, to: self.part.upperBound + 1, width: width),
            gaps: try db.gaps(stream: stored, from: self.part.lowerBound, to: self.part.upperBound + 1))
    }

    /// The chart; it may take its time, and wants no database.
    func response() throws -> ChartResponse {
        switch source {
        case .summaries(let summaries, let gaps):
            return ChartResponse(
                of: kind, from: start, width: width, summaries, gaps, isWithoutGravity: isWithoutGravity)
        case .samples(let stored):
            let all = try stored.read().series
            guard let series = all.first(where: { $0.kind == kind }) else {
                throw Problem.notFound("This recording has nothing of this sensor.")
            }
            return ChartResponse(
                series, turning: all.first { $0.kind == .gyroscope }, from: start, width: width, part: part,
                isWithoutGravity: isWithoutGravity)
        }
    }
}

extension ChartResponse {
    /// The chart of samples.
    ///
    /// - Parameters:
    ///   - turning: the gyroscope's beside them, by which gravity is taken out; nil for a recording without one.
    ///   - start: what seconds are counted from, microseconds as the samples have them.
    ///   - width: of a stretch, microseconds.
    ///   - part: the part that is shown; nil for all of it.
    init(
        _ series: ExportedRecording.Series, turning: ExportedRecording.Series?, from start: Int64, width: Int64,
        part: ClosedRange<Int64>? = nil, isWithoutGravity: Bool
    ) {
        // Gravity is taken out of the whole recording first: it shows over seconds.
        let linear = isWithoutGravity ? series.withoutGravity(turning: turning) : series
        let shown = part.map { linear.continued.within($0) } ?? linear.continued
        self.init(
            of: series.kind, from: start, width: width, shown.withLength.summaries(width: width),
            series.gaps.filter { part?.overlaps($0) ?? true }, isMoved: isWithoutGravity)
        self.isWithoutGravity = isWithoutGravity
    }

    /// The chart of what is stored of each stretch.
    ///
    /// - Parameter isWithoutGravity: each axis less its mean.
    init(
        of kind: SensorKind, from start: Int64, width: Int64, _ summaries: [SampleSummary], _ gaps: [Range<Int64>],
        isWithoutGravity: Bool
    ) {
        self.init(of: kind, from: start, width: width, summaries, gaps, isMoved: false)
        guard isWithoutGravity else { return }
        self.isWithoutGravity = true
        let count = max(points.reduce(0) { $0 + Double($1.count) }, 1)
        for axis in axes.indices {
            let mean = points.reduce(0) { $0 + $1.mean[axis] * Double($1.count) } / count
            for place in points.indices {
                points[place].low[axis] -= mean
                points[place].mean[axis] -= mean
                points[place].high[axis] -= mean
            }
        }
        for place in points.indices {
            let length = kind.magnitude(points[place].mean)
            (points[place].magnitude, points[place].magnitudeLow, points[place].magnitudeHigh) = (
                length, length, length
            )
        }
    }

    /// Draws a chart from summaries.
    ///
    /// - Parameter isMoved: gravity was taken out already.
    private init(
        of kind: SensorKind, from start: Int64, width: Int64, _ summaries: [SampleSummary], _ gaps: [Range<Int64>],
        isMoved: Bool
    ) {
        func seconds(_ time: Int64) -> Double { Double(time.minusClamped(start)) / 1_000_000 }
        let count = kind.axisCount
        self.init(
            sensor: "\(kind.name)", unit: "\(kind.unit)", axes: kind.axes.map { "\($0)" },
            strongest: Self.strongest(of: kind, summaries, isMoved: isMoved), hasLength: count == 3,
            isWithoutGravity: false, widthMicroseconds: width,
            points: summaries.map { one in
                let axes = one.axes.prefix(count)
                let mean = axes.map { Double($0.sum) / Double(one.count) / kind.multiplesPerUnit }
                // After the axes, where it is known.
                let length = one.axes.count > count ? one.axes[count] : nil
                let ofMean = kind.magnitude(mean)
                return Point(
                    seconds: seconds(one.start), count: one.count, low: axes.map { kind.value($0.low) },
                    mean: mean, high: axes.map { kind.value($0.high) },
                    magnitude: length.map { Double($0.sum) / Double(one.count) / kind.multiplesPerUnit } ?? ofMean,
                    magnitudeLow: length.map { kind.value($0.low) } ?? ofMean,
                    magnitudeHigh: length.map { kind.value($0.high) } ?? ofMean)
            }, gaps: gaps.map { .init(fromSeconds: seconds($0.lowerBound), toSeconds: seconds($0.upperBound)) })
    }

    /// The axis whose values are farthest from where it rests, as squares: from nought where that is rest, otherwise
    /// from their mean.
    private static func strongest(of kind: SensorKind, _ summaries: [SampleSummary], isMoved: Bool) -> Int {
        let isFromNought = isMoved || kind == .gyroscope || kind == .linearAcceleration
        var (best, farthest) = (0, -1.0)
        for axis in 0..<kind.axisCount {
            var (count, sum) = (0.0, 0.0)
            for one in summaries {
                count += Double(one.count)
                sum += Double(one.axes[axis].sum)
            }
            let rest = isFromNought || count == 0 ? 0 : sum / count
            var squares = 0.0
            for one in summaries {
                let away = Double(one.axes[axis].sum) / Double(one.count) - rest
                // Within the stretch about half of the square of how far it goes each way.
                let half = (Double(one.axes[axis].high) - Double(one.axes[axis].low)) / 2
                squares += Double(one.count) * (away * away + half * half / 2)
            }
            if squares > farthest { (best, farthest) = (axis, squares) }
        }
        return best
    }
}

extension ExportedRecording.Series {
    /// The samples whose times are within a part.
    func within(_ part: ClosedRange<Int64>) -> ExportedRecording.Series {
        let first = times.firstIndex { $0 >= part.lowerBound } ?? times.count
        let end = times.firstIndex { $0 > part.upperBound } ?? times.count
        var shown = self
        shown.times = Array(times[first..<max(first, end)])
        shown.axes = axes.map { Array($0[first..<max(first, end)]) }
        return shown
    }

    /// The summaries of stretches that begin at multiples of `width` microseconds.
    func summaries(width: Int64) -> [SampleSummary] {
        var all: [SampleSummary] = []
        var place = 0
        while place < times.count {
            let end = min(place + SampleBlock.mostSamples, times.count)
            let range = place..<end
            place = end
            // Times rise and values fit: they were read from blocks.
            guard let block = try? SampleBlock(times: Array(times[range]), axes: axes.map { Array($0[range]) }) else {
                continue
            }
            for summary in SampleSummary.of(block, width: width) {
                if all.last?.start == summary.start { all[all.count - 1].add(summary) } else { all.append(summary) }
            }
        }
        return all
    }

    /// The pauses that are longer than a phone's slowest sensor of the kind makes.
    var gaps: [Range<Int64>] {
        let longest = PhoneStreams.stream(kind).gapMicroseconds
        return times.indices.dropFirst().compactMap { place in
            times[place] - times[place - 1] > longest ? times[place - 1]..<times[place] : nil
        }
    }
}
