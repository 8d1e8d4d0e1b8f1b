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
    /// - Returns: whose it was, and under which id it is stored.
    /// - Throws: a 409 problem where today's engine refuses the events, which stay as they are.
    func close(_ record: RunningRecord, isLimited: Bool = true, _ db: Database) throws -> (PersonRecord, id: String) {
        guard let session = record.session else { throw StoringFault.unreadable }
        guard let person = try PersonRecord.fetchOne(db, key: record.person),
            let household = try HouseholdRecord.fetchOne(db, key: record.household)
        else { throw Problem.notFound("person") }
        let outcome = try DeliveredSession(closing: session).store(
            of: person, household, now: hub.clock.now(), isLimited: isLimited, db)
        guard case .stored(let id, _) = outcome else { throw RunningRecord.elsewhere }
        return (person, id)
    }

    /// The most times that storing a session is tried, one after the other: with the pauses between them, over two hours.
    static let mostTries = 8

    /// How long the hub waits after so many tries that failed, milliseconds: a minute, then twice as long each time.
    static func pause(afterTries tries: Int) -> Int64 { 60_000 << Int64(min(max(tries, 1), mostTries) - 1) }

    /// Ends what has not grown for ``RunningRecord/patience``. What cannot be stored is kept, tried again after longer and
    /// longer pauses, and at last parked with the reason, for an adult to see.
    ///
    /// - Parameter withParked: tries once also what is parked, as when the hub starts: it may be another version.
    func closeLeft(withParked: Bool = false) async throws {
        let now = hub.clock.now()
        let left = try await hub.database.pool.read { db in
            try RunningRecord.fetchAll(
                db,
                sql: """
                    SELECT * FROM drums_running WHERE seen_at <= ? AND (retry_at IS NULL OR retry_at <= ?)
                    AND (parked_at IS NULL OR ?) ORDER BY seen_at, id
                    """, arguments: [now - RunningRecord.patience, now, withParked])
        }
        var failure: (any Error)?
        for record in left {
            do {
                let person = try await hub.database.pool.write { db -> PersonRecord? in
                    guard let record = try unchanged(record, db) else { return nil }
                    return try close(record, isLimited: false, db).0
                }
                guard let person else { continue }
                tell(ended: record.id, of: person)
                if record.tries > 0 {
                    hub.log.notice("a drum session that nobody came back to is stored after all")
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                // What was played is still there, and the others are closed.
                do { try await setBack(record, for: StoringFault(error), now: now) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// A session as it is now; nil where it has gone on meanwhile.
    private func unchanged(_ record: RunningRecord, _ db: Database) throws -> RunningRecord? {
        let now = try RunningRecord.fetchOne(db, key: ["household": record.household, "id": record.id])
        return now?.seenAt == record.seenAt ? now : nil
    }

    /// Writes down that a session could not be stored. The log says so at the first time and when it is given up, and
    /// nothing of whose it is.
    private func setBack(_ record: RunningRecord, for fault: StoringFault, now: Int64) async throws {
        let tries = record.tries + 1
        let isParked = tries >= Self.mostTries
        let isKnown = try await hub.database.pool.write { db in
            guard var record = try unchanged(record, db) else { return false }
            record.tries = tries
            record.reason = fault.words
            record.retryAt = isParked ? nil : now + Self.pause(afterTries: tries)
            if isParked { record.parkedAt = record.parkedAt ?? now }
            try record.update(db)
            return true
        }
        guard isKnown, record.parkedAt == nil else { return }
        if isParked {
            hub.log.error(
                "a drum session that nobody came back to cannot be stored; it is kept, and adults see it",
                metadata: ["reason": "\(fault.logged)", "tries": "\(tries)"])
            hub.live.tell(.changed(companion: Drums.slug, what: "running", id: record.id), household: record.household)
        } else if tries == 1 {
            hub.log.warning(
                "a drum session that nobody came back to was not stored; it is tried again",
                metadata: ["reason": "\(fault.logged)"])
        }
    }

    /// Pages look again at what is played, and at this person's sessions.
    func tell(ended id: String, of person: PersonRecord) {
        hub.live.tell(.changed(companion: Drums.slug, what: "running", id: id), household: person.household)
        hub.live.tell(.changed(companion: Drums.slug, what: "session", id: person.id), household: person.household)
    }
}
