import GRDB
import Storage

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
