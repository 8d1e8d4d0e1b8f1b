import Foundation
import GRDB
import Storage
import Wire

/// The sessions that the hub has under one id, read before the transaction that stores another: the active one, the
/// stored one, and its branches. They are read as bytes and replayed while the database is free.
struct SessionFamily<Definition: SessionDefinition>: Sendable {
    /// One of the sessions.
    struct Known: Sendable {
        var id: String
        var place: KnownSessionPlace
        /// The session as the current engine replays it; nil if it cannot be read.
        var session: Definition.Session?
        var content: [UInt8]
        var record: SessionRecord?
        var branch: SessionBranchRecord?
    }

    /// A stamp by which a transaction recognises that something has changed since.
    struct Stamp: Sendable, Equatable {
        var active: [String: Int]
        var stored: [String: Data]
    }

    let known: [Known]
    let stamp: Stamp

    /// The sessions as bytes, not replayed.
    struct Unread: Sendable {
        var active: (id: String, content: [UInt8])?
        var stored: [(record: SessionRecord, branch: SessionBranchRecord?)]
        var stamp: Stamp
    }

    /// Reads the sessions under an id.
    ///
    /// - Parameter upload: the id of the active session that is being stored, which is left out.
    static func unread(
        _ root: String, household: String, without upload: String?, _ definition: Definition, _ db: Database
    ) throws -> Unread {
        let stamp = try Stamp(root, household: household, db)
        var active: (String, [UInt8])?
        if upload != root,
            let record = try ActiveSessionRecord.fetchOne(db, key: ["household": household, "id": root]),
            record.companion == Definition.companion
        {
            let content = try SessionChunks.all(of: record, definition.limits, db)
            active = (record.id, crc32(content[...]) == record.checksum ? content : [])
        }
        let branches = try SessionBranchRecord.fetchAll(
            db, cached: "SELECT * FROM session_branch WHERE household = ? AND root = ? ORDER BY id",
            arguments: [household, root])
        var stored: [(SessionRecord, SessionBranchRecord?)] = []
        if let record = try Sessions.find(root, household: household, db) { stored.append((record, nil)) }
        for branch in branches {
            if let record = try Sessions.find(branch.id, household: household, db) { stored.append((record, branch)) }
        }
        return Unread(active: active, stored: stored, stamp: stamp)
    }

    /// Replays the sessions.
    init(_ unread: Unread, _ definition: Definition) {
        var known: [Known] = []
        if let (id, content) = unread.active {
            let session = try? definition.session(content, isComplete: false)
            known.append(Known(id: id, place: .active, session: session, content: content))
        }
        for (record, branch) in unread.stored {
            let content = Array(record.content)
            let session =
                record.companion == Definition.companion
                ? record.intactContent.flatMap { try? definition.session($0, isComplete: true) } : nil
            known.append(
                Known(
                    id: record.id, place: branch == nil ? .stored : .branch, session: session, content: content,
                    record: record, branch: branch))
        }
        self.known = known
        stamp = unread.stamp
    }

    /// The session in a place that holds at most one.
    func first(_ place: KnownSessionPlace) -> Known? { known.first { $0.place == place } }
}

extension SessionFamily.Stamp {
    init(_ root: String, household: String, _ db: Database) throws {
        active = [:]
        stored = [:]
        let rows = try Row.fetchAll(
            db, cached: "SELECT id, changes FROM active_session WHERE household = ? AND id = ?",
            arguments: [household, root])
        for row in rows { active[row["id"]] = row["changes"] }
        // One list, and no OR: SQLite would look at all sessions of the household.
        let records = try Row.fetchAll(
            db,
            cached: """
                SELECT id, digest FROM session WHERE household = ?1 AND id IN (
                    SELECT ?2 UNION ALL SELECT id FROM session_branch WHERE household = ?1 AND root = ?2)
                """, arguments: [household, root])
        for row in records { stored[row["id"]] = row["digest"] }
    }
}
