import Crypto
import Foundation
import GRDB
import Storage

/// Where a session comes from, as its own bytes say it: who it is, of whom, and when it began. What every companion asks
/// of a session that somebody delivers is asked here.
public struct SessionOrigin: Sendable {
    /// How far ahead of the hub a phone's clock may be, milliseconds.
    public static let lead: Int64 = 5 * 60_000
    /// 1 January 2016, when the original systems were made: no session is older.
    public static let earliest: Int64 = 1_451_606_400_000

    /// As the hub names the session: its bytes in small hexadecimal digits.
    public let id: String
    /// Whose it says to be.
    public let person: String
    /// UTC milliseconds.
    public let startedAt: Int64
    /// East of Greenwich, by the device that it was made on.
    public let utcOffsetMinutes: Int16

    /// - Parameters:
    ///   - id: the bytes of its identifier.
    ///   - person: the person's identifier, ASCII.
    public init(id: [UInt8], person: [UInt8], startedAt: Int64, utcOffsetMinutes: Int16) {
        self.id = Self.name(of: id)
        self.person = String(decoding: person, as: UTF8.self)
        self.startedAt = startedAt
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// Bytes in small hexadecimal digits, two for each.
    public static func name(of id: [UInt8]) -> String {
        id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// An identifier for a session that has none of its own, such as one of another system's file: the beginning of the
    /// SHA-256 of what makes it that session, so that the same file can come again.
    ///
    /// - Parameters:
    ///   - parts: separated, so that none can run into the next.
    ///   - count: of bytes, at most 32.
    public static func identifier(of parts: [String], count: Int) -> [UInt8] {
        var digest = SHA256()
        for part in parts { digest.update(data: Data("\(part.utf8.count):\(part)".utf8)) }
        return Array(digest.finalize().prefix(count))
    }

    /// Who it is of, when `member` may deliver it.
    ///
    /// - Throws: a 422 problem for somebody who is not of the household, or who has gone; a 403 problem for another adult
    ///   at a child's profile.
    public func owner(deliveredBy member: Member, _ hub: Hub, _ db: Database) throws -> PersonRecord {
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

    /// - Parameter now: the hub's time, UTC milliseconds.
    /// - Throws: a 422 problem for a time that only a wrong clock can mean.
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

    /// When it began by the clock that the person lived by.
    ///
    /// That is the clock of their time zone. Where they have moved to another since it began, nobody knows that any more
    /// but the device, which was with them: a session is on the same day, however late it is delivered.
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
