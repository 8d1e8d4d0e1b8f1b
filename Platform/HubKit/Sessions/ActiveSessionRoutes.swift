import Foundation
import GRDB
import HTTPTypes
import Localization
import NIOCore
import Storage

/// The routes that receive a session in chunks while it is being recorded, after the IETF draft "Resumable Uploads for
/// HTTP" (draft-ietf-httpbis-resumable-upload-05). The header fields are the draft's, except for `Upload-Checksum` and
/// `Upload-Active`.
public struct ActiveSessionRoutes<Definition: SessionDefinition>: Sendable {
    /// The response to a chunk: the number of bytes that the hub has, or the session if it is complete.
    private typealias AppendResponse = APIResponse<Stored<OneOf<AppendedResponse, Definition.Response>>>

    let sessions: ActiveSessions<Definition>

    /// Creates the routes for a companion's active sessions.
    public init(_ sessions: ActiveSessions<Definition>) { self.sessions = sessions }

    /// Adds the routes below `/api/<companion>/active`.
    package func add(to routes: Routes) {
        let path = "/api/\(Definition.companion)/active"
        let limits = sessions.limits
        routes.get(
            path, .member,
            "The sessions that go on in the household, and those that could not be stored, which adults see."
        ) { request in
            let member = try request.member
            return try await request.hub.database.pool.read { db in try .json(try Self.all(sessions, for: member, db)) }
        }
        routes.on(
            .head, path + "/{id}", .member,
            "How far the hub is with a session: `Upload-Offset` bytes, whose CRC-32 is `Upload-Checksum`; `Upload-Active: ?0` where it goes on nowhere, and `Upload-Complete: ?1` where nobody may go on with it."
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            let record = try await request.hub.database.pool.read { db in
                try sessions.find(id, household: member.household, db) == nil
                    ? nil : try sessions.record(id, for: member, db)
            }
            if let record {
                return APIResponse<NoContent>.nothing.at(record.position, isComplete: false)
                    .setting(.uploadActive, "?1")
            }
            guard let stored = try await sessions.stored(id, by: member) else {
                throw sessions.definition.messages.notFound
            }
            return APIResponse<NoContent>.nothing.at(stored.position, isComplete: !stored.isUnended)
                .setting(.uploadActive, "?0")
        }
        routes.get(path + "/{id}", .member, "The bytes so far of a session that goes on, to go on with it.") {
            request in
            let (record, bytes) = try await sessions.content(try request.path("id"), for: try request.member)
            return APIResponse<File<EngineBytes>>.file(ByteBuffer(bytes: bytes), EngineBytes.octets)
                .at(record.position)
        }
        routes.on(
            .patch, path + "/{id}", .member,
            "Appends bytes to a session at `Upload-Offset`, at most \(limits.chunkBytes) at once; those from 0 begin it. Behind 0, `Upload-Checksum` is the CRC-32 of all before them, 8 hexadecimal digits. With `Upload-Complete: ?1` they are the last: the session is stored and answered with. 409 with `Upload-Offset` where the hub has other bytes, or another number. With `session`, the id is that of a device’s own copy of a session that went on elsewhere.",
            query: [.session], media: "application/partial-upload", isCounted: false
        ) { request in
            let chunk = try await UploadedChunk(request, upTo: limits.chunkBytes)
            let id = try request.path("id")
            let isComplete = chunk.isComplete
            if isComplete, let response: AppendResponse = try await request.answerBefore() { return response }
            do {
                let (change, position) = try await sessions.append(
                    chunk, to: id, session: request.query(.session), by: try request.member)
                if isComplete {
                    // What is here and the sender does not have is another device's, which may go on with it.
                    guard position.offset == chunk.offset + chunk.bytes.count else {
                        throw sessions.diverged(position.offset)
                    }
                    return AppendResponse(try await sessions.complete(id, request).content)
                }
                let body = AppendedResponse(id: id, offset: position.offset, isNew: change == .begun)
                return try AppendResponse.stored(.first(body), isNew: change == .begun).at(position)
            } catch let conflict as UploadConflict {
                return try conflict.response(request)
            }
        }
        routes.delete(
            path + "/{id}", .member,
            "Ends a session that goes on, as the hub does when nobody goes on with it; answers with the session."
        ) { request in
            try await sessions.end(try request.path("id"), by: try request.member)
        }
    }

    private static func all(_ sessions: ActiveSessions<Definition>, for member: Member, _ db: Database) throws
        -> ActiveSessionsResponse
    {
        let active = try sessions.active(for: member, db).map { record, mayGoOn in
            ActiveSessionsResponse.Active(
                id: record.id, person: record.person, session: record.session, since: record.startedAt,
                seenAt: record.seenAt, bytes: record.length, agent: record.agent,
                isHere: record.signIn == member.signIn, mayGoOn: mayGoOn)
        }
        return ActiveSessionsResponse(
            active: active, failed: try FailedSession.all(of: Definition.companion, for: member, sessions.hub, db))
    }
}

/// The response to a chunk of an active session.
private struct AppendedResponse: Codable, Sendable {
    var id: String
    /// The number of bytes that the hub has.
    var offset: Int
    var isNew: Bool
}

/// The active sessions, and those that could not be stored.
private struct ActiveSessionsResponse: Codable {
    struct Active: Codable {
        var id, person: String
        /// The id of the original session if `id` is a device's own copy of it; otherwise the same as `id`.
        var session: String
        /// The times at which it began and last grew, in UTC milliseconds.
        var since, seenAt: Int64
        var bytes: Int
        /// The name of the browser that records it.
        var agent: String
        /// Whether the browser that records it is the one that sent the request.
        var isHere: Bool
        /// Whether the browser that sent the request may continue it.
        var mayGoOn: Bool
    }

    var active: [Active]
    var failed: [FailedSession]
}

/// An abandoned session that the hub could not store, as adults see it. Its bytes are kept and can be fetched like
/// those of an active session; the hub tries again when it starts.
public struct FailedSession: Codable, Sendable {
    /// The ids of the session and of its person.
    public var id, person: String
    /// The times at which it began and last grew, in UTC milliseconds.
    public var since, seenAt: Int64
    /// The number of attempts to store it.
    public var tries: Int
    /// The reason, and what to do.
    public var reason: String

    /// The failed sessions of a household, newest first; empty for a caller who is not an adult.
    ///
    /// - Parameter companion: the companion's slug.
    public static func all(of companion: String, for member: Member, _ hub: HubContext, _ db: Database) throws
        -> [FailedSession]
    {
        guard hub.policy.allows(.person(member), .adult, now: hub.clock.now()) else { return [] }
        return try ActiveSessionRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM active_session WHERE household = ? AND companion = ? AND failed_at IS NOT NULL
                ORDER BY seen_at DESC, id
                """, arguments: [member.household, companion]
        ).map { record in
            FailedSession(
                id: record.id, person: record.person, since: record.startedAt, seenAt: record.seenAt,
                tries: record.tries, reason: record.reason ?? "")
        }
    }
}

extension APIRequest {
    /// The failed sessions with their reasons in the caller's language. Reasons are stored in English and translated by
    /// the catalogs.
    public func localized(_ failed: [FailedSession]) -> [FailedSession] {
        failed.map { one in
            var one = one
            one.reason = LocalizedText(LocalizedText.Sentence(stringLiteral: one.reason))
                .string(in: language, from: sentences)
            return one
        }
    }
}

extension QueryParameter {
    fileprivate static let session = QueryParameter(
        "session",
        "The id of the session that went on elsewhere, where the one in the path is a device’s own copy of it.")
}
