import Foundation
import GRDB
import Storage

/// Whom a request is about, and what their clock shows.
public struct Subject: Sendable {
    /// Somebody of the household.
    public let person: PersonRecord
    /// The one that they are of.
    public let household: HouseholdRecord
    /// By which their days begin.
    public let calendar: LocalCalendar
    /// UTC milliseconds.
    public let now: Int64
    /// By the person's clock: days since 1 January 1970, and minutes of that day.
    public let today, minute: Int32

    /// Somebody, at a moment: UTC milliseconds.
    public init(_ person: PersonRecord, of household: HouseholdRecord, now: Int64) {
        self.person = person
        self.household = household
        self.now = now
        calendar = LocalCalendar(timeZone: person.zone(household))
        (today, minute) = calendar.moment(of: now)
    }

    /// Somebody by their id.
    ///
    /// - Throws: a 404 problem for somebody who is not of the household.
    public static func find(_ id: String, household: String, now: Int64, _ db: Database) throws -> Subject {
        guard let person = try PersonRecord.fetchOne(db, key: id), person.household == household,
            let home = try HouseholdRecord.fetchOne(db, key: household)
        else { throw Problem.notFound("There is no person here. It may have been removed.") }
        return Subject(person, of: home, now: now)
    }

    /// Whether a moment by the person's clock lies ahead.
    public func isAhead(day: Int32, minute: Int32) -> Bool { (day, minute) > (today, self.minute) }

    /// Whom the path names, when the caller may decide how a companion serves them.
    ///
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not.
    public static func decided(_ id: String, by member: Member, _ hub: Hub, now: Int64, _ db: Database) throws
        -> Subject
    {
        let subject = try find(id, household: member.household, now: now, db)
        try hub.policy.checkSettings(member, of: subject.person, now: now)
        return subject
    }

    /// Whom the path names, when the caller may see what is their own.
    ///
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not.
    public static func read(_ id: String, by member: Member, _ hub: Hub, now: Int64, _ db: Database) throws -> Subject {
        let subject = try find(id, household: member.household, now: now, db)
        try hub.policy.checkReading(member, of: subject.person, now: now)
        return subject
    }
}
