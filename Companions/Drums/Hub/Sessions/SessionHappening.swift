import DrumsEngine

/// An incident of a session beside its beats: a lost link, a pause, a page that came back.
struct SessionHappening: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable, CaseIterable { case linkLost, paused, takenUp, closed, stored }

    /// UTC milliseconds, by the device's clock; by the hub's for what the hub did.
    var at: Int64
    var what: Kind
    /// The time that it took; nil where it had no end.
    var milliseconds: Int64?
    /// The number of beats that were not judged because of it.
    var beats: Int?
    /// The link that was lost, and the one with which it went on.
    var link, to: LinkKind.Name?
    /// The reason for which the hub closed the session.
    var end: SessionEnd.Name?

    /// The incidents of a session in their order, as far as that is known. The last is that the hub has it.
    static func all(of session: DrumSession, receivedAt: Int64) -> [SessionHappening] {
        var all: [SessionHappening] = []
        var link = session.setup.link
        // Where the pause and the lost link that have no end yet are listed.
        var pause: Int?
        var lost: (place: Int, before: Int)?
        let times = session.wallMilliseconds
        let isAsked = session.events.contains { $0.input == .linkLost }
        let unjudged = isAsked ? session.unjudgedCounts : []
        for (index, event) in session.events.enumerated() {
            let at = times[index]
            switch event.input {
            case .pause where pause == nil:
                pause = all.count
                all.append(SessionHappening(at: at, what: .paused))
            case .resume:
                if let place = pause { all[place].milliseconds = at - all[place].at }
                pause = nil
            case .linkLost where lost == nil:
                lost = (all.count, unjudged[index])
                all.append(SessionHappening(at: at, what: .linkLost, link: link.name))
            case .linkBack(let other, _):
                if let (place, before) = lost {
                    all[place].milliseconds = at - all[place].at
                    all[place].beats = unjudged[index + 1] - before
                    all[place].to = other == link ? nil : other.name
                }
                lost = nil
                link = other
            case .opened where index > 0:
                all.append(SessionHappening(at: at, what: .takenUp, milliseconds: max(at - times[index - 1], 0)))
            default: break
            }
        }
        if let (place, before) = lost { all[place].beats = (unjudged.last ?? before) - before }
        if session.isClosedByHub {
            all.append(SessionHappening(at: receivedAt, what: .closed, end: session.end?.name))
        }
        all.append(SessionHappening(at: receivedAt, what: .stored))
        return all
    }
}
