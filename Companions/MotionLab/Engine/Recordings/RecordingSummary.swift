import Wire

/// The summary of a recording: the result that the hub computes of its records, and the page beside it.
public struct RecordingSummary: Sendable, Equatable {
    /// The summary of one stream.
    public struct Stream: Sendable, Equatable {
        /// The kind of its samples.
        public var kind: SensorKind
        /// The number of samples.
        public var samples = 0
        /// The time of the first sample, UTC microseconds by the device's clock; nil for no samples.
        public var first: Int64?
        /// The time of the last sample, likewise.
        public var last: Int64?
        /// The rate of its first ``RecordingSummary/rateSamples``; nil for fewer than 8.
        public var rate: SamplingRate?
        /// The comparison with the rate that the device claims; nil where it claims none, or few samples came.
        public var verdict: SamplingRate.Verdict?
        /// The last change of its state.
        public var state: RecordedStreamState?
    }

    /// The number of samples of a stream that the rate is computed from.
    public static let rateSamples = 4_096

    /// The streams, in the order of the header.
    public var streams: [Stream]
    /// The last name; empty for none.
    public var name: [UInt8] = []
    /// The number of annotations.
    public var annotations = 0
    /// The most exact clock offset that was found; nil for none.
    public var clock: ClockAlignment.Offset?
    /// Whether the device ended the recording.
    public var isEnded = false
    /// The time from the start to the last sample or the end, microseconds.
    public var duration: Int64 = 0

    /// The summary of a recording, read to its end.
    ///
    /// - Parameter recording: as far as it goes.
    public init(_ recording: [UInt8], isComplete: Bool) throws(RecordingError) {
        var reader = try RecordingReader(recording, isComplete: isComplete)
        try self.init(&reader)
    }

    /// The summary of what a reader has not read yet, which is all of the recording. It is at its end behind that.
    public init(_ reader: inout RecordingReader) throws(RecordingError) {
        streams = reader.header.streams.map { Stream(kind: $0.kind) }
        let start = reader.header.startedAt
        // Whatever pieces they came in: a barometer has but a few in each.
        var firstTimes = [[Int64]](repeating: [], count: streams.count)
        while let record = try reader.next() {
            switch record {
            case .samples(let place, let block):
                // A frame may go back before the one that came last, where samples came late.
                streams[place].samples += block.count
                streams[place].first = min(streams[place].first ?? .max, block.first)
                streams[place].last = max(streams[place].last ?? .min, block.last)
                for time in block.times where firstTimes[place].count < Self.rateSamples {
                    if time > firstTimes[place].last ?? .min { firstTimes[place].append(time) }
                }
                duration = max(duration, block.last.minusClamped(start))
            case .annotation: annotations += 1
            case .name(let text): name = text
            case .clock(_, let offset):
                if offset.uncertainty <= clock?.uncertainty ?? .max { clock = offset }
            case .state(_, let place, let state): streams[place].state = state
            case .end(let time):
                isEnded = true
                duration = max(duration, time.minusClamped(start))
            }
        }
        for (place, declared) in reader.header.streams.enumerated() {
            streams[place].rate = SamplingRate(firstTimes[place])
            guard declared.claimedMillihertz > 0 else { continue }
            streams[place].verdict = streams[place].rate?.verdict(claimed: Double(declared.claimedMillihertz) / 1_000)
        }
    }
}
