import GRDB

/// What the file takes on the disk, in pages of SQLite's.
public struct DatabaseSpace: Sendable, Equatable {
    /// Of the file without its log, bytes.
    public var bytes: Int
    /// Of it pages that nothing is in, bytes.
    public var freeBytes: Int

    /// Whether so much is free that it is worth giving back: a quarter of the file, and more than a few megabytes. What readings
    /// leave free when they are sealed, those of the next days take again.
    public var isRoomy: Bool { freeBytes > 8 << 20 && freeBytes > bytes / 4 }
}

extension HubDatabase {
    /// How much it is now.
    public func space() async throws -> DatabaseSpace {
        try await pool.read { db in
            func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            let page = try pragma("page_size")
            return DatabaseSpace(
                bytes: try pragma("page_count") * page, freeBytes: try pragma("freelist_count") * page)
        }
    }

    /// Gives some free pages back to the disk, in a transaction of its own: others write between two of them.
    ///
    /// - Parameter pages: the most.
    /// - Returns: whether some were given back.
    public func giveBack(pages: Int = 256) async throws -> Bool {
        let before = try await space()
        guard before.freeBytes > 0 else { return false }
        try await pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))") }
        return try await space().freeBytes < before.freeBytes
    }
}
