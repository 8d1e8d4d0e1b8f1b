import DrumsEngine
import GRDB
import HubKit
import Storage

/// A session that is to be stored, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    /// The events as they are stored: as delivered, and where the session was not over, with the hub's own end.
    let content: [UInt8]
    let session: DrumSession

    /// Decodes a session as it came.
    ///
    /// - Parameters:
    ///   - content: in the engine's codec.
    ///   - isComplete: whether no more bytes come. If some may, an event that is cut off at the end is left out.
    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    init(_ content: [UInt8], isComplete: Bool = true) throws(Problem) {
        do throws(SessionCodecError) {
            let session = try DrumSession.decoded(content, isComplete: isComplete)
            self.init(content: isComplete ? content : session.encoded(), session: session)
        } catch {
            throw .field("events", detail: SessionText.refused(error))
        }
    }

    init(content: [UInt8], session: DrumSession) {
        self.content = content
        self.session = session
    }

    /// A session that this hub made itself, such as one of a file, or that nobody goes on with: then ended by the hub
    /// with its reason. What was played stays as it was.
    init(closing session: DrumSession) {
        var session = session
        if session.end == nil, let last = session.events.indices.last {
            _ = session.handle(
                .closed(wall: session.wallMilliseconds(ofEvent: last)),
                atMicroseconds: session.events[last].atMicroseconds)
        }
        self.init(content: session.encoded(), session: session)
    }

    /// Stores it with the hub's own result, once, in the caller's transaction: what the hub made itself.
    ///
    /// - Parameter now: when it came, UTC milliseconds.
    /// - Throws: a 409 problem where its id is that of a session that it does not share its beginning with; a 422
    ///   problem for a day that takes no more.
    func store(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws {
        try SessionStorage(DrumSessionDefinition()).store(self, of: person, household, now: now, db)
    }
}

extension DrumSession {
    /// The session's id, its person and its beginning.
    var origin: SessionOrigin {
        SessionOrigin(
            id: setup.id, person: setup.person, startedAt: result.startedAt, utcOffsetMinutes: setup.utcOffsetMinutes)
    }

    /// Whether its end is the hub's, because the page that played it did not come back.
    var isClosedByHub: Bool {
        if case .closed = events.last?.input { true } else { false }
    }
}
