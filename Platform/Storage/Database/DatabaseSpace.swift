import GRDB

/// The size of the database file and its free pages.
public struct DatabaseSpace: Sendable, Equatable {
    /// The size of the file without its log, in bytes.
    public var bytes: Int
    /// The size of the free pages, in bytes.
    public var freeBytes: Int

    /// Whether so much is free that it should be returned: a quarter of the file, and more than a few megabytes. Pages
    /// that become free when readings are sealed are used again by the readings of the next days.
    public var isRoomy: Bool { freeBytes > 8 << 20 && freeBytes > bytes / 4 }
}

extension HubDatabase {
    /// The current sizes.
    public func space() async throws -> DatabaseSpace {
        try await pool.read { db in
            func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            let page = try pragma("page_size")
            return DatabaseSpace(
                bytes: try pragma("page_count") * page, freeBytes: try pragma("freelist_count") * page)
        }
    }

    /// Returns some free pages to the disk, in a transaction of its own, between which others can write.
    ///
    /// - Parameter pages: the number of pages, at most.
    /// - Returns: whether some were returned.
    public func giveBack(pages: Int = 256) async throws -> Bool {
        // All on one connection: other threads would hold memory of their own for as much as the writer changes.
        try await pool.writeWithoutTransaction { db in
            func free() throws -> Int { try Int.fetchOne(db, cached: "PRAGMA freelist_count") ?? 0 }
            let before = try free()
            guard before > 0 else { return false }
            try db.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
            return try free() < before
        }
    }
}
