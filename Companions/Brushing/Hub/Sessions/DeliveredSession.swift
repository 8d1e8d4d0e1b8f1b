import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A session as it was delivered, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    /// The most sessions of one person on one brushing day: each that comes has all before it folded anew.
    static let mostADay = 100

    let content: [UInt8]
    let session: BrushingSession

    /// - Parameter content: in the engine's codec.
    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    init(_ content: [UInt8]) throws(Problem) {
        self.content = content
        do throws(SessionCodecError) {
            session = try BrushingSession.decoded(content)
        } catch {
            throw .field("events", SessionWords.refused(error))
        }
    }

    /// Who it is, of whom, and since when.
    var origin: SessionOrigin {
        SessionOrigin(
            id: session.id, person: session.person, startedAt: session.result.startedAt,
            utcOffsetMinutes: session.utcOffsetMinutes)
    }

    /// Stores it with the hub's own result, once, in the caller's transaction. Awards are not given here.
    ///
    /// - Parameter now: when it came, UTC milliseconds.
    /// - Throws: a 409 problem where other content has its id, a 422 problem for more than ``mostADay``.
    func store(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws
        -> Sessions.Stored
    {
        let result = session.result
        let origin = origin
        let stored = try Sessions.store(
            SessionRecord(
                household: household.id, id: origin.id, person: person.id, companion: Brushing.slug,
                startedAt: result.startedAt, endedAt: result.endedAt, engineVersion: Int(session.recordedVersion),
                content: content, claimDiffers: session.claimDiffers, receivedAt: now), db)
        guard stored == .new else { return stored }
        let moment = origin.moment(of: person, household)
        let local = LocalMoment(day: moment.day, minute: moment.minute)
        let others = try ResultRecord.filter(
            sql: "person = ? AND day = ?", arguments: [person.id, local.brushingDay]
        ).fetchCount(db)
        guard others < Self.mostADay else {
            throw Problem.field(
                "events",
                "\(person.name) has \(others) sessions on that day, and no day takes more. Look at what sends them.")
        }
        try ResultRecord(
            household: household.id, id: origin.id, person: person.id, day: local.brushingDay, minute: local.minute,
            isMorning: local.isMorning, startedAt: result.startedAt, brushMilliseconds: result.brushMilliseconds,
            flossMilliseconds: result.flossMilliseconds, rinseMilliseconds: result.rinseMilliseconds,
            pausedMilliseconds: result.pausedMilliseconds, skipped: result.skipped, isComplete: result.isComplete,
            counts: result.counts, reason: ResultRecord.Reason(result.reason)
        ).insert(db)
        return .new
    }
}

extension LocalMoment {
    /// - Parameter time: UTC milliseconds.
    init(of time: Int64, _ calendar: LocalCalendar) {
        let (day, minute) = calendar.moment(of: time)
        self.init(day: day, minute: minute)
    }
}
