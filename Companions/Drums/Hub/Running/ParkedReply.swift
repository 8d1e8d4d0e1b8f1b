import GRDB
import HubKit
import Storage

/// A song whose page did not come back and that the hub could not store, as adults see it: it is kept as it came, can be
/// fetched as what is played can, and is tried again when the hub starts.
struct ParkedReply: Codable, Sendable {
    var id, person: String
    /// UTC milliseconds: when it began, and when it last grew.
    var since, seenAt: Int64
    var tries: Int
    /// What is wrong, and what to do.
    var reason: String

    /// Of a household, the newest first; none for who is no adult.
    static func all(for member: Member, hub: Hub, _ db: Database) throws -> [ParkedReply] {
        guard hub.policy.allows(.person(member), .adult, now: hub.clock.now()) else { return [] }
        return try RunningRecord.fetchAll(
            db,
            sql: "SELECT * FROM drums_running WHERE household = ? AND parked_at IS NOT NULL ORDER BY seen_at DESC, id",
            arguments: [member.household]
        ).map { record in
            ParkedReply(
                id: record.id, person: record.person, since: record.startedAt, seenAt: record.seenAt,
                tries: record.tries, reason: record.reason ?? "")
        }
    }
}
