import DrumsEngine

/// Something that happened to a session beside its beats: a lost link, a pause, a page that came back.
struct SessionHappening: Encodable, Sendable, Equatable {
    enum Kind: String, Encodable, Sendable { case linkLost, paused, takenUp, closed, stored }

    /// UTC milliseconds, by the device's clock; by the hub's for what the hub did.
    var at: Int64
    var what: Kind
    /// How long it took; nil where it had no end.
    var milliseconds: Int64?
    /// How many beats were not judged because of it.
    var beats: Int?
    /// The link that was lost, and the one with which it went on.
    var link, to: LinkKind.Name?
    /// Why the hub closed it.
    var end: SessionEnd.Name?

    /// In the order in which it happened, as far as that can be told: the last is that the hub has it.
    static func all(of session: DrumSession, receivedAt: Int64) -> [SessionHappening] {
        var all: [SessionHappening] = []
        var link = session.setup.link
        // Where the pause and the lost link that have no end yet are told.
        var pause: Int?
        var lost: (place: Int, before: Int)?
        let counts = UnjudgedBeats(session)
        for (index, event) in session.events.enumerated() {
            var at: Int64 { session.wallMilliseconds(ofEvent: index) }
            switch event.input {
            case .pause where pause == nil:
                pause = all.count
                all.append(SessionHappening(at: at, what: .paused))
            case .resume:
                if let place = pause { all[place].milliseconds = at - all[place].at }
                pause = nil
            case .linkLost where lost == nil:
                lost = (all.count, counts.before(event: index))
                all.append(SessionHappening(at: at, what: .linkLost, link: link.name))
            case .linkBack(let other, _):
                if let (place, before) = lost {
                    all[place].milliseconds = at - all[place].at
                    all[place].beats = counts.before(event: index + 1) - before
                    all[place].to = other == link ? nil : other.name
                }
                lost = nil
                link = other
            case .opened where index > 0:
                let left = session.wallMilliseconds(ofEvent: index - 1)
                all.append(SessionHappening(at: at, what: .takenUp, milliseconds: max(at - left, 0)))
            default: break
            }
        }
        if let (place, before) = lost { all[place].beats = counts.before(event: session.events.count) - before }
        if session.isClosedByHub {
            all.append(SessionHappening(at: receivedAt, what: .closed, end: session.end?.name))
        }
        all.append(SessionHappening(at: receivedAt, what: .stored))
        return all
    }
}

/// How many beats had not been judged by an event: asked of the engine, which is given the events again, wherever the
/// link is lost or comes back.
private struct UnjudgedBeats {
    private var counts: [Int] = []

    init(_ session: DrumSession) {
        let isAsked = session.events.contains { $0.input == .linkLost }
        guard isAsked, var replay = try? DrumSession(setup: session.setup) else { return }
        counts = Array(repeating: 0, count: session.events.count + 1)
        for (index, event) in session.events.enumerated() {
            if event.input == .linkLost { counts[index] = Self.count(replay) }
            _ = replay.handle(event.input, atMicroseconds: event.atMicroseconds)
            if case .linkBack = event.input { counts[index + 1] = Self.count(replay) }
        }
        counts[session.events.count] = Self.count(replay)
    }

    private static func count(_ session: DrumSession) -> Int {
        session.result.beats.count { $0.verdict == .notJudged }
    }

    func before(event: Int) -> Int { counts.indices.contains(event) ? counts[event] : 0 }
}
