import Foundation
import GRDB
import HTTPTypes
import Storage

// How a session that goes on becomes one that is stored: delivered to its end, ended by somebody, or left.
extension ActiveSessions {
    /// Stores a session that was delivered as a whole. A repeated request is stored once and gets the same response.
    ///
    /// - Parameter content: the session, read before; its error is thrown only if the request was not answered before.
    func deliver(_ content: Result<Definition.Session, Problem>, _ request: APIRequest) async throws -> APIResponse<
        Stored<Definition.Response>
    > {
        let member = try request.member
        return try await again {
            guard case .success(let session) = content else {
                return try await request.idempotently { _ in throw (content.failure ?? busy) as any Error }
            }
            let prepared: Result<SessionStorage<Definition>.Prepared, any Error>
            do {
                prepared = .success(
                    try await storage.prepare(session, household: member.household, upload: nil, hub.database))
            } catch {
                prepared = .failure(error)
            }
            return try await store(prepared, as: session, upload: nil, request)
        }
    }

    /// Stores an active session that its page has marked as complete.
    func complete(_ id: String, _ request: APIRequest) async throws -> APIResponse<Stored<Definition.Response>> {
        let member = try request.member
        return try await again {
            let record = try await hub.database.pool.read { db in try find(id, household: member.household, db) }
            guard let record else { return try await stored(id, request) }
            let content = try await content(of: record)
            let session = definition.closed(try definition.session(content, isComplete: true))
            let prepared = try await storage.prepare(
                session, household: member.household, upload: id, hub.database)
            return try await store(.success(prepared), as: session, upload: record, request)
        }
    }

    /// Ends an active session as if it had been abandoned. If it has ended already, such as when the response was lost,
    /// the response is the same.
    func end(_ id: String, by member: Member) async throws -> APIResponse<JSON<Definition.Response>> {
        try await again {
            let record = try await hub.database.pool.read { db -> ActiveSessionRecord? in
                if try find(id, household: member.household, db) == nil,
                    let stored = try Sessions.find(id, household: member.household, db),
                    stored.companion == Definition.companion,
                    let person = try PersonRecord.fetchOne(db, key: stored.person),
                    hub.policy.allowsSession(member, of: person)
                {
                    return nil
                }
                return try self.record(id, for: member, db)
            }
            guard let record else {
                return try await hub.database.pool.read { db in try .json(try response(id, to: member, db).value) }
            }
            let prepared = try await closed(record)
            let answer = try await hub.database.pool.write { db -> Definition.Response in
                if let id = try store(prepared, closing: record, isLimited: true, db) {
                    return try response(id, to: member, db).value
                }
                // Nothing of it was stored.
                let person = try owner(of: record, db)
                let household = try HouseholdRecord.find(db, key: record.household)
                return try definition.responseWhileActive(prepared.session, of: person, household)
            }
            return try .json(answer)
        }
    }

    // MARK: - Left

    /// Ends the sessions that have not grown for the companion's patience. One that cannot be stored is tried again
    /// after longer and longer pauses, and at last marked as failed with its reason, for an adult to see.
    ///
    /// - Parameter withFailed: whether to try sessions that are marked as failed once more, as when the hub starts,
    ///   possibly in a newer version.
    public func closeLeft(withFailed: Bool = false) async throws {
        let now = hub.clock.now()
        let patience = limits.patienceMilliseconds
        let left = try await hub.database.pool.read { db in
            try ActiveSessionRecord.fetchAll(
                db,
                cached: """
                    SELECT * FROM active_session WHERE companion = ? AND seen_at <= ?
                    AND (retry_at IS NULL OR retry_at <= ?) AND (failed_at IS NULL OR ?) ORDER BY seen_at, id
                    """, arguments: [Definition.companion, now - patience, now, withFailed])
        }
        var failure: (any Error)?
        for record in left {
            do {
                try await closeLeft(record)
            } catch let error as CancellationError {
                throw error
            } catch is SessionStorage<Definition>.Outdated {
                // It has gone on meanwhile.
            } catch {
                // What was recorded is still there, and the others are closed.
                do { try await setBack(record, for: StorageFailure(error), now: now) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private func closeLeft(_ record: ActiveSessionRecord) async throws {
        let prepared = try await closed(record)
        try await hub.database.pool.write { db in
            _ = try store(prepared, closing: record, isLimited: false, db)
        }
        if record.tries > 0 {
            hub.log.notice("a \(Definition.noun) that nobody came back to is stored after all")
        }
    }

    /// Records that a session could not be stored. The log mentions it at the first time and when the hub gives up,
    /// without saying whose it is.
    private func setBack(_ record: ActiveSessionRecord, for failure: StorageFailure, now: Int64) async throws {
        let tries = record.tries + 1
        let isFailed = tries >= limits.tries
        let isKnown = try await hub.database.pool.write { db in
            let isNews = isFailed && record.failedAt == nil
            guard var record = try unchanged(record, db) else { return false }
            record.tries = tries
            // In English: each reader’s language is found when it is read.
            record.reason = failure.message.english
            record.retryAt = isFailed ? nil : now + limits.pause(afterTries: tries)
            if isFailed { record.failedAt = record.failedAt ?? now }
            try record.update(db)
            if isNews { publish(active: record.id, record.household, after: db) }
            return true
        }
        guard isKnown, record.failedAt == nil else { return }
        if isFailed {
            hub.log.error(
                "a \(Definition.noun) that nobody came back to cannot be stored; it is kept, and adults see it",
                metadata: ["reason": "\(failure.logged)", "tries": "\(tries)"])
        } else if tries == 1 {
            hub.log.warning(
                "a \(Definition.noun) that nobody came back to was not stored; it is tried again",
                metadata: ["reason": "\(failure.logged)"])
        }
    }

    // MARK: - Storing

    /// The session as the hub closes it now, prepared for its transaction.
    private func closed(_ record: ActiveSessionRecord) async throws -> SessionStorage<Definition>.Prepared {
        let content = try await content(of: record)
        guard let session = try? definition.session(content, isComplete: false) else {
            throw definition.messages.unreadable
        }
        return try await storage.prepare(
            definition.closed(session), household: record.household, upload: record.id, hub.database)
    }

    /// Stores a session that the hub closes.
    ///
    /// - Returns: the id that it has now; nil if it was removed.
    private func store(
        _ prepared: SessionStorage<Definition>.Prepared, closing record: ActiveSessionRecord, isLimited: Bool,
        _ db: Database
    ) throws -> String? {
        guard try unchanged(record, db) != nil else { throw SessionStorage<Definition>.Outdated() }
        guard let person = try PersonRecord.fetchOne(db, key: record.person),
            let household = try HouseholdRecord.fetchOne(db, key: record.household)
        else { throw Problem.notFound("There is no person here. It may have been removed.") }
        let (outcome, context, endsActive) = try storage.store(
            prepared, of: person, household, now: hub.clock.now(), isLimited: isLimited, db)
        try publish(record.id, of: context, household: household.id, endsActive: endsActive, db)
        return switch outcome {
        case .stored(let id, _): id
        case .active: prepared.root
        case .removed: nil
        }
    }

    private func store(
        _ prepared: Result<SessionStorage<Definition>.Prepared, any Error>, as session: Definition.Session,
        upload: ActiveSessionRecord?, _ request: APIRequest
    ) async throws -> APIResponse<Stored<Definition.Response>> {
        let member = try request.member
        let now = hub.clock.now()
        let origin = definition.origin(of: session)
        let (hub, definition) = (hub, definition)
        return try await request.idempotently { db in
            let (person, household) = try origin.accepted(from: member, hub, now: now, db)
            if let upload, try unchanged(upload, db) == nil { throw SessionStorage<Definition>.Outdated() }
            let (outcome, context, endsActive) = try storage.store(
                try prepared.get(), of: person, household, now: now, db)
            try publish(upload?.id ?? origin.id, of: context, household: household.id, endsActive: endsActive, db)
            guard case .stored(let id, let stored) = outcome else {
                let response = try definition.responseWhileActive(session, of: person, household)
                return try .stored(response, isNew: false).naming(person.id)
            }
            let response = try definition.response(id, to: member, of: person, hub, db)
            return try .stored(response, isNew: stored == .new).naming(person.id)
        }
    }

    /// The response for a session that is no longer active, when the request to complete it is repeated.
    private func stored(_ id: String, _ request: APIRequest) async throws -> APIResponse<Stored<Definition.Response>> {
        let member = try request.member
        return try await request.idempotently { db in
            let (value, person) = try response(id, to: member, db)
            return try .stored(value, isNew: false).naming(person)
        }
    }

    private func response(_ id: String, to member: Member, _ db: Database) throws -> (
        value: Definition.Response, person: String
    ) {
        guard let stored = try Sessions.find(id, household: member.household, db),
            stored.companion == Definition.companion, let person = try PersonRecord.fetchOne(db, key: stored.person),
            hub.policy.allowsSession(member, of: person)
        else { throw definition.messages.notFound }
        return (try definition.response(id, to: member, of: person, hub, db), person.id)
    }

    /// Repeats preparing and storing if the data changed in between.
    private func again<Form: ResponseForm>(_ work: () async throws -> APIResponse<Form>) async throws -> APIResponse<
        Form
    > {
        for _ in 0..<limits.preparations {
            do {
                return try await work()
            } catch is SessionStorage<Definition>.Outdated {
                continue
            }
        }
        throw busy
    }

    /// Notifies open pages after the transaction that an active session ended, or that a person has new content of a
    /// session, and has the companion store what that changes.
    private func publish(
        _ id: String, of context: SessionContext?, household: String, endsActive: Bool, _ db: Database
    ) throws {
        if endsActive { publish(active: id, household, after: db) }
        guard let context else { return }
        let changed = LiveEvent.changed(companion: Definition.companion, what: "session", id: context.person.id)
        hub.live.publish(changed, household: household, after: db)
        try definition.stored(context, hub, db)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
