import GRDB
import Logging
import Storage

extension HubDatabase {
    /// Makes damaged tables anew that nobody misses, and says so. Where that fails, on a full disk for one, it says why, and
    /// the next start tries again: what is whole is of use meanwhile.
    public func mend(_ migrations: [Migration], _ log: Logger) {
        do {
            let remade = try mendExpendableTables(migrations: migrations)
            guard !remade.isEmpty else { return }
            log.error(
                "a part of the database that nobody misses was damaged, and made anew",
                metadata: ["tables": "\(remade.joined(separator: ", "))"])
        } catch {
            let reason = (error as? DatabaseError).map { "\(HubDatabaseError($0, path: path))" } ?? "\(error)"
            log.error(
                "a part of the database that nobody misses could not be looked at or made anew; the hub goes on without, and the next start tries it again",
                metadata: ["reason": "\(reason)"])
        }
    }
}
