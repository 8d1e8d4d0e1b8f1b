import GRDB
import Storage

extension HouseholdRecord {
    /// The slugs of the companions that a household has decided not to use.
    public static func unusedCompanions(of household: String, _ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db, cached: "SELECT slug FROM companion_choice WHERE household = ? AND NOT is_used", arguments: [household])
    }
}
