import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A session as it was delivered, understood: the hub's own engine has replayed its events.
struct DeliveredSession: Sendable {
    /// How far ahead of the hub a phone's clock may be, milliseconds.
    static let lead: Int64 = 5 * 60_000
    /// 1 January 2016, when the original was made: no session is older.
    static let earliest: Int64 = 1_451_606_400_000
    /// The most sessions of one person on one brushing day: each that comes has all before it folded anew.
    static let mostADay = 100

    let content: [UInt8]
    let session: BrushingSession

    /// - Parameter content: in the engine's codec.
    /// - Throws: a 422 problem with words for each way in which bytes are no session.
    init(_ content: [UInt8]) throws(Problem) {
        self.content = content
        do throws(SessionCodecError) {
            session = try BrushingSession.decoded(content)
        } catch {
            throw .field("events", SessionWords.refused(error))
        }
    }

    /// As the hub names it: 32 hexadecimal digits.
    var id: String { session.id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// Whose it says to be.
    var person: String { String(decoding: session.person, as: UTF8.self) }

    /// Who it is of, when `member` may deliver it.
    ///
    /// - Throws: a 422 problem for somebody who is not of the household, or who has gone; a 403 problem for another adult
    ///   at a child's profile.
    func owner(deliveredBy member: Member, _ hub: Hub, _ db: Database) throws -> PersonRecord {
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
    func checkTime(now: Int64) throws(Problem) {
        guard session.result.startedAt <= now + Self.lead else {
            throw .field(
                "events",
                "This session lies in the future. Look at the clock of the device that it was brushed with, or try again later."
            )
        }
        guard session.result.startedAt >= Self.earliest else {
            throw .field(
                "events",
                "This session lies before 2016, when there was no brushing with Tandem yet. Look at the clock of the device that it was brushed with."
            )
        }
    }

    /// When it began by the clock that the person lived by.
    ///
    /// That is the clock of their time zone. Where they have moved to another since it began, nobody knows that any more
    /// but the device, which was with them: a session is on the same day, however late it is delivered.
    private func local(of person: PersonRecord, _ household: HouseholdRecord) -> LocalMoment {
        let start = session.result.startedAt
        if let since = person.timeZoneSince, start < since {
            return LocalMoment(milliseconds: start, utcOffsetMinutes: session.utcOffsetMinutes)
        }
        return LocalMoment(of: start, LocalCalendar(timeZone: person.zone(household)))
    }

    /// Stores it with the hub's own result, once, in the caller's transaction. Awards are not given here.
    ///
    /// - Parameter now: when it came, UTC milliseconds.
    /// - Throws: a 409 problem where other content has its id, a 422 problem for more than ``mostADay``.
    func store(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws
        -> Sessions.Stored
    {
        let result = session.result
        let stored = try Sessions.store(
            SessionRecord(
                household: household.id, id: id, person: person.id, companion: Brushing.slug,
                startedAt: result.startedAt, endedAt: result.endedAt, engineVersion: Int(session.recordedVersion),
                content: content, claimDiffers: session.claimDiffers, receivedAt: now), db)
        guard stored == .new else { return stored }
        let local = local(of: person, household)
        let others = try ResultRecord.filter(
            sql: "person = ? AND day = ?", arguments: [person.id, local.brushingDay]
        ).fetchCount(db)
        guard others < Self.mostADay else {
            throw Problem.field(
                "events",
                "\(person.name) has \(others) sessions on that day, and no day takes more. Look at what sends them.")
        }
        try ResultRecord(
            household: household.id, id: id, person: person.id, day: local.brushingDay, minute: local.minute,
            isMorning: local.isMorning, startedAt: result.startedAt, brushMilliseconds: result.brushMilliseconds,
            flossMilliseconds: result.flossMilliseconds, rinseMilliseconds: result.rinseMilliseconds,
            pausedMilliseconds: result.pausedMilliseconds, skipped: result.skipped, isComplete: result.isComplete,
            counts: result.counts, reason: ResultRecord.Reason(result.reason)
        ).insert(db)
        return .new
    }
}

extension LocalMoment {
    /// - Parameter time: UTC milliseconds.
    init(of time: Int64, _ calendar: LocalCalendar) {
        let (day, minute) = calendar.moment(of: time)
        self.init(day: day, minute: minute)
    }
}
