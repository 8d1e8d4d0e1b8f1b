import Wire

/// The reader of a recording, record by record, so that half an hour of samples is never in memory at once.
public struct RecordingReader: Sendable {
    /// The header of the recording.
    public let header: RecordingHeader
    /// The offset behind the last record that was read.
    public private(set) var offset: Int
    /// Whether the recording was ended.
    public private(set) var isOver = false
    /// The number of samples that were read, of all streams.
    public private(set) var samples = 0

    private let bytes: [UInt8]
    private let isComplete: Bool
    private let mostSamples: Int
    /// The times of the samples that were read last.
    private var times: [Int64] = []

    /// Begins to read a recording.
    ///
    /// - Parameters:
    ///   - recording: from its first byte.
    ///   - isComplete: whether the recording has ended. Where more could come, a record that is there in part is left
    ///     out.
    ///   - mostSamples: of all streams. The record that brings more is refused before it is taken apart: a few bytes can say
    ///     thousands of samples that are all the same.
    /// - Throws: where it does not begin as a recording does.
    public init(
        _ recording: [UInt8], isComplete: Bool, mostSamples: Int = RecordingLimits.standard.samples
    ) throws(RecordingError) {
        guard recording.count <= RecordingLimits.standard.bytes else { throw .tooLong }
        var reader = try RecordingHeader.seal.reader(of: recording, failing: RecordingError.self)
        header = try RecordingHeader(&reader)
        offset = recording.count - reader.remaining
        bytes = recording
        self.isComplete = isComplete
        self.mostSamples = mostSamples
    }

    /// The next record; nil at the end.
    public mutating func next() throws(RecordingError) -> RecordingRecord? {
        guard offset < bytes.count else { return nil }
        guard !isOver else { throw .afterEnd }
        var reader = VariableReader(bytes[(offset + 1)...])
        do throws(RecordingError) {
            let count = try reader.number()
            guard count <= UInt64(reader.rest.count) else { throw .seal(.cutOff) }
            let body = reader.rest.prefix(Int(count))
            if let claimed = try RecordingRecord.claimedSamples(tag: bytes[offset], body: body) {
                guard claimed <= mostSamples - samples else { throw .tooLong }
            }
            let record = try RecordingRecord(tag: bytes[offset], body: body, header: header, after: times)
            if case .samples(_, let block) = record {
                samples += block.count
                times = block.times
            }
            offset = body.endIndex
            if case .end = record { isOver = true }
            return record
        } catch {
            // Cut off within a record whose bytes are all there is a damaged record, and not one that is still to come.
            guard !isComplete, isCutOff else { throw error }
            return nil
        }
    }

    /// Whether the bytes from here on are the beginning of a record.
    private var isCutOff: Bool {
        var reader = VariableReader(bytes[(offset + 1)...])
        guard let count = try? reader.number() else { return reader.rest.isEmpty }
        return count > UInt64(reader.rest.count) && count <= UInt64(RecordingLimits.standard.bytes)
    }
}

/// The relation of a recording to another one with the same identifier.
public enum RecordingRelation: Sendable, Equatable {
    /// The recording is another one.
    case unrelated
    /// The other one contains all of it.
    case contained
    /// The recording continues where the other one ends.
    case extends
    /// The two differ after so many bytes in common, which end at a record.
    case diverged(common: Int)

    /// The relation of two recordings.
    ///
    /// - Parameters: two recordings, as far as they go.
    public static func of(_ recording: [UInt8], to known: [UInt8]) throws(RecordingError) -> RecordingRelation {
        var reader = try RecordingReader(recording, isComplete: false)
        let other = try RecordingReader(known, isComplete: false)
        guard reader.header == other.header else { return .unrelated }
        let most = min(recording.count, known.count)
        var same = reader.offset
        while same < most, recording[same] == known[same] { same += 1 }
        if same == recording.count { return .contained }
        if same == known.count { return .extends }
        var common = reader.offset
        while try reader.next() != nil, reader.offset <= same { common = reader.offset }
        return .diverged(common: common)
    }
}
