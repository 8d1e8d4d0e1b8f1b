import Foundation
import GRDB
import HTTPTypes
import Storage
import Wire

/// The active sessions of a companion: those that are still being recorded.
///
/// Their bytes arrive in chunks, each appended at an offset. A chunk costs the same however long the session is; one
/// that arrives twice is stored once; and a device that was offline asks for the offset to know what to send. No
/// session is replayed inside the database's only writer.
public struct ActiveSessions<Definition: SessionDefinition>: Sendable {
    let hub: HubContext
    let definition: Definition

    /// Creates the active sessions of a companion.
    public init(_ definition: Definition, hub: HubContext) {
        self.definition = definition
        self.hub = hub
    }

    var limits: ActiveSessionLimits { definition.limits }
    var storage: SessionStorage<Definition> { SessionStorage(definition) }

    /// The effect of a chunk.
    enum Change: Sendable {
        /// The session was unknown and has begun.
        case begun
        /// Another page than before continued the session.
        case takenOver
        /// The same page continued the session.
        case grown
        /// The hub had all bytes of the chunk before.
        case unchanged
    }

    // MARK: - Appending

    /// Appends a chunk.
    ///
    /// - Throws: an ``UploadConflict`` if it does not fit the bytes that are there, or the session is over.
    func append(_ chunk: UploadedChunk, to id: String, session: String? = nil, by member: Member) async throws -> (
        change: Change, position: UploadPosition
    ) {
        do {
            return try await published(id, member) { db in
                try append(chunk, to: id, session: session, by: member, reopening: nil, db)
            }
        } catch is AlreadyStored {
            return try await reopen(id, with: chunk, session: session, by: member)
        }
    }

    /// An error for a chunk of a session that is stored as a whole.
    private struct AlreadyStored: Error {}

    /// A stored session that the hub itself had closed, as it was before.
    private struct Reopened: Sendable {
        var digest: Data
        var content: [UInt8]
        var origin: SessionOrigin
    }

    private func published(
        _ id: String, _ member: Member,
        _ write: @escaping @Sendable (Database) throws -> (Change, UploadPosition)
    ) async throws -> (change: Change, position: UploadPosition) {
        try await hub.database.pool.write { db in
            let (change, position) = try write(db)
            if change == .begun || change == .takenOver { publish(active: id, member.household, after: db) }
            return (change, position)
        }
    }

    private func append(
        _ chunk: UploadedChunk, to id: String, session: String?, by member: Member, reopening: Reopened?,
        _ db: Database
    ) throws -> (Change, UploadPosition) {
        var change = Change.grown
        var record: ActiveSessionRecord
        if let known = try find(id, household: member.household, db) {
            guard hub.policy.allowsSession(member, of: try owner(of: known, db)) else {
                throw try somebodyElses(known, db)
            }
            record = known
        } else if let reopening {
            let stored = try Sessions.find(id, household: member.household, db)
            guard stored?.digest == reopening.digest else { throw SessionStorage<Definition>.Outdated() }
            record = try begun(id, reopening.origin, by: member, db)
            try SessionChunks.append(reopening.content[...], to: &record, limits, db)
            change = .begun
        } else {
            if try Sessions.find(id, household: member.household, db) != nil { throw AlreadyStored() }
            guard chunk.offset == 0 else { throw UploadConflict(offset: 0) }
            let origin = try definition.origin(ofBeginning: chunk.bytes)
            guard origin.id == session ?? id else {
                throw Problem.field("events", "The session in the body has another id than the path: \(origin.id).")
            }
            guard id.utf8.count == origin.id.utf8.count, id.utf8.allSatisfy(Self.isHexadecimal) else {
                throw definition.messages.notFound
            }
            record = try begun(id, origin, by: member, db)
            change = .begun
        }
        let rest = try record.position.rest(of: chunk, or: definition.messages.diverged) { range in
            try SessionChunks.bytes(range, of: record, limits, db)
        }
        guard let rest else { return (.unchanged, record.position) }
        guard record.length + rest.count <= limits.sessionBytes else {
            throw Problem(
                .contentTooLarge, "Too large",
                "No session has more than \(limits.sessionBytes) bytes. What was sent before is kept.", field: "events")
        }
        try checkRoom(for: rest.count, household: member.household, db)
        if change == .grown, record.signIn != member.signIn { change = .takenOver }
        try SessionChunks.append(rest, to: &record, limits, db)
        try touch(&record, by: member, db)
        return (change, record.position)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private func begun(_ id: String, _ origin: SessionOrigin, by member: Member, _ db: Database) throws
        -> ActiveSessionRecord
    {
        let person = try origin.accepted(from: member, hub, now: hub.clock.now(), db).person
        let others = try ActiveSessionRecord.filter(
            sql: "household = ? AND companion = ?", arguments: [member.household, Definition.companion]
        ).fetchCount(db)
        guard others < limits.perHousehold else {
            throw Problem.field("events", detail: definition.messages.tooMany(others))
        }
        let record = ActiveSessionRecord(
            household: member.household, id: id, companion: Definition.companion, session: origin.id, person: person.id,
            signIn: member.signIn, agent: "", startedAt: origin.startedAt, seenAt: hub.clock.now())
        try record.insert(db)
        return record
    }

    private func checkRoom(for count: Int, household: String, _ db: Database) throws {
        let bytes =
            try Int.fetchOne(
                db, cached: "SELECT sum(length) FROM active_session WHERE household = ? AND companion = ?",
                arguments: [household, Definition.companion]) ?? 0
        guard bytes + count <= limits.householdBytes else {
            throw Problem(
                .contentTooLarge, "Too much at once",
                "The sessions that go on in this household have \(bytes) bytes, and no more are kept. End some of them.",
                field: "events")
        }
    }

    /// Updates a session that has grown, and clears any earlier failure to store it.
    private func touch(_ record: inout ActiveSessionRecord, by member: Member, _ db: Database) throws {
        record.agent =
            try String.fetchOne(db, cached: "SELECT agent FROM sign_in WHERE id = ?", arguments: [member.signIn]) ?? ""
        record.signIn = member.signIn
        record.seenAt = hub.clock.now()
        record.changes += 1
        record.tries = 0
        (record.retryAt, record.reason, record.failedAt) = (nil, nil, nil)
        try record.update(db)
    }

    /// Handles a chunk for a session that is stored: it continues one that the hub itself had closed, or repeats bytes
    /// that are there.
    private func reopen(_ id: String, with chunk: UploadedChunk, session: String?, by member: Member) async throws -> (
        change: Change, position: UploadPosition
    ) {
        for _ in 0..<limits.preparations {
            guard let stored = try await stored(id, by: member) else {
                return try await append(chunk, to: id, session: session, by: member)
            }
            let content = stored.content
            if chunk.offset <= content.count, content.dropFirst(chunk.offset).starts(with: chunk.bytes) {
                return (.unchanged, stored.position)
            }
            guard stored.isUnended else {
                throw UploadConflict(reason: .over, offset: content.count, problem: definition.messages.over)
            }
            _ = try stored.position.rest(of: chunk, or: definition.messages.diverged) { Array(content[$0]) }
            let reopened = Reopened(digest: stored.digest, content: content, origin: stored.origin)
            do {
                return try await published(id, member) { db in
                    try append(chunk, to: id, session: session, by: member, reopening: reopened, db)
                }
            } catch is SessionStorage<Definition>.Outdated {
                continue
            }
        }
        throw busy
    }

    /// A stored session as its device recorded it, for a caller who may deliver it.
    struct StoredContent: Sendable {
        var content: [UInt8]
        var position: UploadPosition
        var digest: Data
        var origin: SessionOrigin
        var isUnended: Bool
    }

    /// Reads a stored session.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: a 403 problem for a caller who may not deliver it.
    func stored(_ id: String, by member: Member) async throws -> StoredContent? {
        let record = try await hub.database.pool.read { db -> SessionRecord? in
            guard let record = try Sessions.find(id, household: member.household, db),
                record.companion == Definition.companion,
                let person = try PersonRecord.fetchOne(db, key: record.person)
            else { return nil }
            guard hub.policy.allowsSession(member, of: person) else {
                throw definition.messages.somebodyElses(person.name)
            }
            return record
        }
        guard let record else { return nil }
        guard let whole = record.intactContent else { throw definition.messages.unreadable }
        let session = try definition.session(whole, isComplete: true)
        let content = definition.recorded(of: session)
        return StoredContent(
            content: content, position: UploadPosition(offset: content.count, checksum: crc32(content[...])),
            digest: record.digest, origin: definition.origin(of: session), isUnended: definition.isUnended(session))
    }

    // MARK: - What is there

    func find(_ id: String, household: String, _ db: Database) throws -> ActiveSessionRecord? {
        guard let record = try ActiveSessionRecord.fetchOne(db, key: ["household": household, "id": id]),
            record.companion == Definition.companion
        else { return nil }
        return record
    }

    /// The person of a session.
    func owner(of record: ActiveSessionRecord, _ db: Database) throws -> PersonRecord {
        guard let person = try PersonRecord.fetchOne(db, key: record.person) else {
            throw definition.messages.notFound
        }
        return person
    }

    /// Whether a page may continue a session, which includes reading all of it: the page of anyone who may see it
    /// anyway, the page that records it, and a page on a shared device.
    public func mayGoOn(_ record: ActiveSessionRecord, at member: Member, of person: PersonRecord) -> Bool {
        let policy = hub.policy
        return policy.allowsViewing(member, of: person, now: hub.clock.now())
            || policy.allowsSession(member, of: person) && (record.signIn == member.signIn || member.isShared)
    }

    /// The active session for a caller who may continue or end it.
    ///
    /// - Throws: a 404 problem if it is not active, a 403 problem if the caller may not.
    func record(_ id: String, for member: Member, _ db: Database) throws -> ActiveSessionRecord {
        guard let record = try find(id, household: member.household, db) else {
            throw definition.messages.notFound
        }
        guard mayGoOn(record, at: member, of: try owner(of: record, db)) else { throw try somebodyElses(record, db) }
        return record
    }

    /// The record and bytes of an active session, for a caller who may continue it.
    func content(_ id: String, for member: Member) async throws -> (ActiveSessionRecord, [UInt8]) {
        try await hub.database.pool.read { db in
            let record = try record(id, for: member, db)
            return (record, try SessionChunks.all(of: record, limits, db))
        }
    }

    /// The bytes of an active session.
    ///
    /// - Throws: a 409 problem if they are not those that came any more: their rows were damaged.
    func content(of record: ActiveSessionRecord) async throws -> [UInt8] {
        let content = try await hub.database.pool.read { db in try SessionChunks.all(of: record, limits, db) }
        guard crc32(content[...]) == record.checksum else { throw definition.messages.unreadable }
        return content
    }

    /// The session's record if it has not changed since it was read; otherwise nil.
    func unchanged(_ record: ActiveSessionRecord, _ db: Database) throws -> ActiveSessionRecord? {
        let now = try find(record.id, household: record.household, db)
        return now?.changes == record.changes ? now : nil
    }

    // MARK: - Live messages

    func publish(active id: String, _ household: String, after db: Database) {
        let changed = LiveEvent.changed(companion: Definition.companion, what: "active", id: id)
        hub.live.publish(changed, household: household, after: db)
    }

    private func somebodyElses(_ record: ActiveSessionRecord, _ db: Database) throws -> Problem {
        definition.messages.somebodyElses(try owner(of: record, db).name)
    }

    func diverged(_ offset: Int) -> UploadConflict {
        UploadConflict(reason: .diverged, offset: offset, problem: definition.messages.diverged)
    }

    /// A problem with status 503: the session changed during each attempt to prepare it.
    var busy: Problem {
        Problem(
            .serviceUnavailable, "Busy",
            "This session changed each time that the hub looked. Send it again in a moment.",
            retryAfter: 1)
    }
}

extension ActiveSessionRecord {
    /// The position behind the bytes that are stored.
    var position: UploadPosition { UploadPosition(offset: length, checksum: checksum) }
}
