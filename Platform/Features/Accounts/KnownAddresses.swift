import GRDB
import HubKit
import Storage

/// The addresses from which people of the household have signed in.
extension Accounts {
    /// The time after which the use of a known address is recorded again, in milliseconds.
    private static let knownAgainMilliseconds: Int64 = 86_400_000

    /// Stores an address from which somebody has signed in, so that guesses from elsewhere do not lock it out.
    func know(address: String, household: String) async {
        let now = clock.now()
        let most = limits.knownAddresses
        // Without it the next sign-in is counted as a stranger's, no more.
        try? await database.pool.write { db in
            let at = try Int64.fetchOne(
                db, cached: "SELECT at FROM known_address WHERE household = ? AND address = ?",
                arguments: [household, address])
            if let at, at <= now, now - at < Self.knownAgainMilliseconds { return }
            try db.execute(
                cached: "INSERT OR REPLACE INTO known_address VALUES (?, ?, ?)", arguments: [household, address, now])
            try db.execute(
                cached: """
                    DELETE FROM known_address WHERE household = ? AND address NOT IN
                        (SELECT address FROM known_address WHERE household = ? ORDER BY at DESC LIMIT ?)
                    """, arguments: [household, household, most])
        }
    }

    /// Whether somebody has signed in from an address before. The answer is the same for every e-mail address, so it
    /// does not reveal which exist.
    static func isKnown(address: String, since: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, cached: "SELECT EXISTS(SELECT 1 FROM known_address WHERE address = ? AND at > ?)",
            arguments: [address, since]) ?? false
    }
}
