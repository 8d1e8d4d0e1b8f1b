import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// Keeps what is being played, and ends what nobody goes on with.
struct RunningSessions: Sendable {
    /// What came of telling the hub how far a session is.
    enum Kept: Sendable {
        /// The hub had not heard of it.
        case begun
        /// By another page than before.
        case takenUp
        /// The same page goes on.
        case grown
        /// Nothing that the hub did not know.
        case known
    }

    let hub: Hub

    /// Keeps how far a session is, in the caller's transaction.
    ///
    /// - Throws: a 409 problem where it does not go on from what is kept, or is over; a 422 problem for too many.
    func keep(_ session: DrumSession, _ content: [UInt8], by member: Member, of person: PersonRecord, _ db: Database)
        throws -> Kept
    {
        let origin = session.origin
        let household = member.household
        guard try Sessions.find(origin.id, household: household, db) == nil else { throw RunningRecord.over }
        let agent =
            try String.fetchOne(db, sql: "SELECT agent FROM sign_in WHERE id = ?", arguments: [member.signIn]) ?? ""
        let record = RunningRecord(
            household: household, id: origin.id, person: person.id, content: Data(content), signIn: member.signIn,
            agent: agent, startedAt: origin.startedAt, seenAt: hub.clock.now())
        guard let before = try RunningRecord.fetchOne(db, key: ["household": household, "id": origin.id]) else {
            let others = try RunningRecord.filter(sql: "household = ?", arguments: [household]).fetchCount(db)
            guard others < RunningRecord.most else {
                throw Problem.field(
                    "events",
                    "\(others) songs are being played in this household, and no more are kept. End some of them.")
            }
            try record.insert(db)
            return .begun
        }
        // What today's engine cannot read is replaced by what it can.
        if let known = before.session {
            guard session.isContinuation(of: known) else {
                guard before.signIn == member.signIn, known.isContinuation(of: session) else {
                    throw RunningRecord.elsewhere
                }
                return .known
            }
            if known.isContinuation(of: session) { return .known }
        }
        try record.update(db)
        return before.signIn == member.signIn ? .grown : .takenUp
    }

    /// Ends a session with its reason and stores what was played, in the caller's transaction.
    ///
    /// - Parameter isLimited: whether a day that is full refuses it.
    /// - Returns: whose it was; nil where today's engine refuses the events, which stay as they are.
    func close(_ record: RunningRecord, isLimited: Bool = true, _ db: Database) throws -> PersonRecord? {
        guard let session = record.session, let person = try PersonRecord.fetchOne(db, key: record.person),
            let household = try HouseholdRecord.fetchOne(db, key: record.household)
        else { return nil }
        _ = try DeliveredSession(closing: session).store(
            of: person, household, now: hub.clock.now(), isLimited: isLimited, db)
        return person
    }

    /// Ends what has not grown for ``RunningRecord/patience``.
    func closeLeft() async throws {
        let due = hub.clock.now() - RunningRecord.patience
        let left = try await hub.database.pool.read { db in
            try RunningRecord.fetchAll(
                db, sql: "SELECT * FROM drums_running WHERE seen_at <= ? ORDER BY seen_at, id", arguments: [due])
        }
        for record in left {
            do {
                let person = try await hub.database.pool.write { db -> PersonRecord? in
                    // It may have gone on meanwhile.
                    let key = ["household": record.household, "id": record.id]
                    guard let now = try RunningRecord.fetchOne(db, key: key), now.seenAt <= due else { return nil }
                    return try close(now, isLimited: false, db)
                }
                if let person { tell(ended: record.id, of: person) }
            } catch let error as CancellationError {
                throw error
            } catch {
                // What was played is still there, and the others are closed.
                let reason = (error as? Problem)?.title ?? "\(error)"
                hub.log.warning(
                    "a drum session that nobody came back to was not stored", metadata: ["reason": "\(reason)"])
            }
        }
    }

    /// Pages look again at what is played, and at this person's sessions.
    func tell(ended id: String, of person: PersonRecord) {
        hub.live.tell(.changed(companion: Drums.slug, what: "running", id: id), household: person.household)
        hub.live.tell(.changed(companion: Drums.slug, what: "session", id: person.id), household: person.household)
    }
}
