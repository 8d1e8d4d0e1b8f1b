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

/// Answers that were given, kept so that what is sent again is answered again and done once.
struct Receipts: Sendable {
    /// Longer than any phone waits in a drawer; then the oldest go, milliseconds.
    static let keptMilliseconds: Int64 = 400 * 86_400_000

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
    func answered(_ db: Database) throws -> AnyReply? {
        guard let receipt = try ReceiptRecord.fetchOne(db, key: ["household": household, "id": key.text]) else {
            return nil
        }
        guard receipt.digest == digest else {
            throw Problem(
                .unprocessableContent, "Key used before",
                "This Idempotency-Key came with another request before. Give every new request a key of its own.")
        }
        let person = try receipt.person.flatMap { try PersonRecord.fetchOne(db, key: $0) }
        let isShown = policy.allowsAnswer(member, in: receipt, about: person, now: now)
        let body = isShown ? receipt.body.map { ByteBuffer(bytes: $0) } : nil
        return AnyReply(status: .init(code: receipt.status), body: body, type: receipt.type)
            .setting(.idempotentReplayed, "true")
    }

    /// Keeps an answer, in the transaction of what it answers for.
    func keep(_ reply: AnyReply, _ db: Database) throws {
        try ReceiptRecord(
            household: household, id: key.text, digest: digest, status: reply.status.code,
            body: reply.body.map { Data(buffer: $0) }, type: reply.type, person: reply.person, at: now,
            account: member.person.id, profile: member.profile.id
        ).insert(db)
        try db.execute(sql: "DELETE FROM receipt WHERE at < ?", arguments: [now - Self.keptMilliseconds])
    }

    /// Forgets what was said in the answers that name somebody who has gone. That their requests were answered, and
    /// with which status, stays known.
    static func forget(person: String, household: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE receipt SET body = NULL, person = NULL WHERE household = ? AND person = ?",
            arguments: [household, person])
    }
}

extension Visit {
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
    /// say whose, see `Reply.naming(_:)`.
    ///
    /// - Parameter effect: runs in a write transaction. Everything that decides about the answer belongs in here: what
    ///   was answered once is answered again even where it could not be done any more.
    public func once<Form: ReplyForm>(_ effect: @escaping @Sendable (Database) throws -> Reply<Form>) async throws
        -> Reply<Form>
    {
        try await once { db in
            (try effect(db), ())
        } then: { _ in
        }
    }

    /// As `once`, with something to do after the transaction, such as telling open pages.
    ///
    /// - Parameter follow: runs after the effect was committed, not where the answer is given again.
    public func once<Form: ReplyForm, Result: Sendable>(
        _ effect: @escaping @Sendable (Database) throws -> (reply: Reply<Form>, result: Result),
        then follow: (Result) async -> Void
    ) async throws -> Reply<Form> {
        let receipts = try await receipts()
        let (reply, result) = try await hub.database.pool.write { db -> (Reply<Form>, Result?) in
            if let answered = try receipts?.answered(db) { return (Reply(answered), nil) }
            let (reply, result) = try effect(db)
            try receipts?.keep(reply.content, db)
            return (reply, result)
        }
        if let result { await follow(result) }
        guard let receipts else { return reply }
        return reply.setting(.idempotencyKey, receipts.key.text)
    }

    /// The answer that this request was given before; nil for one that is new, or has no key. For what is to be known
    /// before the effect's transaction.
    func answerBefore<Form: ReplyForm>() async throws -> Reply<Form>? {
        guard let receipts = try await receipts() else { return nil }
        let answer = try await hub.database.pool.read { db in try receipts.answered(db) }
        return answer.map { Reply($0.setting(.idempotencyKey, receipts.key.text)) }
    }

    /// Nil for a request without a key.
    private func receipts() async throws -> Receipts? {
        guard let field = request.headers[.idempotencyKey] else { return nil }
        let key = try IdempotencyKey(field)
        var digest = SHA256()
        // A zero byte is in neither a method nor a path, so that no two requests run together.
        digest.update(data: Data("\(request.method.rawValue)\0\(request.uri.path)\0".utf8))
        digest.update(data: Data(buffer: try await bytes()))
        let member = try member
        return Receipts(
            household: member.household, key: key, digest: Data(digest.finalize()), member: member, policy: hub.policy,
            now: hub.clock.now())
    }
}

extension HTTPField.Name {
    // The literals are valid field names, so that the initialiser answers.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed")!
}
