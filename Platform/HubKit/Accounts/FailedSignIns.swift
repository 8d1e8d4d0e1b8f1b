import GRDB
import Logging
import Storage
import Synchronization

/// Wrong passwords, written down where the owner sees them, and from where people have signed in.
extension Accounts {
    private static let mergedMilliseconds: Int64 = 3_600_000
    /// How seldom it is noted that an address is used still.
    private static let knownAgainMilliseconds: Int64 = 86_400_000

    /// Wrong passwords of the last weeks, the latest first: a line an account and address and hour.
    public func failedSignIns(household: String) async throws -> [FailedSignInRecord] {
        let since = clock.now() - limits.failedSignInMilliseconds
        return try await database.pool.read { db in
            try FailedSignInRecord.fetchAll(
                db,
                sql: "SELECT * FROM failed_sign_in WHERE household = ? AND last_at > ? ORDER BY last_at DESC, id DESC",
                arguments: [household, since])
        }
    }

    /// Writes down that a password was wrong: for an account, or for an email that nobody has, of which nothing is kept,
    /// since it may be a password typed into the wrong field. Both take the same work.
    func failed(person: PersonRecord?, address: String) async throws {
        log.count(.wrongPassword, now: clock.now())
        let now = clock.now()
        let most = limits.failedSignIns
        try await database.pool.write { db in
            guard let household = try person?.household ?? HouseholdRecord.fetchOne(db)?.id else { return }
            try db.execute(
                sql: """
                    UPDATE failed_sign_in SET tries = tries + 1, last_at = ?
                    WHERE household = ? AND person IS ? AND address = ? AND first_at BETWEEN ? AND ?
                    """, arguments: [now, household, person?.id, address, now - Self.mergedMilliseconds, now])
            guard db.changesCount == 0 else { return }
            try FailedSignInRecord(household: household, person: person?.id, address: address, at: now).insert(db)
            // Apart, so that tries for invented emails push out none of a real account's.
            try db.execute(
                sql: """
                    DELETE FROM failed_sign_in WHERE household = ? AND (person IS NULL) = ? AND id NOT IN
                        (SELECT id FROM failed_sign_in WHERE household = ? AND (person IS NULL) = ? ORDER BY id DESC LIMIT ?)
                    """, arguments: [household, person == nil, household, person == nil, most])
        }
    }

    /// Counts a code that lets nobody in; nothing is kept of it.
    func countWrongCode() { log.count(.wrongCode, now: clock.now()) }

    /// Remembers an address from which somebody has signed in: what others guess does not hold it up.
    func know(address: String, household: String) async {
        let now = clock.now()
        let most = limits.knownAddresses
        // Without it the next sign-in is counted as a stranger's, no more.
        try? await database.pool.write { db in
            let at = try Int64.fetchOne(
                db, sql: "SELECT at FROM known_address WHERE household = ? AND address = ?",
                arguments: [household, address])
            if let at, at <= now, now - at < Self.knownAgainMilliseconds { return }
            try db.execute(
                sql: "INSERT OR REPLACE INTO known_address VALUES (?, ?, ?)", arguments: [household, address, now])
            try db.execute(
                sql: """
                    DELETE FROM known_address WHERE household = ? AND address NOT IN
                        (SELECT address FROM known_address WHERE household = ? ORDER BY at DESC LIMIT ?)
                    """, arguments: [household, household, most])
        }
    }

    /// Whether somebody has signed in from an address before. It is the same for every email, so that nobody learns by
    /// it which there are.
    static func isKnown(address: String, since: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS(SELECT 1 FROM known_address WHERE address = ? AND at > ?)",
            arguments: [address, since]) ?? false
    }
}

/// Counts guesses in the log: one line at first, then at most one a minute, whatever comes. No email, code or address
/// goes into it.
final class GuessLog: Sendable {
    enum Kind: CaseIterable { case wrongPassword, wrongCode }

    private static let pauseMilliseconds: Int64 = 60_000

    private struct Counted {
        var count = 0
        var writtenAt: Int64?
    }

    private let log: Logger
    private let counted = Mutex<[Kind: Counted]>([:])

    init(_ log: Logger) { self.log = log }

    /// Counts one.
    func count(_ kind: Kind, now: Int64) {
        counted.withLock { $0[kind, default: Counted()].count += 1 }
        write(kind, now: now)
    }

    /// Writes what was counted since the last line, where that is long enough ago.
    func write(_ kind: Kind, now: Int64) {
        let count = counted.withLock { counted -> Int in
            var one = counted[kind] ?? Counted()
            let isDue = one.writtenAt.map { now < $0 || now - $0 >= Self.pauseMilliseconds } ?? true
            guard isDue, one.count > 0 else { return 0 }
            let count = one.count
            one = Counted(count: 0, writtenAt: now)
            counted[kind] = one
            return count
        }
        guard count > 0 else { return }
        switch kind {
        case .wrongPassword:
            log.warning(
                "wrong passwords: Settings show for which account and from where", metadata: ["count": "\(count)"])
        case .wrongCode: log.warning("wrong codes for an account", metadata: ["count": "\(count)"])
        }
    }
}
