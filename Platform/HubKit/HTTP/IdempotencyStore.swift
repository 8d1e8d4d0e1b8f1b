import Crypto
import Foundation
import GRDB
import HTTPTypes
import NIOCore
import Storage

/// What a sender calls a request that it may send again, after the IETF draft "The Idempotency-Key HTTP Header Field"
/// (draft-ietf-httpapi-idempotency-key-header-07).
struct IdempotencyKey: Sendable, Equatable {
    static let longest = 100

    let text: String

    /// - Parameter field: the header's value: visible ASCII, with or without the quotes of a structured field
    ///   (RFC 8941, 3.3.3), which are no part of the key.
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

/// The responses to requests with a key, stored so that a repeated request gets the same response and is done once.
package struct IdempotencyStore: Sendable {
    /// Longer than any phone waits in a drawer; then the oldest go, milliseconds.
    static let retentionMilliseconds: Int64 = 400 * 86_400_000

    let household: String
    let key: IdempotencyKey
    let digest: Data
    /// Who asks now.
    let member: Member
    let policy: Policy
    let now: Int64

    /// The answer given before; nil for a request that is new.
    ///
    /// It is its maker's: another profile, or another account, gets its body only where it may see what that says. It is
    /// told all the same that the request was done, and with which status: an outbox delivers under whoever uses the
    /// device meanwhile, and may then forget what waits in it.
    ///
    /// - Throws: a 422 problem where the key came with another request.
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
        try db.execute(sql: "DELETE FROM idempotency_key WHERE at < ?", arguments: [now - Self.retentionMilliseconds])
    }

    /// Forgets what was said in the answers that name somebody who has gone. That their requests were answered, and
    /// with which status, stays known.
    package static func forget(person: String, household: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE idempotency_key SET body = NULL, person = NULL WHERE household = ? AND person = ?",
            arguments: [household, person])
    }
}

extension APIRequest {
    /// Does something once, however often its request comes: with the header `Idempotency-Key`, the answer is stored
    /// in the transaction of the effect, and the same request gets the same answer again, with the header
    /// `Idempotent-Replayed`. A key is its household's; it is remembered for 400 days. Who may not see what an answer says
    /// of somebody gets it without its body, see ``Policy/allowsAnswer(_:in:about:now:)``.
    ///
    /// Both answers carry the key back: no other machine that answers on the way, such as a hotel's portal with its
    /// 200 for everything, does, so that a sender who demands it never takes one of those for the hub.
    ///
    /// A thrown problem leaves nothing behind, so that the same key may come again when its cause is gone. Do not use
    /// this where the answer holds a secret, which would be stored with it. An answer with somebody's name in it is to
    /// say whose, see `APIResponse.naming(_:)`.
    ///
    /// - Parameter effect: runs in a write transaction. Everything that decides about the answer belongs in here: what
    ///   was answered once is answered again even where it could not be done any more.
    public func idempotently<Form: ResponseForm>(_ effect: @escaping @Sendable (Database) throws -> APIResponse<Form>)
        async throws
        -> APIResponse<Form>
    {
        try await idempotently { db in
            (try effect(db), ())
        } then: { _ in
        }
    }

    /// As `idempotently`, with something to do after the transaction, such as telling open pages.
    ///
    /// - Parameter follow: runs after the effect was committed, not where the answer is given again.
    public func idempotently<Form: ResponseForm, Result: Sendable>(
        _ effect: @escaping @Sendable (Database) throws -> (response: APIResponse<Form>, result: Result),
        then follow: (Result) async -> Void
    ) async throws -> APIResponse<Form> {
        let idempotencyStore = try await idempotencyStore()
        let (response, result) = try await hub.database.pool.write { db -> (APIResponse<Form>, Result?) in
            if let answered = try idempotencyStore?.answered(db) { return (APIResponse(answered), nil) }
            let (response, result) = try effect(db)
            try idempotencyStore?.keep(response.content, db)
            return (response, result)
        }
        if let result { await follow(result) }
        guard let idempotencyStore else { return response }
        return response.setting(.idempotencyKey, idempotencyStore.key.text)
    }

    /// The answer that this request was given before; nil for one that is new, or has no key. For what is to be known
    /// before the effect's transaction.
    func answerBefore<Form: ResponseForm>() async throws -> APIResponse<Form>? {
        guard let idempotencyStore = try await idempotencyStore() else { return nil }
        let answer = try await hub.database.pool.read { db in try idempotencyStore.answered(db) }
        return answer.map { APIResponse($0.setting(.idempotencyKey, idempotencyStore.key.text)) }
    }

    /// Nil for a request without a key.
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
