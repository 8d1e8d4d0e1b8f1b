import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A session as it was delivered, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    let content: [UInt8]
    let session: BrushingSession

    /// Decodes a session.
    ///
    /// - Parameters:
    ///   - content: in the engine's codec.
    ///   - isComplete: whether no more bytes come. If some may, an event that is cut off at the end is left out.
    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    init(_ content: [UInt8], isComplete: Bool = true) throws(Problem) {
        do throws(SessionCodecError) {
            session = try BrushingSession.decoded(content, isComplete: isComplete)
            self.content = isComplete ? content : session.encoded()
        } catch {
            throw .field("events", detail: SessionText.refused(error))
        }
    }

    /// The session's id, its person and its beginning.
    var origin: SessionOrigin {
        SessionOrigin(
            id: session.id, person: session.person, startedAt: session.result.startedAt,
            utcOffsetMinutes: session.utcOffsetMinutes)
    }

    /// Stores it with the hub's own result, once, in the caller's transaction: what the hub made itself. Awards are not
    /// given here.
    ///
    /// - Parameter now: when it came, UTC milliseconds.
    /// - Throws: a 409 problem where other content has its id, a 422 problem for a day that takes no more.
    func store(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws {
        try SessionStorage(BrushingSessionDefinition()).store(self, of: person, household, now: now, db)
    }
}

extension LocalMoment {
    /// Finds the local day and minute of a time.
    ///
    /// - Parameter time: UTC milliseconds.
    init(of time: Int64, _ calendar: LocalCalendar) {
        let (day, minute) = calendar.moment(of: time)
        self.init(day: day, minute: minute)
    }
}
