import Foundation
import GRDB
import HubKit
import Storage

/// The ways to change a password, and to reset a forgotten one: with a code from another adult of the household, or
/// from the console of the hub's machine.
extension Accounts {
    /// The time for which a reset code is valid, in milliseconds.
    static let resetMilliseconds: Int64 = 24 * 3_600_000

    /// Changes the password of the caller's account. This sign-in stays, all others end.
    ///
    /// - Parameters:
    ///   - member: the caller.
    ///   - current: the current password, since an open page may be in someone else's hands.
    ///   - new: the new password.
    ///   - address: the client's address, for the limit of attempts.
    /// - Returns: the ids of sign-ins that have ended.
    /// - Throws: the errors of ``person(email:password:address:signIn:)`` for a wrong password, a 422 problem for a new
    ///   one that is too short.
    public func changePassword(of member: Member, current: String, new: String, address: String) async throws -> Set<
        String
    > {
        guard let email = member.person.email else {
            throw Problem.notFound("There is no account here. It may have been removed.")
        }
        try Self.check(password: new, field: "newPassword")
        _ = try await person(email: email, password: current, address: address, signIn: member.signIn)
        let hash = try await hash(new, of: email)
        return try await database.pool.write { db in
            try Self.set(password: hash, of: member.person.id, keeping: member.signIn, db)
        }
    }

    /// Makes a code with which an adult of the household sets a new password, once, within a day. It replaces an
    /// earlier one.
    ///
    /// - Returns: the code, which cannot be read again.
    /// - Throws: a 404 problem for an unknown person; a 422 problem for a person without a password, or the caller:
    ///   otherwise anyone with an unlocked phone could take over the account.
    public func offerReset(of id: String, from member: Member) async throws -> (code: String, expiresAt: Int64) {
        guard id != member.person.id else {
            throw Problem(
                .unprocessableContent, "Your own password",
                "To change your own password, type the one you have. If you forgot it, ask another adult of the household for a code."
            )
        }
        return try await offerReset { db in
            let person = try PersonRecord.fetchOne(db, key: id)
            return person?.household == member.household ? person : nil
        }
    }

    /// Makes a reset code for a user of the hub's console.
    ///
    /// - Parameter email: the e-mail address of the account.
    /// - Throws: a 404 problem if there is no such account.
    public func offerReset(email: String) async throws -> (code: String, expiresAt: Int64) {
        try await offerReset { db in try PersonRecord.filter(sql: "email = ?", arguments: [email]).fetchOne(db) }
    }

    private func offerReset(of find: @escaping @Sendable (Database) throws -> PersonRecord?) async throws -> (
        code: String, expiresAt: Int64
    ) {
        let code = AccessCode.random()
        let now = clock.now()
        try await database.pool.write { db in
            guard let person = try find(db) else {
                throw Problem.notFound("There is no person here. It may have been removed.")
            }
            // In a hub that was made of an archive adults have none yet, and choose one by such a code.
            guard person.email != nil else {
                throw Problem(
                    .unprocessableContent, "No password", "\(person.name) has no sign-in, and so no password.")
            }
            try PasswordResetRecord(
                person: person.id, codeHash: code.hash, createdAt: now, expiresAt: now + Self.resetMilliseconds
            ).insert(db, onConflict: .replace)
        }
        return ("\(code)", now + Self.resetMilliseconds)
    }

    /// Sets a new password with a code. All sign-ins and passkeys of the account end, so anyone who knew the old password, and may
    /// have made a passkey with it, is out.
    ///
    /// - Returns: the person, and the ids of sign-ins that have ended.
    /// - Throws: a 422 problem for an invalid code or a password that is too short, a 429 problem for too many codes.
    public func resetPassword(code: String, password: String, address: String) async throws -> (
        person: PersonRecord, ended: Set<String>
    ) {
        try Self.check(password: password)
        let now = clock.now()
        try guesses.takeCode(from: address, now: now)
        let hash = AccessCode(code)?.hash
        let found = try await database.pool.read { db -> PersonRecord? in
            guard let hash, let reset = try Self.reset(hash, now: now, db) else { return nil }
            return try PersonRecord.fetchOne(db, key: reset.person)
        }
        guard let hash, let found, let email = found.email else {
            countWrongCode()
            throw Self.unknownReset
        }
        guesses.codeSucceeded(from: address)
        // Before the transaction: the hash takes a while on purpose.
        let stored = try await self.hash(password, of: email)
        let ended = try await database.pool.write { db in
            // Once more, so that one code sets one password.
            guard try Self.reset(hash, now: now, db) != nil else { throw Self.unknownReset }
            try db.execute(cached: "DELETE FROM passkey WHERE person = ?", arguments: [found.id])
            return try Self.set(password: stored, of: found.id, keeping: nil, db)
        }
        await know(address: address, household: found.household)
        var person = found
        person.password = stored
        return (person, ended)
    }

    private static let unknownReset = Problem.field(
        "code", "This code is unknown, used or older than a day. Ask for a new one.")

    private static func reset(_ hash: Data, now: Int64, _ db: Database) throws -> PasswordResetRecord? {
        try PasswordResetRecord.filter(sql: "code_hash = ? AND expires_at > ?", arguments: [hash, now]).fetchOne(db)
    }

    /// Stores a password and ends the other sign-ins.
    ///
    /// - Returns: the ids of sign-ins that have ended.
    private static func set(password: Data, of person: String, keeping signIn: String?, _ db: Database) throws -> Set<
        String
    > {
        let ended = try String.fetchSet(
            db, cached: "SELECT id FROM sign_in WHERE person = ? AND id IS NOT ?", arguments: [person, signIn])
        try db.execute(cached: "UPDATE person SET password = ? WHERE id = ?", arguments: [password, person])
        try db.execute(
            cached: "DELETE FROM sign_in WHERE person = ? AND id IS NOT ?", arguments: [person, signIn])
        try db.execute(cached: "DELETE FROM password_reset WHERE person = ?", arguments: [person])
        return ended
    }
}
