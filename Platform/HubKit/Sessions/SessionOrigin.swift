import Crypto
import Foundation
import GRDB
import Storage

/// The origin of a session, as its own bytes say: its id, its person, and when it began. It makes the checks that all
/// companions need for a delivered session.
public struct SessionOrigin: Sendable {
    /// The time by which a phone's clock may be ahead of the hub's, in milliseconds.
    public static let lead: Int64 = 5 * 60_000
    /// The earliest time of a session, in UTC milliseconds: 1 January 2016, before the original systems were made.
    public static let earliest: Int64 = 1_451_606_400_000

    /// The session's id: the bytes of its identifier in lower-case hexadecimal digits.
    public let id: String
    /// The id of the person that the session names.
    public let person: String
    /// The time at which it began, in UTC milliseconds.
    public let startedAt: Int64
    /// The offset from UTC on the device that recorded it, in minutes, positive east of Greenwich.
    public let utcOffsetMinutes: Int16

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - id: the bytes of the session's identifier.
    ///   - person: the person's id, in ASCII.
    ///   - startedAt: the time at which it began, in UTC milliseconds.
    ///   - utcOffsetMinutes: the offset from UTC, positive east of Greenwich.
    public init(id: [UInt8], person: [UInt8], startedAt: Int64, utcOffsetMinutes: Int16) {
        self.id = Self.name(of: id)
        self.person = String(decoding: person, as: UTF8.self)
        self.startedAt = startedAt
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// The bytes in lower-case hexadecimal digits, two for each.
    public static func name(of id: [UInt8]) -> String {
        id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// An identifier for a session that has none, such as one from another system's file: the first bytes of the
    /// SHA-256 of what distinguishes it, so that the same file gives the same identifier.
    ///
    /// - Parameters:
    ///   - parts: the distinguishing texts, hashed with their lengths so that their borders count.
    ///   - count: the length of the identifier in bytes, at most 32.
    public static func identifier(of parts: [String], count: Int) -> [UInt8] {
        var digest = SHA256()
        for part in parts { digest.update(data: Data("\(part.utf8.count):\(part)".utf8)) }
        return Array(digest.finalize().prefix(count))
    }

    /// The person of the session, for a `member` who may deliver it.
    ///
    /// - Throws: a 422 problem if the person is not in the household, or not any more; a 403 problem if `member` may
    ///   not.
    public func owner(deliveredBy member: Member, _ hub: HubContext, _ db: Database) throws -> PersonRecord {
        guard let person = try PersonRecord.fetchOne(db, key: person), person.household == member.household else {
            throw Problem.field(
                "events",
                "This session is of somebody who is not in this household, or not any more. Nothing was stored.")
        }
        guard hub.policy.allowsSession(member, of: person) else {
            throw Problem(
                .forbidden, "Somebody else’s",
                "This session is \(person.name)’s. It can be delivered when an adult uses this page, or from a device that the family shares.",
                field: "events")
        }
        return person
    }

    /// Checks that the session's time is plausible.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    /// - Throws: a 422 problem for a time that only a wrong clock can give.
    public func checkTime(now: Int64) throws(Problem) {
        guard startedAt <= now + Self.lead else {
            throw .field(
                "events",
                "This session lies in the future. Look at the clock of the device that it comes from, or try again later."
            )
        }
        guard startedAt >= Self.earliest else {
            throw .field(
                "events",
                "This session lies before 2016, when there was nothing of the kind yet. Look at the clock of the device that it comes from."
            )
        }
    }

    /// The local date and time at which the session began, in the person's time zone.
    ///
    /// If the person has changed their time zone since it began, the offset of the device that recorded it is used
    /// instead. So a session stays on the same day, however late it is delivered.
    ///
    /// - Returns: the local date, in days since 1 January 1970, and the minute of that day.
    public func moment(of person: PersonRecord, _ household: HouseholdRecord) -> (day: Int32, minute: Int32) {
        var zone = person.zone(household)
        if let since = person.timeZoneSince, startedAt < since {
            zone = TimeZone(secondsFromGMT: Int(utcOffsetMinutes) * 60) ?? zone
        }
        return LocalCalendar(timeZone: zone).moment(of: startedAt)
    }
}
