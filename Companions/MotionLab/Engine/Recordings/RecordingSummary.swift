import Wire

/// What a recording comes to: the result that the hub computes of its records, and the page beside it.
public struct RecordingSummary: Sendable, Equatable {
    /// Of one stream.
    public struct Stream: Sendable, Equatable {
        public var kind: SensorKind
        public var samples = 0
        /// UTC microseconds by the device's clock; nil for no samples.
        public var first: Int64?
        public var last: Int64?
        /// From its first ``RecordingSummary/rateSamples``; nil for fewer than 8.
        public var rate: SamplingRate?
        /// What the device said of it, compared; nil where it said nothing, or little came.
        public var verdict: SamplingRate.Verdict?
        /// What happened to it last.
        public var state: RecordedStreamState?
    }

    /// How many samples of a stream say its rate.
    public static let rateSamples = 4_096

    public var streams: [Stream]
    /// The last one; empty for none.
    public var name: [UInt8] = []
    public var annotations = 0
    /// The most exact of those that were found; nil for none.
    public var clock: ClockAlignment.Offset?
    /// Whether the device ended it.
    public var isEnded = false
    /// From the start to the last sample or the end, microseconds.
    public var duration: Int64 = 0

    /// Plays a recording through.
    ///
    /// - Parameter recording: as far as it goes, or ``RecordingReader/recording(of:)`` of what is stored.
    public init(_ recording: [UInt8], isComplete: Bool) throws(RecordingError) {
        var reader = try RecordingReader(recording, isComplete: isComplete)
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
