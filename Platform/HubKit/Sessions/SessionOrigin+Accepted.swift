import GRDB
import Storage

extension SessionOrigin {
    /// Checks that `member` may deliver the session and that its time is plausible.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    /// - Returns: the person and household of the session.
    /// - Throws: the errors of ``owner(deliveredBy:_:_:)`` and ``checkTime(now:)``.
    public func accepted(from member: Member, _ hub: HubContext, now: Int64, _ db: Database) throws -> (
        person: PersonRecord, household: HouseholdRecord
    ) {
        let person = try owner(deliveredBy: member, hub, db)
        try checkTime(now: now)
        return (person, try HouseholdRecord.find(db, key: member.household))
    }
}
