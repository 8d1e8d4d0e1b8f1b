import GRDB
import HubKit
import Storage

/// The settings of a household.
extension Accounts {
    /// Renames the household.
    public func rename(household id: String, to name: String) async throws {
        let name = try name.checkedName()
        try await database.pool.write { db in
            try db.execute(cached: "UPDATE household SET name = ? WHERE id = ?", arguments: [name, id])
        }
    }

    /// Sets the step at which the first-run setup continues after a break; nil when it is finished.
    public func setSetupStep(_ step: HouseholdRecord.SetupStep?, household id: String) async throws {
        try await database.pool.write { db in
            try db.execute(
                cached: "UPDATE household SET setup_step = ? WHERE id = ?", arguments: [step?.rawValue, id])
        }
    }

    /// The slugs of the companions that a household does not use. A companion without a choice is in use, so that those
    /// of a newer hub are seen.
    public func unusedCompanions(household: String) async throws -> Set<String> {
        try await database.pool.read { db in
            try HouseholdRecord.unusedCompanions(of: household, db)
        }
    }

    /// Sets which companions are used. The data of the others stays, and so do their devices.
    ///
    /// - Throws: a 422 problem for an empty set, or for an unknown companion.
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
                    cached: """
                        INSERT INTO companion_choice VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET is_used = excluded.is_used
                        """, arguments: [household, slug, slugs.contains(slug)])
            }
        }
    }
}
