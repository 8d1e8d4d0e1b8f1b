import HubKit
import MotionLabEngine

/// A recording of a page or a file, read and played through.
struct ReadRecording: Sendable {
    /// The bytes as they are stored: the recording and its seal.
    let content: [UInt8]
    let recording: [UInt8]
    let header: RecordingHeader
    let summary: RecordingSummary

    /// Reads a recording.
    ///
    /// - Throws: a 422 problem with words for each way in which bytes are no recording.
    init(_ content: [UInt8]) throws(Problem) {
        do throws(RecordingError) {
            let recording = try RecordingReader.recording(of: content)
            header = try RecordingReader(recording, isComplete: true).header
            summary = try RecordingSummary(recording, isComplete: true)
            self.recording = recording
            self.content = content
        } catch {
            throw .field("events", detail: RecordingText.refused(error))
        }
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
