import Wire

/// Makes a recording while it goes on: bytes that are only appended to, so that they can be sent and stored in pieces.
public struct RecordingWriter: Sendable {
    /// What the recording began with.
    public let header: RecordingHeader
    /// How many bytes were taken until now: the offset of what ``takeBytes()`` gives next.
    public private(set) var offset = 0

    private var collectors: [SampleCollector]
    private var pending: [UInt8]
    private var isOver = false
    /// Samples until now, of all streams.
    private var samples = 0
    /// Of the samples that were written last.
    private var times: [Int64] = []

    /// - Throws: where the header cannot be.
    public init(header: RecordingHeader) throws(RecordingError) {
        self.header = header
        pending = try header.encoded()
        collectors = []
        for stream in header.streams { collectors.append(SampleCollector(kind: stream.kind)) }
    }

    /// Goes on with a recording after a reload.
    ///
    /// - Parameters:
    ///   - recording: all that was taken until now.
    /// - Throws: where it is no recording, or is over.
    public init(resuming recording: [UInt8]) throws(RecordingError) {
        var reader = try RecordingReader(recording, isComplete: true)
        while let record = try reader.next() { if case .end = record { throw .afterEnd } }
        header = reader.header
        samples = reader.samples
        offset = recording.count
        pending = []
        collectors = []
        for stream in header.streams { collectors.append(SampleCollector(kind: stream.kind)) }
    }

    /// Adds a sample of a stream.
    ///
    /// - Parameters:
    ///   - values: in the lab's units; nil for an axis that the device did not send.
    ///   - stream: its place in the header.
    ///   - time: UTC microseconds, by the device's clock, in any order.
    /// - Returns: false where it is refused, as the stream's ``report(of:)`` counts it, or the recording has as many as it may.
    @discardableResult
    public mutating func add(_ values: [Double?], to stream: Int, at time: Int64) -> Bool {
        guard !isOver, collectors.indices.contains(stream), samples < RecordingLimits.standard.samples,
            collectors[stream].add(values, at: time)
        else { return false }
        samples += 1
        return true
    }

    /// What became of the samples of a stream.
    public func report(of stream: Int) -> SampleCollector.Report {
        collectors.indices.contains(stream) ? collectors[stream].report : SampleCollector.Report()
    }

    /// Adds something else than samples.
    ///
    /// - Returns: false where it cannot be: a text that is too long, a stream that is not declared, or after the end.
    @discardableResult
    public mutating func add(_ record: RecordingRecord) -> Bool {
        guard !isOver else { return false }
        if case .samples = record { return false }
        // What can be read back can be.
        let encoded = record.encoded(start: header.startedAt)
        var reader = VariableReader(encoded[1...])
        guard (try? reader.number()) != nil,
            (try? RecordingRecord(tag: encoded[0], body: reader.rest, header: header)) != nil
        else { return false }
        flush()
        pending.append(contentsOf: encoded)
        if case .end = record { isOver = true }
        return true
    }

    /// What is to be appended now; empty where nothing happened. Taken every second or two, a sample of three axes is
    /// some five bytes; taken after each sample, thirty.
    public mutating func takeBytes() -> [UInt8] {
        flush()
        let bytes = pending
        pending = []
        offset += bytes.count
        return bytes
    }

    private mutating func flush() {
        for stream in collectors.indices where !collectors[stream].isEmpty {
            for block in collectors[stream].takeBlocks(gap: .max) {
                let record = RecordingRecord.samples(stream: stream, block)
                pending.append(contentsOf: record.encoded(start: header.startedAt, after: times))
                times = block.times
            }
        }
    }
}
