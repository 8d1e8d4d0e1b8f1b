import GRDB
import Storage

/// The storage of sessions with the companion's results. The work is prepared before the transaction, which then only
/// writes.
public struct SessionStorage<Definition: SessionDefinition>: Sendable {
    /// The outcome of storing a session.
    public enum Outcome: Sendable, Equatable {
        /// The session is stored under `id`: its own, or that of a branch if another device continued the session too.
        case stored(id: String, Sessions.Stored)
        /// The session is part of another device's active one, so nothing was stored.
        case active
        /// The session had been removed, so nothing was stored.
        case removed
    }

    let definition: Definition

    /// Creates the storage for a companion's definition.
    public init(_ definition: Definition) { self.definition = definition }

    /// An error if the data changed after the preparation.
    struct Outdated: Error {}

    /// A session with the decision where it is stored.
    struct Prepared: Sendable {
        let session: Definition.Session
        let placement: SessionPlacement<Definition.Session>
        let root: String
        let household: String
        let stamp: SessionFamily<Definition>.Stamp
        /// The id of the active session that is being stored; nil if it was delivered as a whole.
        let upload: String?
    }

    /// Decides where a session is stored. Other sessions under its id are read and replayed outside of any transaction.
    ///
    /// - Parameter upload: the id of the active session that is being stored.
    func prepare(_ session: Definition.Session, household: String, upload: String?, _ database: HubDatabase)
        async throws
        -> Prepared
    {
        let root = definition.origin(of: session).id
        let definition = definition
        let unread = try await database.pool.read { db in
            try SessionFamily.unread(root, household: household, without: upload, definition, db)
        }
        return try prepared(session, household: household, upload: upload, unread)
    }

    private func prepared(
        _ session: Definition.Session, household: String, upload: String?, _ unread: SessionFamily<Definition>.Unread
    ) throws -> Prepared {
        let family = SessionFamily(unread, definition)
        let placement = try SessionPlacement(of: session, in: family, household: household, definition)
        return Prepared(
            session: session, placement: placement, root: definition.origin(of: session).id, household: household,
            stamp: family.stamp, upload: upload)
    }

    /// Stores a prepared session, in the caller's transaction, and ends its active session.
    ///
    /// - Parameters:
    ///   - now: the time at which it was delivered, in UTC milliseconds.
    ///   - isLimited: whether the limit per day applies; false for sessions that the hub closes by itself, when nobody
    ///     would read the error.
    /// - Returns: the outcome; the circumstances if something was stored; and whether an active session has ended.
    /// - Throws: ``Outdated`` if the data changed since; a 422 problem if the day has as many sessions as it may.
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
            let origin = definition.origin(of: session)
            guard try !definition.isRemoved(origin.id, household: household.id, db) else {
                return (
                    .removed, nil,
                    try end([prepared.upload, branch == nil ? prepared.root : nil], of: prepared, db)
                )
            }
            let moment = origin.moment(of: person, household)
            if isLimited, try Sessions.find(origin.id, household: household.id, db) == nil {
                try checkDay(definition.day(of: moment), of: person, db)
            }
            let stored = try Sessions.store(definition.record(of: session, person: person, receivedAt: now), db) { _ in
                .goesOn
            }
            let context = SessionContext(
                id: origin.id, person: person, household: household, moment: moment, now: now, branch: branch)
            if let branch { try branch.save(db) }
            switch stored {
            case .new: try definition.result(of: session, context).insert(db)
            case .again: break
            case .replaced: try definition.result(of: session, context).save(db)
            }
            let isOver = try end([prepared.upload, branch == nil ? prepared.root : nil], of: prepared, db)
            return (.stored(id: origin.id, stored), stored == .again ? nil : context, isOver)
        }
    }

    /// Stores a session at once, in the caller's transaction, for sessions that the hub makes itself.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - person: its person.
    ///   - household: the person's household.
    ///   - now: the current time, in UTC milliseconds.
    /// - Throws: a 409 problem if its id belongs to another session; a 422 problem if the day has as many sessions as
    ///   it may.
    @discardableResult
    public func store(
        _ session: Definition.Session, of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database
    ) throws -> Outcome {
        let root = definition.origin(of: session).id
        let unread = try SessionFamily.unread(root, household: household.id, without: nil, definition, db)
        let prepared = try prepared(session, household: household.id, upload: nil, unread)
        return try store(prepared, of: person, household, now: now, db).outcome
    }

    /// Stores a session that the hub has recorded by itself, in the caller's transaction, with all that follows of one that
    /// somebody delivers: open pages are told, and the companion stores what it changes.
    ///
    /// - Throws: as ``store(_:of:_:now:_:)``.
    public func record(
        _ session: Definition.Session, of person: PersonRecord, _ household: HouseholdRecord, _ hub: HubContext,
        _ db: Database
    ) throws {
        let root = definition.origin(of: session).id
        let unread = try SessionFamily.unread(root, household: household.id, without: nil, definition, db)
        let prepared = try prepared(session, household: household.id, upload: nil, unread)
        guard let context = try store(prepared, of: person, household, now: hub.clock.now(), db).context else { return }
        let changed = LiveEvent.changed(companion: Definition.companion, what: "session", id: person.id)
        hub.live.publish(changed, household: household.id, after: db)
        try definition.stored(context, hub, db)
    }

    /// Ends active sessions.
    ///
    /// - Returns: whether any was active.
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
                db,
                cached:
                    "SELECT count(*) FROM \(Definition.StoredResult.databaseTableName) WHERE person = ? AND day = ?",
                arguments: [person.id, day]) ?? 0
        guard others < definition.limits.perDay else {
            throw Problem.field(
                "events",
                "\(person.name) has \(others) sessions on that day, and no day takes more. Look at what sends them.")
        }
    }
}
