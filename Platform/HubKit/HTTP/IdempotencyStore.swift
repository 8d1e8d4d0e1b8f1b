import Crypto
import Foundation
import GRDB
import HTTPTypes
import NIOCore
import Storage

/// A key that the client chooses for a request that it may send again, after the IETF draft "The Idempotency-Key HTTP
/// Header Field" (draft-ietf-httpapi-idempotency-key-header-07).
struct IdempotencyKey: Sendable, Equatable {
    static let longest = 100

    let text: String

    /// Reads a key from the header field.
    ///
    /// - Parameter field: the field's value: visible ASCII, with or without the quotes of a structured field (RFC 8941,
    ///   3.3.3), which are not part of the key.
    /// - Throws: a 400 problem for anything else.
    init(_ field: String) throws(Problem) {
        var bytes = field.utf8[...]
        let quote = UInt8(ascii: "\"")
        if bytes.count >= 2, bytes.first == quote, bytes.last == quote { bytes = bytes.dropFirst().dropLast() }
        let isVisible = bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != quote && $0 != UInt8(ascii: "\\") }
        guard isVisible, (1...Self.longest).contains(bytes.count) else {
            throw Problem(
                .badRequest, "Not understood",
                "An Idempotency-Key has between 1 and \(Self.longest) visible ASCII characters without quotes inside.")
        }
        text = String(decoding: bytes, as: UTF8.self)
    }
}

/// The stored responses to requests with a key, so that a repeated request has its effect once and gets the same
/// response.
package struct IdempotencyStore: Sendable {
    /// The time for which responses are stored, in milliseconds: longer than any phone waits in a drawer.
    static let retentionMilliseconds: Int64 = 400 * 86_400_000

    let household: String
    let key: IdempotencyKey
    let digest: Data
    /// The sender of the request.
    let member: Member
    let policy: Policy
    let now: Int64

    /// The response that was stored for the key; nil for a new request.
    ///
    /// The body is returned only to the account and profile that received it first, and to those who may see the data
    /// in it. The status is returned to everyone of the household: an outbox may be delivered under another profile
    /// than the one that filled it, and has to learn that its request was done.
    ///
    /// - Throws: a 422 problem if the key was used for another request.
    func answered(_ db: Database) throws -> AnyAPIResponse? {
        guard let record = try IdempotencyRecord.fetchOne(db, key: ["household": household, "id": key.text]) else {
            return nil
        }
        guard record.digest == digest else {
            throw Problem(
                .unprocessableContent, "Key used before",
                "This Idempotency-Key came with another request before. Give every new request a key of its own.")
        }
        let person = try record.person.flatMap { try PersonRecord.fetchOne(db, key: $0) }
        let isShown = policy.allowsAnswer(member, in: record, about: person, now: now)
        let body = isShown ? record.body.map { ByteBuffer(bytes: $0) } : nil
        return AnyAPIResponse(status: .init(code: record.status), body: body, type: record.type)
            .setting(.idempotentReplayed, "true")
    }

    /// Stores a response, in the transaction of its effect.
    func keep(_ response: AnyAPIResponse, _ db: Database) throws {
        try IdempotencyRecord(
            household: household, id: key.text, digest: digest, status: response.status.code,
            body: response.body.map { Data(buffer: $0) }, type: response.type, person: response.person, at: now,
            account: member.person.id, profile: member.profile.id
        ).insert(db)
        try db.execute(
            cached: "DELETE FROM idempotency_key WHERE at < ?", arguments: [now - Self.retentionMilliseconds])
    }

    /// Deletes the bodies of stored responses that are about a removed person. It remains known that the requests were
    /// answered, and with which status.
    package static func forget(person: String, household: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE idempotency_key SET body = NULL, person = NULL WHERE household = ? AND person = ?",
            arguments: [household, person])
    }
}

extension APIRequest {
    /// Has an effect once, however often its request is sent. With the header `Idempotency-Key`, the response is stored
    /// in the transaction of the effect, and the same request gets the same response again, with the header
    /// `Idempotent-Replayed`.
    ///
    /// Keys belong to the household and are remembered for 400 days. A caller who may not see the data in a stored
    /// response gets it without its body.
    ///
    /// Both responses repeat the key in their header. No other machine on the way does, such as a hotel's portal that
    /// answers everything with 200, so a client that checks for it is not fooled.
    ///
    /// A thrown problem stores nothing, so the same key may be sent again once the cause is gone. Do not use this for a
    /// response that contains a secret, which would be stored with it. A response that is about a person must say so,
    /// see ``APIResponse/naming(_:)``.
    ///
    /// Work that follows the commit, such as notifying open pages, is given to `afterCommit` in `effect`; it is not done when
    /// a stored response is repeated.
    ///
    /// - Parameter effect: a function that runs in a write transaction. All checks that decide about the response
    ///   belong in it, since a request that succeeded once must get the same response even if it could not succeed any
    ///   more.
    public func idempotently<Form: ResponseForm>(_ effect: @escaping @Sendable (Database) throws -> APIResponse<Form>)
        async throws
        -> APIResponse<Form>
    {
        let idempotencyStore = try await idempotencyStore()
        let response = try await hub.database.pool.write { db -> APIResponse<Form> in
            if let answered = try idempotencyStore?.answered(db) { return APIResponse(answered) }
            let response = try effect(db)
            try idempotencyStore?.keep(response.content, db)
            return response
        }
        guard let idempotencyStore else { return response }
        return response.setting(.idempotencyKey, idempotencyStore.key.text)
    }

    /// The response that was stored for this request; nil if it is new or has no key. For checks before the transaction
    /// of the effect.
    func answerBefore<Form: ResponseForm>() async throws -> APIResponse<Form>? {
        guard let idempotencyStore = try await idempotencyStore() else { return nil }
        let answer = try await hub.database.pool.read { db in try idempotencyStore.answered(db) }
        return answer.map { APIResponse($0.setting(.idempotencyKey, idempotencyStore.key.text)) }
    }

    /// The store for this request's key; nil without a key.
    private func idempotencyStore() async throws -> IdempotencyStore? {
        guard let field = httpRequest.headers[.idempotencyKey] else { return nil }
        let key = try IdempotencyKey(field)
        var digest = SHA256()
        // A zero byte is in neither a method nor a path, so that no two requests run together.
        digest.update(data: Data("\(httpRequest.method.rawValue)\0\(httpRequest.uri.path)\0".utf8))
        digest.update(data: Data(buffer: try await bytes()))
        let member = try member
        return IdempotencyStore(
            household: member.household, key: key, digest: Data(digest.finalize()), member: member, policy: hub.policy,
            now: hub.clock.now())
    }
}

extension HTTPField.Name {
    // The literals are valid field names, so that the initialiser answers.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed")!
}
