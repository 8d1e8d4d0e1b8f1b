import BrushingEngine
import HubKit

/// What is said about bytes that are no session, to whoever delivered them: what is wrong, and what to do.
enum SessionWords {
    static func refused(_ error: SessionCodecError) -> String {
        switch error {
        case .seal(let fault): SessionRefusal.words(fault, kind: "brushing session")
        case .id: SessionRefusal.id
        case .person: SessionRefusal.person
        case .utcOffset: SessionRefusal.utcOffset
        case .negativeDuration: "A step of this session takes no time, or less than none. Nobody can brush like that."
        case .routine(let fault): "The routine of this session cannot be. \(fault.words)"
        case .tooManyEvents:
            "This session has more than \(BrushingSession.Limits.events) events: nobody pauses and goes on as often."
        case .unknownKind(let index): SessionRefusal.unknownKind(index)
        case .doesNotBegin: SessionRefusal.doesNotBegin
        case .outOfOrder(let index):
            "\(SessionRefusal.event(index)) comes before the one in front of it. The events of a session stand in the order in which they happened."
        case .afterEnd(let index): SessionRefusal.afterEnd(index)
        case .claim: "The result that came with this session cannot be read. Update the hub, then it can be delivered."
        }
    }
}
