import Foundation
import GRDB
import HTTPTypes
import Localization
import NIOCore
import Storage
import Wire

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
        let sessions = sessions
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
                let position = RecordingPosition(offset: record.length, checksum: record.checksum)
                return APIResponse<NoContent>.nothing.at(position).setting(.uploadComplete, "?0").setting(
                    .uploadActive, "?1")
            }
            guard let stored = try await sessions.stored(id, by: member) else {
                throw sessions.definition.messages.notFound
            }
            return APIResponse<NoContent>.nothing.at(stored.position).setting(
                .uploadComplete, stored.isUnended ? "?0" : "?1"
            )
            .setting(.uploadActive, "?0")
        }
        routes.get(path + "/{id}", .member, "The bytes so far of a session that goes on, to go on with it.") {
            request in
            let (record, bytes) = try await sessions.recording(try request.path("id"), for: try request.member)
            return APIResponse<File<EngineBytes>>.file(ByteBuffer(bytes: bytes), EngineBytes.octets)
                .at(RecordingPosition(offset: record.length, checksum: record.checksum))
        }
        routes.on(
            .patch, path + "/{id}", .member,
            "Appends bytes to a session at `Upload-Offset`, at most \(limits.chunkBytes) at once; those from 0 begin it. Behind 0, `Upload-Checksum` is the CRC-32 of all before them, 8 hexadecimal digits. With `Upload-Complete: ?1` they are the last: the session is stored and answered with. 409 with `Upload-Offset` where the hub has other bytes, or another number. With `session`, the id is that of a device’s own copy of a session that went on elsewhere.",
            query: [.session], media: "application/partial-upload", isCounted: false
        ) { request in
            let chunk = try await Self.chunk(of: request, limits)
            let id = try request.path("id")
            let isComplete = try Self.isComplete(request)
            if isComplete, let response: AppendResponse = try await request.answerBefore() { return response }
            do {
                let (change, position) = try await sessions.append(chunk, to: id, by: try request.member)
                if isComplete {
                    // What is here and the sender does not have is another device's, which may go on with it.
                    guard position.offset == chunk.offset + chunk.bytes.count else {
                        throw sessions.diverged(position.offset)
                    }
                    return AppendResponse(try await sessions.complete(id, request).content)
                }
                let body = AppendedResponse(id: id, offset: position.offset, isNew: change == .begun)
                return try AppendResponse.stored(.first(body), isNew: change == .begun).at(position)
            } catch let conflict as ActiveSessions<Definition>.Conflict {
                return try Self.refused(conflict, request)
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

    // MARK: - Header fields

    private static func chunk(of request: APIRequest, _ limits: ActiveSessionLimits) async throws
        -> ActiveSessions<Definition>.Chunk
    {
        guard let offset = request.header(.uploadOffset).flatMap({ Int($0) }), offset >= 0 else {
            throw Problem(
                .badRequest, "Not understood",
                "Upload-Offset says at which byte of the session this goes on: 0, or more.",
                field: "Upload-Offset")
        }
        let checksum = request.header(.uploadChecksum).flatMap { $0.utf8.count == 8 ? UInt32($0, radix: 16) : nil }
        guard let checksum = offset == 0 ? 0 : checksum else {
            throw Problem(
                .badRequest, "Not understood",
                "Upload-Checksum says the CRC-32 of all bytes before these, in 8 hexadecimal digits.",
                field: "Upload-Checksum")
        }
        let bytes = try await request.bytes(
            upTo: limits.chunkBytes,
            otherwise: Problem(
                .contentTooLarge, "Too large",
                "At most \(limits.chunkBytes) bytes are taken at once. Send the rest after them."))
        return .init(offset: offset, bytes: Array(buffer: bytes), checksum: checksum, session: request.query(.session))
    }

    /// The value of `Upload-Complete`, a boolean of structured fields (RFC 8941, 3.3.6).
    private static func isComplete(_ request: APIRequest) throws -> Bool {
        switch request.header(.uploadComplete) {
        case "?1": true
        case "?0", nil: false
        default:
            throw Problem(.badRequest, "Not understood", "Upload-Complete is ?0 or ?1.", field: "Upload-Complete")
        }
    }

    private static func refused(_ conflict: ActiveSessions<Definition>.Conflict, _ request: APIRequest) throws
        -> AppendResponse
    {
        let problem = conflict.problem.details(in: request.language, from: request.sentences)
        let body = RefusedResponse(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail,
            field: problem.field, reason: conflict.reason.rawValue, expectedOffset: conflict.offset)
        var response = try AnyAPIResponse.json(body, conflict.problem.code)
        response.type = "application/problem+json"
        return AppendResponse(response).setting(.uploadOffset, "\(conflict.offset)")
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

/// A problem (RFC 9457) with the number of bytes that the hub has.
private struct RefusedResponse: Encodable {
    var type, title: String
    var status: Int
    var detail: String
    var field: String?
    var reason: String
    /// The number of bytes that the hub has, under the draft's name.
    var expectedOffset: Int

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, field, reason
        case expectedOffset = "expected-offset"
    }
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
            sql: """
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

extension APIResponse {
    fileprivate func at(_ position: RecordingPosition) -> APIResponse {
        let digits = String(position.checksum, radix: 16)
        return setting(.uploadOffset, "\(position.offset)")
            .setting(.uploadChecksum, String(repeating: "0", count: 8 - digits.count) + digits)
    }
}

extension HTTPField.Name {
    // The literals are valid field names, so that the initialiser answers.
    static let uploadOffset = HTTPField.Name("Upload-Offset")!
    static let uploadComplete = HTTPField.Name("Upload-Complete")!
    static let uploadActive = HTTPField.Name("Upload-Active")!
    static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
}

extension QueryParameter {
    fileprivate static let session = QueryParameter(
        "session",
        "The id of the session that went on elsewhere, where the one in the path is a device’s own copy of it.")
}
