import GRDB
import HubKit
import Storage

/// Wrong passwords, written down where the owner sees them.
extension Accounts {
    private static let mergedMilliseconds: Int64 = 3_600_000

    /// Wrong passwords of the last weeks, the latest first: a line an account and address and hour.
    public func failedSignIns(household: String) async throws -> [FailedSignInRecord] {
        let since = clock.now() - limits.failedSignInMilliseconds
        return try await database.pool.read { db in
            try FailedSignInRecord.fetchAll(
                db,
                cached:
                    "SELECT * FROM failed_sign_in WHERE household = ? AND last_at > ? ORDER BY last_at DESC, id DESC",
                arguments: [household, since])
        }
    }

    /// Writes down that a password was wrong: for an account, or for an email that nobody has, of which nothing is
    /// stored, since it may be a password typed into the wrong field. Both take the same work.
    func failed(person: PersonRecord?, address: String) async throws {
        log.count(.wrongPassword, now: clock.now())
        let now = clock.now()
        let most = limits.failedSignIns
        try await database.pool.write { db in
            // Whoever left while the password was checked is nobody now.
            let person = try person.flatMap { try PersonRecord.fetchOne(db, key: $0.id) }
            guard let household = try person?.household ?? HouseholdRecord.fetchOne(db)?.id else { return }
            try db.execute(
                cached: """
                    UPDATE failed_sign_in SET tries = tries + 1, last_at = ?
                    WHERE household = ? AND person IS ? AND address = ? AND first_at BETWEEN ? AND ?
                    """, arguments: [now, household, person?.id, address, now - Self.mergedMilliseconds, now])
            guard db.changesCount == 0 else { return }
            try FailedSignInRecord(household: household, person: person?.id, address: address, at: now).insert(db)
            // Apart, so that tries for invented emails push out none of a real account's.
            try db.execute(
                cached: """
                    DELETE FROM failed_sign_in WHERE household = ? AND (person IS NULL) = ? AND id NOT IN
                        (SELECT id FROM failed_sign_in WHERE household = ? AND (person IS NULL) = ? ORDER BY id DESC LIMIT ?)
                    """, arguments: [household, person == nil, household, person == nil, most])
        }
    }

    /// Counts a code that lets nobody in; nothing is stored of it.
    func countWrongCode() { log.count(.wrongCode, now: clock.now()) }
}
