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

    /// Bytes for one offset of a recording.
    struct Chunk: Sendable {
        var offset: Int
        var bytes: [UInt8]
        /// The CRC-32 of all bytes before the offset, as the sender has them.
        var checksum: UInt32
        /// The id of the original session, if the chunk belongs to a device's own copy of it.
        var session: String?
    }

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

    /// An error for a chunk that cannot be appended, with the number of bytes that the hub has.
    struct Conflict: Error {
        enum Reason: String, Sendable { case offset, diverged, over }

        var reason: Reason
        var offset: Int
        var problem: Problem
    }

    // MARK: - Appending

    /// Appends a chunk.
    ///
    /// - Throws: a ``Conflict`` if it does not fit the bytes that are there, or the session is over.
    func append(_ chunk: Chunk, to id: String, by member: Member) async throws -> (
        change: Change, position: RecordingPosition
    ) {
        do {
            return try await published(id, member) { db in try append(chunk, to: id, by: member, reopening: nil, db) }
        } catch is AlreadyStored {
            return try await reopen(id, with: chunk, by: member)
        }
    }

    /// An error for a chunk of a session that is stored as a whole.
    private struct AlreadyStored: Error {}

    /// A stored session that the hub itself had closed, as a recording again.
    private struct Reopened: Sendable {
        var digest: Data
        var recording: [UInt8]
        var origin: SessionOrigin
    }

    private func published(
        _ id: String, _ member: Member,
        _ write: @escaping @Sendable (Database) throws -> (Change, RecordingPosition)
    ) async throws -> (change: Change, position: RecordingPosition) {
        try await hub.database.pool.write { db in
            let (change, position) = try write(db)
            if change == .begun || change == .takenOver { publish(active: id, member.household, after: db) }
            return (change, position)
        }
    }

    private func append(
        _ chunk: Chunk, to id: String, by member: Member, reopening: Reopened?, _ db: Database
    ) throws -> (Change, RecordingPosition) {
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
            try SessionChunks.append(reopening.recording[...], to: &record, limits, db)
            change = .begun
        } else {
            if try Sessions.find(id, household: member.household, db) != nil { throw AlreadyStored() }
            guard chunk.offset == 0 else { throw wrongOffset(0) }
            let origin = try definition.origin(ofBeginning: chunk.bytes)
            guard origin.id == chunk.session ?? id else {
                throw Problem.field("events", "The session in the body has another id than the path: \(origin.id).")
            }
            guard id.utf8.count == origin.id.utf8.count, id.utf8.allSatisfy(Self.isHexadecimal) else {
                throw definition.messages.notFound
            }
            record = try begun(id, origin, by: member, db)
            change = .begun
        }
        guard let rest = try rest(of: chunk, after: record, db) else {
            return (.unchanged, RecordingPosition(offset: record.length, checksum: record.checksum))
        }
        guard record.length + rest.count <= limits.sessionBytes else {
            throw Problem(
                .contentTooLarge, "Too large",
                "No session has more than \(limits.sessionBytes) bytes. What was sent before is kept.", field: "events")
        }
        try checkRoom(for: rest.count, household: member.household, db)
        if change == .grown, record.signIn != member.signIn { change = .takenOver }
        try SessionChunks.append(rest, to: &record, limits, db)
        try touch(&record, by: member, db)
        return (change, RecordingPosition(offset: record.length, checksum: record.checksum))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// The bytes of a chunk that the hub does not have; nil for none.
    ///
    /// - Throws: a ``Conflict`` if the chunk differs from the bytes that are there.
    private func rest(of chunk: Chunk, after record: ActiveSessionRecord, _ db: Database) throws -> ArraySlice<UInt8>? {
        guard chunk.offset <= record.length else { throw wrongOffset(record.length) }
        let known = record.length - chunk.offset
        if chunk.bytes.count >= known {
            // All that is there must be what the sender has, or two devices would be woven into one.
            guard crc32(chunk.bytes[..<known], after: chunk.checksum) == record.checksum else {
                throw diverged(record.length)
            }
            return chunk.bytes.count > known ? chunk.bytes[known...] : nil
        }
        let range = chunk.offset..<chunk.offset + chunk.bytes.count
        guard try SessionChunks.bytes(range, of: record, limits, db) == chunk.bytes else {
            throw diverged(record.length)
        }
        return nil
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
                db, sql: "SELECT sum(length) FROM active_session WHERE household = ? AND companion = ?",
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
            try String.fetchOne(db, sql: "SELECT agent FROM sign_in WHERE id = ?", arguments: [member.signIn]) ?? ""
        record.signIn = member.signIn
        record.seenAt = hub.clock.now()
        record.changes += 1
        record.tries = 0
        (record.retryAt, record.reason, record.failedAt) = (nil, nil, nil)
        try record.update(db)
    }

    /// Handles a chunk for a session that is stored: it continues one that the hub itself had closed, or repeats bytes
    /// that are there.
    private func reopen(_ id: String, with chunk: Chunk, by member: Member) async throws -> (
        change: Change, position: RecordingPosition
    ) {
        for _ in 0..<limits.preparations {
            guard let stored = try await stored(id, by: member) else {
                return try await append(chunk, to: id, by: member)
            }
            let recording = stored.recording
            if chunk.offset + chunk.bytes.count <= recording.count,
                Array(recording[chunk.offset..<chunk.offset + chunk.bytes.count]) == chunk.bytes
            {
                return (.unchanged, stored.position)
            }
            guard stored.isUnended else {
                throw Conflict(reason: .over, offset: recording.count, problem: definition.messages.over)
            }
            let known = recording.count - chunk.offset
            guard known >= 0 else { throw wrongOffset(recording.count) }
            guard chunk.bytes.count >= known,
                crc32(chunk.bytes[..<known], after: chunk.checksum) == stored.position.checksum
            else { throw diverged(recording.count) }
            let reopened = Reopened(digest: stored.digest, recording: recording, origin: stored.origin)
            do {
                return try await published(id, member) { db in
                    try append(chunk, to: id, by: member, reopening: reopened, db)
                }
            } catch is SessionStorage<Definition>.Outdated {
                continue
            }
        }
        throw busy
    }

    /// A stored session as a recording, for a caller who may deliver it.
    struct StoredRecording: Sendable {
        var recording: [UInt8]
        var position: RecordingPosition
        var digest: Data
        var origin: SessionOrigin
        var isUnended: Bool
    }

    /// Reads a stored session.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: a 403 problem for a caller who may not deliver it.
    func stored(_ id: String, by member: Member) async throws -> StoredRecording? {
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
        let content = Array(record.content)
        let recording = try definition.recording(ofContent: content)
        let session = try definition.session(content)
        return StoredRecording(
            recording: recording,
            position: RecordingPosition(offset: recording.count, checksum: crc32(recording[...])),
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
    func recording(_ id: String, for member: Member) async throws -> (ActiveSessionRecord, [UInt8]) {
        try await hub.database.pool.read { db in
            let record = try record(id, for: member, db)
            return (record, try SessionChunks.all(of: record, limits, db))
        }
    }

    func recordingOf(_ record: ActiveSessionRecord) async throws -> [UInt8] {
        try await hub.database.pool.read { db in try SessionChunks.all(of: record, limits, db) }
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

    private func wrongOffset(_ offset: Int) -> Conflict {
        var problem = Problem(
            .conflict, "Another offset",
            "The hub has \(offset) bytes of this session, and the next ones go on from there.", field: "Upload-Offset")
        // The IETF draft "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload-05, 7.1).
        problem.type = "https://iana.org/assignments/http-problem-types#mismatching-upload-offset"
        return Conflict(reason: .offset, offset: offset, problem: problem)
    }

    func diverged(_ offset: Int) -> Conflict {
        Conflict(reason: .diverged, offset: offset, problem: definition.messages.diverged)
    }

    /// A problem with status 503: the session changed during each attempt to prepare it.
    var busy: Problem {
        Problem(
            .serviceUnavailable, "Busy",
            "This session changed each time that the hub looked. Send it again in a moment.",
            retryAfter: 1)
    }
}
