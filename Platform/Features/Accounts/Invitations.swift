import Foundation
import GRDB
import HubKit
import Storage

/// The invitations with which one more adult may join within a week. Only the hashes of their codes are stored.
extension Accounts {
    static let invitationMilliseconds: Int64 = 7 * 24 * 3_600_000

    /// Makes an invitation.
    ///
    /// - Returns: its code, which cannot be read again.
    /// - Throws: a 409 problem if there are too many already.
    public func invite(from member: Member) async throws -> (code: String, expiresAt: Int64) {
        let code = AccessCode.random()
        let now = clock.now()
        let record = InvitationRecord(
            codeHash: code.hash, id: Secret.identifier(), household: member.household, inviter: member.person.id,
            createdAt: now, expiresAt: now + Self.invitationMilliseconds)
        let most = limits.openInvitations
        try await database.pool.write { db in
            guard try Self.open(household: member.household, now: now, db).count < most else {
                throw Problem(
                    .conflict, "Enough invitations",
                    "There are \(most) open invitations already. Withdraw one that nobody needs.")
            }
            try record.insert(db)
        }
        return ("\(code)", record.expiresAt)
    }

    /// The invitations that are not used or withdrawn, the latest first.
    public func invitations(household: String) async throws -> [InvitationRecord] {
        let now = clock.now()
        return try await database.pool.read { db in try Self.open(household: household, now: now, db) }
    }

    /// Withdraws an invitation: nobody can join with it from then on, and a person who tries gets an error that says
    /// so.
    ///
    /// - Throws: a 404 problem if the household has no such open invitation.
    public func withdraw(invitation id: String, household: String) async throws {
        let now = clock.now()
        try await database.pool.write { db in
            try db.execute(
                cached: """
                    UPDATE invitation SET withdrawn_at = ?
                    WHERE id = ? AND household = ? AND withdrawn_at IS NULL AND expires_at > ?
                    """, arguments: [now, id, household, now])
            guard db.changesCount > 0 else {
                throw Problem.notFound("There is no invitation here. It may have been removed.")
            }
        }
    }

    /// The inviter and household of an invitation.
    ///
    /// - Throws: a 422 problem for an invalid code, a 429 problem for too many attempts.
    public func invitation(code: String, address: String) async throws -> (
        inviter: String, household: String, expiresAt: Int64
    ) {
        let record = try await openInvitation(code: code, address: address)
        return try await database.pool.read { db in
            let inviter = try PersonRecord.fetchOne(db, key: record.inviter)
            let household = try HouseholdRecord.fetchOne(db, key: record.household)
            return (inviter?.name ?? "", household?.name ?? "", record.expiresAt)
        }
    }

    /// Creates the account of an invited person. The code is used up only if the account is created.
    public func join(code: String, name: String, email: String, password: String, address: String) async throws
        -> PersonRecord
    {
        let record: InvitationRecord
        do {
            record = try await openInvitation(code: code, address: address)
        } catch let problem as Problem where problem.field == "code" {
            try Self.check(name: name, email: email, password: password, household: nil, code: problem)
            throw problem
        }
        let person = try await addAdult(name: name, email: email, password: password, invitation: record.codeHash)
        await know(address: address, household: person.household)
        return person
    }

    /// Uses up an invitation, in the transaction that creates its account.
    static func use(invitation hash: Data, _ db: Database) throws {
        try db.execute(
            cached: "DELETE FROM invitation WHERE code_hash = ? AND withdrawn_at IS NULL", arguments: [hash])
        guard db.changesCount > 0 else {
            throw Problem.field("code", "This invitation has just been used. Ask for a new one.")
        }
    }

    private func openInvitation(code: String, address: String) async throws -> InvitationRecord {
        let now = clock.now()
        try guesses.takeCode(from: address, now: now)
        let hash = AccessCode(code)?.hash
        let record = try await database.pool.read { db in
            try hash.flatMap { try InvitationRecord.fetchOne(db, key: $0) }
        }
        guard let record, record.expiresAt > now else {
            countWrongCode()
            throw Problem.field("code", "This invitation is unknown, used or older than a week. Ask for a new one.")
        }
        // Whoever knows a code that was one has not guessed.
        guesses.codeSucceeded(from: address)
        guard record.withdrawnAt == nil else {
            throw Problem.field("code", "This invitation was withdrawn. Ask for a new one.")
        }
        return record
    }

    private static func open(household: String, now: Int64, _ db: Database) throws -> [InvitationRecord] {
        try InvitationRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM invitation WHERE household = ? AND withdrawn_at IS NULL AND expires_at > ?
                ORDER BY created_at DESC, id
                """, arguments: [household, now])
    }
}
