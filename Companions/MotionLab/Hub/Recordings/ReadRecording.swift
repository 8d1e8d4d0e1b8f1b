import HubKit
import MotionLabEngine

/// A recording of a page or a file, read and played through.
struct ReadRecording: Sendable {
    /// The bytes as they are stored.
    let content: [UInt8]
    let header: RecordingHeader
    let summary: RecordingSummary

    /// Reads a recording.
    ///
    /// - Parameter isComplete: whether no more bytes come. If some may, a record that is cut off at the end is left out.
    /// - Throws: a 422 problem with words for each way in which bytes are no recording.
    init(_ content: [UInt8], isComplete: Bool = true) throws(Problem) {
        do throws(RecordingError) {
            try self.init(RecordingReader(content, isComplete: isComplete), content)
        } catch {
            throw .field("events", detail: RecordingText.refused(error))
        }
    }

    /// Reads a recording of at most so many samples.
    init(_ content: [UInt8], mostSamples: Int) throws(RecordingError) {
        try self.init(RecordingReader(content, isComplete: true, mostSamples: mostSamples), content)
    }

    private init(_ reader: RecordingReader, _ content: [UInt8]) throws(RecordingError) {
        var reader = reader
        header = reader.header
        summary = try RecordingSummary(&reader)
        self.content = Array(content[..<reader.offset])
    }

    /// The recording's id, its person and its beginning.
    var origin: SessionOrigin { header.origin }
}

extension RecordingHeader {
    var origin: SessionOrigin {
        SessionOrigin(
            id: id, person: person, startedAt: startedAt / 1_000, utcOffsetMinutes: utcOffsetMinutes)
    }
}
