import HubKit
import Localization
import MotionLabEngine

/// The words about bytes that are no recording, for whoever delivered them: what is wrong, and what to do.
enum RecordingText {
    static func refused(_ error: RecordingError) -> LocalizedText {
        switch error {
        case .seal(let failure):
            SessionRejection.message(
                failure, unrecognized: LocalizedText("This is no recording. Send it as the page made it."))
        case .identifier: SessionRejection.id
        case .owner: SessionRejection.person
        case .time:
            LocalizedText(
                "A time of this recording cannot be, or its samples go back in time. Look at the clock of the device.")
        case .streams:
            LocalizedText(
                "This recording has no sensors, the same one twice, or one that this hub does not know. Update the hub, then it can be delivered."
            )
        case .text:
            LocalizedText(
                "A name or a note of this recording is too long, or is no text: at most \(RecordingLimits.standard.annotationBytes) bytes of UTF-8."
            )
        case .samples: LocalizedText("Samples of this recording cannot be read. Send it again as it was made.")
        case .unknownRecord:
            LocalizedText(
                "This recording holds what this hub does not know. Update the hub, then it can be delivered.")
        case .afterEnd:
            LocalizedText("There is something behind the end of this recording. Send it as it was made.")
        case .tooLong:
            LocalizedText(
                "No recording has more than \(RecordingLimits.standard.samples) samples or \(RecordingLimits.standard.bytes >> 20) MB. Record in parts."
            )
        }
    }
}
