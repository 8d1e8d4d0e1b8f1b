import Foundation
import GRDB

/// The tables whose loss costs a household nothing that it would miss: they are made anew where they are damaged, so that
/// the hub starts and goes on storing.
///
/// Their rows are what was answered to phones, for the case that they ask again; messages on their way, which their senders
/// or receivers have still; and what the hub notes of calls and sign-ins. What a household has stored is in none of them.
extension HubDatabase {
    /// The expendable tables, in groups whose rows belong together: none is kept without the others.
    static let expendable = [
        ["idempotency_key"], ["failed_sign_in"], ["known_address"], ["outbound_call"], ["push_message"],
        ["channel_message"],
        ["mqtt_retained"],
        ["mqtt_session", "mqtt_subscription", "mqtt_queue", "mqtt_unreleased", "mqtt_will"],
    ]

    /// Makes expendable tables anew that are damaged or missing. The caller is the only one who has the file.
    ///
    /// Their pages are left as they are until the file is written anew: to free what a damaged page leads to could free what
    /// other tables have.
    ///
    /// - Parameter migrations: the companions' migrations.
    /// - Returns: the names of the tables that were made anew.
    /// - Throws: `DatabaseError` if the file cannot be written.
    public func mendExpendableTables(migrations: [Migration] = []) throws -> [String] {
        let names = Self.expendable.flatMap { $0 }
        var damaged = Set(try DamageSearch(path: path).damagedTables(names))
        try pool.read { db in
            // What a process that was killed in the middle of this has left.
            for name in names where try !db.tableExists(name) { damaged.insert(name) }
        }
        guard !damaged.isEmpty else { return [] }
        let remade = Self.expendable.filter { !damaged.isDisjoint(with: $0) }.flatMap { $0 }
        let definitions = try Self.definitions(of: remade, migrations: migrations)
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON")
            defer { try? db.execute(sql: "PRAGMA writable_schema = RESET; PRAGMA foreign_keys = ON") }
            // All at once: on a full disk the tables stay as they are, and are there.
            try db.inTransaction {
                for name in remade {
                    try db.execute(sql: "DELETE FROM sqlite_master WHERE tbl_name = ?", arguments: [name])
                }
                try db.execute(sql: "PRAGMA writable_schema = RESET")
                db.clearSchemaCache()
                for sql in definitions { try db.execute(sql: sql) }
                return .commit
            }
            db.clearSchemaCache()
            // The copy may be as large as the file, which has no place in memory.
            try db.execute(sql: "PRAGMA temp_store = FILE")
            defer { try? db.execute(sql: "PRAGMA temp_store = MEMORY") }
            // Nor what it writes back. It is no transaction with savepoints, for which the writer keeps its pages (ADR 41).
            try db.execute(sql: "PRAGMA cache_spill = ON")
            defer { try? db.execute(sql: "PRAGMA cache_spill = OFF") }
            // Where something else is damaged too, or the disk is full, the pages that nobody has stay.
            try? db.execute(sql: "VACUUM")
            _ = try? db.checkpoint(.truncate)
        }
        pool.releaseMemory()
        return remade
    }

    /// The statements that make some tables with their indexes, as the hub's own migrations do.
    private static func definitions(of names: [String], migrations: [Migration]) throws -> [String] {
        let own = try DatabaseQueue()
        try migrator(migrations).migrate(own)
        return try own.read { db in
            try names.flatMap { name in
                try String.fetchAll(
                    db,
                    sql: "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC",
                    arguments: [name])
            }
        }
    }
}
