import GRDB
import Storage

/// Stores sessions of a companion with its results: prepared before the transaction, which then takes as long as writing
/// does.
public struct SessionStorage<Format: SessionFormat>: Sendable {
    /// What came of storing a session.
    public enum Outcome: Sendable, Equatable {
        /// Under which id it stands now: its own, or where another device went on with it as well, one made for it.
        case stored(id: String, Sessions.Stored)
        /// All of it is in what another device goes on with: nothing was stored, and nothing is missing.
        case active
        /// Somebody has removed it, and nothing was stored.
        case removed
    }

    let format: Format

    public init(_ format: Format) { self.format = format }

    /// What was prepared for is not what is there.
    struct Outdated: Error {}

    /// A session with the place that it gets.
    struct Prepared: Sendable {
        let session: Format.Session
        let placement: SessionPlacement<Format.Session>
        let root: String
        let household: String
        let stamp: SessionFamily<Format>.Stamp
        /// The active session that this is; nil for what was delivered whole.
        let upload: String?
    }

    /// Decides where a session is stored; reads the database, and plays through what it is compared with outside of any
    /// transaction.
    ///
    /// - Parameter upload: the active session that this is.
    func prepare(_ session: Format.Session, household: String, upload: String?, _ database: HubDatabase) async throws
        -> Prepared
    {
        let root = format.origin(of: session).id
        let format = format
        let unread = try await database.pool.read { db in
            try SessionFamily.unread(root, household: household, without: upload, format, db)
        }
        return try prepared(session, household: household, upload: upload, unread)
    }

    private func prepared(
        _ session: Format.Session, household: String, upload: String?, _ unread: SessionFamily<Format>.Unread
    ) throws -> Prepared {
        let family = SessionFamily(unread, format)
        let placement = try SessionPlacement(of: session, in: family, household: household, format)
        return Prepared(
            session: session, placement: placement, root: format.origin(of: session).id, household: household,
            stamp: family.stamp, upload: upload)
    }

    /// Stores what is prepared, in the caller's transaction. What is active of it is over with it.
    ///
    /// - Parameters:
    ///   - now: when it came, UTC milliseconds.
    ///   - isLimited: false for what the hub closes by itself: nobody would read of the limit.
    /// - Returns: what came of it; where something was stored, whose it is; and whether an active session is over with it.
    /// - Throws: ``Outdated`` where something has changed since; a 422 problem for a day that takes no more.
    func store(
        _ prepared: Prepared, of person: PersonRecord, _ household: HouseholdRecord, now: Int64, isLimited: Bool = true,
        _ db: Database
    ) throws -> (outcome: Outcome, context: SessionContext?, endsActive: Bool) {
        guard try prepared.stamp == .init(prepared.root, household: prepared.household, db) else { throw Outdated() }
        switch prepared.placement {
        case .active:
            return (.active, nil, try end([prepared.upload], of: prepared, db))
        case .again(let id, let isBranch):
            let isOver = try end([prepared.upload, isBranch ? nil : prepared.root], of: prepared, db)
            return (.stored(id: id, .again), nil, isOver)
        case .store(let session, let branch):
            let origin = format.origin(of: session)
            guard try !format.isRemoved(origin.id, household: household.id, db) else {
                return (
                    .removed, nil,
                    try end([prepared.upload, branch == nil ? prepared.root : nil], of: prepared, db)
                )
            }
            let moment = origin.moment(of: person, household)
            if isLimited, try Sessions.find(origin.id, household: household.id, db) == nil {
                try checkDay(format.day(of: moment), of: person, db)
            }
            let stored = try Sessions.store(format.record(of: session, person: person, receivedAt: now), db) { _ in
                .goesOn
            }
            let context = SessionContext(
                id: origin.id, person: person, household: household, moment: moment, now: now, branch: branch)
            if let branch { try branch.save(db) }
            if stored != .again { try format.result(of: session, context).save(db) }
            let isOver = try end([prepared.upload, branch == nil ? prepared.root : nil], of: prepared, db)
            return (.stored(id: origin.id, stored), stored == .again ? nil : context, isOver)
        }
    }

    /// Stores a session all at once, in the caller's transaction: for what the hub makes itself.
    ///
    /// - Throws: a 409 problem where its id is that of another session; a 422 problem for a day that takes no more.
    @discardableResult
    public func store(
        _ session: Format.Session, of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database
    ) throws -> Outcome {
        let root = format.origin(of: session).id
        let unread = try SessionFamily.unread(root, household: household.id, without: nil, format, db)
        let prepared = try prepared(session, household: household.id, upload: nil, unread)
        return try store(prepared, of: person, household, now: now, db).outcome
    }

    /// - Returns: whether any of them went on.
    private func end(_ ids: [String?], of prepared: Prepared, _ db: Database) throws -> Bool {
        var isOver = false
        for case let id? in ids {
            let key = ["household": prepared.household, "id": id]
            if try ActiveSessionRecord.deleteOne(db, key: key) { isOver = true }
        }
        return isOver
    }

    private func checkDay(_ day: Int32, of person: PersonRecord, _ db: Database) throws {
        let others =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM \(Format.StoredResult.databaseTableName) WHERE person = ? AND day = ?",
                arguments: [person.id, day]) ?? 0
        guard others < format.limits.perDay else {
            throw Problem.field(
                "events",
                "\(person.name) has \(others) sessions on that day, and no day takes more. Look at what sends them.")
        }
    }
}
