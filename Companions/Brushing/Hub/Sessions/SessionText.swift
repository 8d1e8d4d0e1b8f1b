import BrushingEngine
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
                    "This is no brushing session. A session is sent as the page made it, byte for byte."))
        case .id: SessionRejection.id
        case .person: SessionRejection.person
        case .utcOffset: SessionRejection.utcOffset
        case .negativeDuration:
            LocalizedText("A step of this session takes no time, or less than none. Nobody can brush like that.")
        case .routine(let failure): LocalizedText("The routine of this session cannot be. \(failure.message)")
        case .tooManyEvents:
            LocalizedText(
                "This session has more than \(BrushingSession.Limits.events) events: nobody pauses and goes on as often."
            )
        case .unknownKind(let index): SessionRejection.unknownKind(index)
        case .doesNotBegin: SessionRejection.doesNotBegin
        case .outOfOrder(let index):
            LocalizedText(
                "\(SessionRejection.event(index)) comes before the one in front of it. The events of a session stand in the order in which they happened."
            )
        case .afterEnd(let index): SessionRejection.afterEnd(index)
        case .claim:
            LocalizedText(
                "The result that came with this session cannot be read. Update the hub, then it can be delivered.")
        }
    }
}
