import BrushingEngine
import HubKit

/// What is said about bytes that are no session, to whoever delivered them: what is wrong, and what to do.
enum SessionText {
    static func refused(_ error: SessionCodecError) -> String {
        switch error {
        case .seal(let failure): SessionRejection.message(failure, kind: "brushing session")
        case .id: SessionRejection.id
        case .person: SessionRejection.person
        case .utcOffset: SessionRejection.utcOffset
        case .negativeDuration: "A step of this session takes no time, or less than none. Nobody can brush like that."
        case .routine(let failure): "The routine of this session cannot be. \(failure.message)"
        case .tooManyEvents:
            "This session has more than \(BrushingSession.Limits.events) events: nobody pauses and goes on as often."
        case .unknownKind(let index): SessionRejection.unknownKind(index)
        case .doesNotBegin: SessionRejection.doesNotBegin
        case .outOfOrder(let index):
            "\(SessionRejection.event(index)) comes before the one in front of it. The events of a session stand in the order in which they happened."
        case .afterEnd(let index): SessionRejection.afterEnd(index)
        case .claim: "The result that came with this session cannot be read. Update the hub, then it can be delivered."
        }
    }
}
