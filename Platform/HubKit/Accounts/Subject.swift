import Foundation
import GRDB
import Storage

/// The person whom a request is about, with the date and time by their clock.
public struct Subject: Sendable {
    /// The person.
    public let person: PersonRecord
    /// The person's household.
    public let household: HouseholdRecord
    /// The calendar of the person's time zone.
    public let calendar: LocalCalendar
    /// The current time, in UTC milliseconds.
    public let now: Int64
    /// The current local date (days since 1 January 1970) and minute of the day.
    public let today, minute: Int32

    /// Creates the subject for a person at a time.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - household: the person's household.
    ///   - now: the current time, in UTC milliseconds.
    public init(_ person: PersonRecord, of household: HouseholdRecord, now: Int64) {
        self.person = person
        self.household = household
        self.now = now
        calendar = LocalCalendar(timeZone: person.zone(household))
        (today, minute) = calendar.moment(of: now)
    }

    /// Finds a person by their id.
    ///
    /// - Throws: a 404 problem if the household has nobody with that id.
    public static func find(_ id: String, household: String, now: Int64, _ db: Database) throws -> Subject {
        guard let person = try PersonRecord.fetchOne(db, key: id), person.household == household,
            let home = try HouseholdRecord.fetchOne(db, key: household)
        else { throw Problem.notFound("There is no person here. It may have been removed.") }
        return Subject(person, of: home, now: now)
    }

    /// Whether a local date and time is in the future.
    public func isAhead(day: Int32, minute: Int32) -> Bool { (day, minute) > (today, self.minute) }

    /// Finds a person by their id, if the caller may change the settings of a companion for them.
    ///
    /// - Throws: a 404 problem if the household has nobody with that id, a 403 problem if the caller may not.
    public static func decided(_ id: String, by member: Member, _ hub: HubContext, now: Int64, _ db: Database) throws
        -> Subject
    {
        let subject = try find(id, household: member.household, now: now, db)
        try hub.policy.checkSettings(member, of: subject.person, now: now)
        return subject
    }

    /// Finds a person by their id, if the caller may see their personal data.
    ///
    /// - Throws: a 404 problem if the household has nobody with that id, a 403 problem if the caller may not.
    public static func read(_ id: String, by member: Member, _ hub: HubContext, now: Int64, _ db: Database) throws -> Subject {
        let subject = try find(id, household: member.household, now: now, db)
        try hub.policy.checkReading(member, of: subject.person, now: now)
        return subject
    }
}
