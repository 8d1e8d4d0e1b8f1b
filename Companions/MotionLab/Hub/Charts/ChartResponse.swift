import GRDB
import HubKit
import MotionLabEngine
import Storage
import Wire

/// One sensor of a recording, drawn: of each stretch of time how many values there were, the lowest, the mean and the highest.
struct ChartResponse: Codable, Sendable {
    struct Point: Codable, Sendable {
        /// Of its beginning, from the start of the recording.
        var seconds: Double
        var count: Int64
        /// Of each axis.
        var low, mean, high: [Double]
        /// Of the mean altogether: the length of a vector, and of a single axis its value.
        var magnitude: Double
    }

    /// A pause in which nothing was measured, which is drawn as one: from the last value before it to the first after it.
    struct Gap: Codable, Sendable {
        /// From the start of the recording.
        var fromSeconds, toSeconds: Double
    }

    var sensor, unit: String
    var axes: [String]
    /// How long a stretch is.
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

/// What a chart of one sensor is made of, as it is stored.
struct StoredChart: Sendable {
    private enum Source: Sendable {
        case samples(StoredSamples)
        case summaries([SampleSummary], gaps: [Range<Int64>])
    }

    private let kind: SensorKind
    private let start: Int64
    private let width: Int64
    private let source: Source

    /// - Throws: a 404 problem for a sensor that the recording has nothing of.
    init(_ recording: StoredRecording, of kind: SensorKind, points: Int, _ db: Database) throws {
        guard let stream = recording.streams.first(where: { $0.sensor == "\(kind.name)" && $0.samples > 0 }),
            let first = stream.firstMicroseconds, let last = stream.lastMicroseconds
        else { throw Problem.notFound("This recording has nothing of this sensor.") }
        self.kind = kind
        start = recording.startMicroseconds
        width = ChartResponse.width(of: last - first, points: points)
        guard recording.origin == .push, let device = recording.device else {
            source = .samples(try StoredSamples(recording, db))
            return
        }
        guard let stored = try db.stream(stream.sensor, device: device) else {
            throw Problem.notFound("This recording has nothing of this sensor.")
        }
        source = .summaries(
            try db.summaries(stream: stored, from: first, to: last + 1, width: width),
            gaps: try db.gaps(stream: stored, from: first, to: last + 1))
    }

    /// The chart; it may take its time, and wants no database.
    func response() throws -> ChartResponse {
        switch source {
        case .summaries(let summaries, let gaps): return response(summaries, gaps)
        case .samples(let stored):
            guard let series = try stored.read().series.first(where: { $0.kind == kind }) else {
                throw Problem.notFound("This recording has nothing of this sensor.")
            }
            return response(series.summaries(width: width), series.gaps)
        }
    }

    private func response(_ summaries: [SampleSummary], _ gaps: [Range<Int64>]) -> ChartResponse {
        ChartResponse(of: kind, from: start, width: width, summaries, gaps)
    }
}

extension ChartResponse {
    /// - Parameters:
    ///   - start: what seconds are counted from, microseconds as the summaries have them.
    ///   - width: of a stretch, microseconds.
    init(
        of kind: SensorKind, from start: Int64, width: Int64, _ summaries: [SampleSummary], _ gaps: [Range<Int64>]
    ) {
        func seconds(_ time: Int64) -> Double { Double(time - start) / 1_000_000 }
        self.init(
            sensor: "\(kind.name)", unit: "\(kind.unit)", axes: kind.axes.map { "\($0)" }, widthMicroseconds: width,
            points: summaries.map { one in
                let mean = one.axes.map { Double($0.sum) / Double(one.count) / kind.multiplesPerUnit }
                return Point(
                    seconds: seconds(one.start), count: one.count, low: one.axes.map { kind.value($0.low) },
                    mean: mean, high: one.axes.map { kind.value($0.high) }, magnitude: kind.magnitude(mean))
            }, gaps: gaps.map { .init(fromSeconds: seconds($0.lowerBound), toSeconds: seconds($0.upperBound)) })
    }
}

extension ExportedRecording.Series {
    /// In stretches that begin at multiples of `width` microseconds.
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

    /// Pauses that are longer than a phone's slowest sensor of the kind makes.
    var gaps: [Range<Int64>] {
        let longest = PhoneStreams.stream(kind).gapMicroseconds
        return times.indices.dropFirst().compactMap { place in
            times[place] - times[place - 1] > longest ? times[place - 1]..<times[place] : nil
        }
    }
}
