import GRDB
import HubKit
import Storage

/// From where people of the household have signed in.
extension Accounts {
    /// How seldom it is noted that an address is used still.
    private static let knownAgainMilliseconds: Int64 = 86_400_000

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
