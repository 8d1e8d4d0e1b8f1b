import Foundation
import GRDB
import GRDBSQLite
import TestInstruments
import Testing

@testable import Storage

/// Commits that were seen are found after a crash, also those of transactions that are larger than SQLite's cache.
@Suite("Transactions that are larger than the cache")
struct SpilledTransactionTests {
    private static let runs: ClosedRange<UInt64> = 1...15

    @Test("Each commit is there after a crash, with savepoints that were rolled back in it", arguments: runs)
    func found(seed: UInt64) throws {
        let (committed, recovered) = try Self.run(seed: seed)
        #expect(recovered == committed, "seed \(seed)")
    }

    /// That the test sees the loss which the setting prevents. How often it comes was counted with SQLite 3.40.1 in a program
    /// without the hub: in 24 of 30 runs.
    @Test("Without the setting SQLite 3.40.1 loses some", .enabled(if: sqlite3_libversion_number() == 3_040_001))
    func lost() throws {
        let lost = try Self.runs.count { seed in
            let (committed, recovered) = try Self.run(seed: seed) { db in
                try db.execute(sql: "PRAGMA cache_spill = ON")
            }
            return recovered != committed
        }
        #expect(lost > 0)
    }

    /// Commits six transactions of random sizes, in each a savepoint that is rolled back more often than not, and opens a copy
    /// of the files as a crash leaves them.
    private static func run(
        seed: UInt64, _ prepare: @Sendable @escaping (Database) throws -> Void = { _ in }
    ) throws -> (committed: [Int64], recovered: [Int64]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spilled-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, crashed) = (folder.path + "/tandem.sqlite", folder.path + "/crashed.sqlite")
        let database = try HubDatabase(path: path, checkpointPages: 0)
        let committed = try database.pool.writeWithoutTransaction { db in
            // 80 kB, so that a few hundred rows are larger.
            try db.execute(sql: "PRAGMA cache_size = -80")
            try prepare(db)
            try db.execute(
                sql: "CREATE TABLE wanted(id INTEGER PRIMARY KEY); CREATE TABLE bulk(id INTEGER PRIMARY KEY, b BLOB)")
            var random = SeededGenerator(seed: seed)
            func fill(_ count: Int, ids: Int64, bytes: Int) throws {
                for _ in 0..<count {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO bulk VALUES (?, randomblob(?))",
                        arguments: [
                            Int64.random(in: 1...ids, using: &random), Int.random(in: 1...bytes, using: &random),
                        ])
                }
            }
            for id in 1...6 as ClosedRange<Int64> {
                try db.execute(sql: "BEGIN IMMEDIATE")
                try db.execute(sql: "INSERT INTO wanted VALUES (?)", arguments: [id])
                try fill([1, 5, 60, 200].randomElement(using: &random) ?? 1, ids: 2_000, bytes: 900)
                try db.execute(sql: "SAVEPOINT part")
                try fill(Int.random(in: 0...80, using: &random), ids: 800, bytes: 6_000)
                if Int.random(in: 0..<10, using: &random) < 6 { try db.execute(sql: "ROLLBACK TO part") }
                try db.execute(sql: "RELEASE part")
                try db.execute(sql: "COMMIT")
            }
            return try Int64.fetchAll(db, sql: "SELECT id FROM wanted ORDER BY id")
        }
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: crashed + ending) }
        try database.pool.close()
        let queue = try DatabaseQueue(path: crashed)
        let recovered = try queue.read { db in
            try db.tableExists("wanted") ? Int64.fetchAll(db, sql: "SELECT id FROM wanted ORDER BY id") : []
        }
        try queue.close()
        return (committed, recovered)
    }
}
