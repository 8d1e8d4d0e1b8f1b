import Wire

/// The writer of a recording in progress: bytes that are only appended to, so that they can be sent and stored in
/// pieces.
public struct RecordingWriter: Sendable {
    /// The header of the recording.
    public let header: RecordingHeader
    /// The number of bytes that were taken until now: the offset of the next ``takeBytes()``.
    public private(set) var offset = 0

    private var collectors: [SampleCollector]
    private var pending: [UInt8]
    private var isOver = false
    /// The number of samples until now, of all streams.
    private var samples = 0
    /// The times of the samples that were written last.
    private var times: [Int64] = []

    /// Begins a recording.
    ///
    /// - Throws: where the header is invalid.
    public init(header: RecordingHeader) throws(RecordingError) {
        self.header = header
        pending = try header.encoded()
        collectors = []
        for stream in header.streams { collectors.append(SampleCollector(kind: stream.kind)) }
    }

    /// Continues a recording after a reload.
    ///
    /// - Parameters:
    ///   - recording: all that was taken until now.
    /// - Throws: where it is not a recording, or has ended.
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
    ///   - stream: its index in the header.
    ///   - time: UTC microseconds, by the device's clock, in any order.
    /// - Returns: false where it is refused, as the stream's ``report(of:)`` counts it, or the recording has as many as
    ///   it may.
    @discardableResult
    public mutating func add(_ values: [Double?], to stream: Int, at time: Int64) -> Bool {
        guard !isOver, collectors.indices.contains(stream), samples < RecordingLimits.standard.samples,
            collectors[stream].add(values, at: time)
        else { return false }
        samples += 1
        return true
    }

    /// The report on the samples of a stream.
    public func report(of stream: Int) -> SampleCollector.Report {
        collectors.indices.contains(stream) ? collectors[stream].report : SampleCollector.Report()
    }

    /// Adds another record than samples.
    ///
    /// - Returns: false where it is invalid: a text that is too long, a stream that is not declared, or after the end.
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

    /// The bytes to be appended now; empty where there are none. Taken every second or two, a sample of three axes is
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
