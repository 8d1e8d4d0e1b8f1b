import DrumsEngine
import HubKit
import Localization

/// The words about bytes that are no session, for whoever delivered them: what is wrong, and what to do.
enum SessionText {
    static func refused(_ error: SessionCodecError) -> LocalizedText {
        switch error {
        case .seal(let failure):
            SessionRejection.message(
                failure,
                unrecognized: LocalizedText(
                    "This is no drum session. A session is sent as the page made it, byte for byte."))
        case .id: SessionRejection.id
        case .person: SessionRejection.person
        case .utcOffset: SessionRejection.utcOffset
        case .song: LocalizedText("The song of this session has no name that can be kept, or one that is too long.")
        case .chart:
            LocalizedText(
                "The song of this session cannot be played: it has no beat, more than \(DrumSession.Limits.steps) steps or \(DrumSession.Limits.beats) beats, more than \(DrumSession.Limits.minutes) minutes, or a tempo that nobody plays."
            )
        case .setting:
            LocalizedText(
                "This session was set up in a way that this hub does not know. Update the hub, then it can be delivered."
            )
        case .noDrum: LocalizedText("No drum is active in this session, so there was nothing to hit.")
        case .window:
            LocalizedText("The timing window of this session is wider or farther from the beat than any that is used.")
        case .tooManyEvents:
            LocalizedText("This session has more than \(DrumSession.Limits.events) events, and no song takes as many.")
        case .unknownKind(let index): SessionRejection.unknownKind(index)
        case .doesNotBegin: SessionRejection.doesNotBegin
        case .outOfOrder(let index):
            LocalizedText(
                "\(SessionRejection.event(index)) cannot come where it is. The events of a session stand in the order in which they happened."
            )
        case .afterEnd(let index): SessionRejection.afterEnd(index)
        case .event(let index):
            LocalizedText(
                "\(SessionRejection.event(index)) holds what there is not: a drum, a link, a step or a message.")
        }
    }
}
