import Foundation
import GRDB
import Storage

/// The bytes of an active session, read together with the others of its household and replayed once the database is
/// free.
public struct UnreadActiveSession: Sendable {
    /// The record of the session.
    public let record: ActiveSessionRecord
    /// Whether the page that sent the request may continue it.
    public let mayGoOn: Bool
    let content: [UInt8]
}

extension ActiveSessions {
    /// The active sessions of the caller's household, the one that grew last first. Those that are marked as failed are
    /// left out, and devices' own copies of sessions that continued elsewhere.
    public func unread(for member: Member, _ db: Database) throws -> [UnreadActiveSession] {
        let active = try active(for: member, db).filter { $0.record.session == $0.record.id }
        guard !active.isEmpty else { return [] }
        var contents = try contents(of: member.household, db)
        return active.map { record, mayGoOn in
            UnreadActiveSession(
                record: record, mayGoOn: mayGoOn, content: contents.removeValue(forKey: record.id) ?? [])
        }
    }

    /// Replays an active session as far as it has come; nil if the current engine cannot read it.
    public func session(_ unread: UnreadActiveSession) -> Definition.Session? {
        try? definition.session(unread.content, isComplete: false)
    }

    /// The active sessions of a household that are not marked as failed, each with whether the caller may continue it.
    func active(for member: Member, _ db: Database) throws -> [(record: ActiveSessionRecord, mayGoOn: Bool)] {
        let records = try ActiveSessionRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM active_session WHERE household = ? AND companion = ? AND failed_at IS NULL
                ORDER BY seen_at DESC, id
                """, arguments: [member.household, Definition.companion])
        guard !records.isEmpty else { return [] }
        let people = try PersonRecord.fetchAll(
            db, cached: "SELECT * FROM person WHERE household = ?", arguments: [member.household])
        let owners = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
        return records.compactMap { record in
            // Who goes takes along what is active of theirs.
            owners[record.person].map { (record, mayGoOn(record, at: member, of: $0)) }
        }
    }

    /// The bytes of the active sessions, by their ids.
    private func contents(of household: String, _ db: Database) throws -> [String: [UInt8]] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, bytes FROM active_session_chunk WHERE household = ?1 AND id IN (
                    SELECT id FROM active_session WHERE household = ?1 AND companion = ?2 AND failed_at IS NULL
                    AND session = id)
                ORDER BY id, start
                """, arguments: [household, Definition.companion])
        var contents: [String: [UInt8]] = [:]
        while let row = try rows.next() {
            contents[row["id"] as String, default: []] += row["bytes"] as Data
        }
        return contents
    }
}
