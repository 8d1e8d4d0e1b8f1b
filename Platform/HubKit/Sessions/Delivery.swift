import GRDB
import NIOCore
import Storage

extension APIRequest {
    /// The bytes of a session that is delivered.
    ///
    /// - Parameters:
    ///   - most: bytes of any session there can be.
    ///   - events: that such a session has at most.
    /// - Throws: a 413 problem for more than any session has.
    public func sessionBytes(upTo most: Int, events: Int) async throws -> [UInt8] {
        Array(
            buffer: try await bytes(
                upTo: most,
                otherwise: Problem(
                    .contentTooLarge, "Too large",
                    "This is more than \(most) bytes, and no session of at most \(events) events is. Nothing was stored.",
                    field: "events")))
    }
}

extension SessionOrigin {
    /// Whose it is, when `member` may deliver it and it is of a time that can be.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    /// - Throws: what ``owner(deliveredBy:_:_:)`` and ``checkTime(now:)`` throw.
    public func accepted(from member: Member, _ hub: Hub, now: Int64, _ db: Database) throws -> (
        person: PersonRecord, household: HouseholdRecord
    ) {
        let person = try owner(deliveredBy: member, hub, db)
        try checkTime(now: now)
        return (person, try HouseholdRecord.find(db, key: member.household))
    }
}
