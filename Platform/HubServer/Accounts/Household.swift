import GRDB
import HubKit
import Storage

/// What a household decides about itself.
extension Accounts {
    /// Gives the household another name.
    public func rename(household id: String, to name: String) async throws {
        let name = try Self.checked(name: name)
        try await database.pool.write { db in
            try db.execute(sql: "UPDATE household SET name = ? WHERE id = ?", arguments: [name, id])
        }
    }

    /// Says where the first run goes on after a break; nil when it is finished.
    public func setSetupStep(_ step: HouseholdRecord.SetupStep?, household id: String) async throws {
        try await database.pool.write { db in
            try db.execute(
                sql: "UPDATE household SET setup_step = ? WHERE id = ?", arguments: [step?.rawValue, id])
        }
    }

    /// The companions that a household does not use. One that nobody decided about is in use, so that what comes with
    /// a newer hub is seen.
    public func unusedCompanions(household: String) async throws -> Set<String> {
        try await database.pool.read { db in
            try String.fetchSet(
                db, sql: "SELECT slug FROM companion_choice WHERE household = ? AND NOT is_used", arguments: [household]
            )
        }
    }

    /// Uses these of all companions and no others. What the others have stored stays, and so do their devices.
    ///
    /// - Throws: a 422 problem for none at all, or for one that this hub does not have.
    public func useCompanions(_ slugs: Set<String>, of all: [String], household: String) async throws {
        guard !slugs.isEmpty else { throw Problem.field("slugs", "Choose at least one companion.") }
        if let unknown = slugs.subtracting(all).min() {
            throw Problem.field(
                "slugs",
                "This hub has no companion “\(String(unknown.prefix(40)))”. It has: \(all.joined(separator: ", ")).")
        }
        try await database.pool.write { db in
            for slug in all {
                try db.execute(
                    sql: """
                        INSERT INTO companion_choice VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET is_used = excluded.is_used
                        """, arguments: [household, slug, slugs.contains(slug)])
            }
        }
    }
}
