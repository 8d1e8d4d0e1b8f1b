import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// All sessions of one person as `tandem export sessions` writes them. Keys are added, never changed or taken away.
struct ExportedSessions: Encodable {
    struct Person: Encodable { var id, name, timeZone: String }

    struct Session: Encodable {
        var id: String
        /// UTC milliseconds.
        var startedAt, endedAt, receivedAt: Int64
        /// The brushing day, and the minute of the local day, by the person's clock at that time.
        var day: String
        var minute: Int32
        var slot: String
        /// Of the engine that made the events.
        var engineVersion: Int
        var result: Result
        /// Nil where today's engine refuses the events.
        var segments: [Segment]?
        /// What the page came to; nil where it said nothing, or where today's engine refuses the events.
        var claim: Claim?
        /// Whether that is another result than the hub's.
        var claimDiffers: Bool
        /// The events, as they were delivered: base64.
        var content: Data
    }

    /// What the hub came to when the session arrived.
    struct Result: Encodable {
        var brushMilliseconds, flossMilliseconds, rinseMilliseconds, pausedMilliseconds: Int64
        var skipped: Int
        var isComplete, counts: Bool
        var reason: ResultRecord.Reason
    }

    struct Claim: Encodable {
        var brushMilliseconds, flossMilliseconds, rinseMilliseconds: Int32
        var isComplete, counts: Bool
    }

    struct Segment: Encodable {
        var kind: String
        var repetition, repetitions: Int
        var plannedMilliseconds, doneMilliseconds: Int64
    }

    var version = 1
    var companion = Brushing.slug
    /// UTC milliseconds.
    var exportedAt: Int64
    var person: Person
    /// The earliest first.
    var sessions: [Session]

    init(of person: PersonRecord, now: Int64, _ db: Database) throws {
        let household = try HouseholdRecord.find(db, key: person.household)
        exportedAt = now
        self.person = Person(id: person.id, name: person.name, timeZone: person.zone(household).identifier)
        let records = try SessionRecord.fetchAll(
            db, sql: "SELECT * FROM session WHERE person = ? AND companion = ? ORDER BY started_at, id",
            arguments: [person.id, Brushing.slug])
        sessions = try records.map { record in
            guard
                let result = try ResultRecord.fetchOne(
                    db, key: ["household": record.household, "id": record.id])
            else { throw Problem.notFound("session") }
            return Session(record, result)
        }
    }
}

extension ExportedSessions.Session {
    init(_ record: SessionRecord, _ stored: ResultRecord) {
        // What a later engine refuses is exported all the same, with the result that it came to when it arrived.
        let session = try? BrushingSession.decoded(Array(record.content))
        id = record.id
        startedAt = record.startedAt
        endedAt = record.endedAt
        receivedAt = record.receivedAt
        day = "\(CivilDate(day: stored.day))"
        minute = stored.minute
        slot = stored.isMorning ? "morning" : "evening"
        engineVersion = record.engineVersion
        result = .init(
            brushMilliseconds: stored.brushMilliseconds, flossMilliseconds: stored.flossMilliseconds,
            rinseMilliseconds: stored.rinseMilliseconds, pausedMilliseconds: stored.pausedMilliseconds,
            skipped: stored.skipped, isComplete: stored.isComplete, counts: stored.counts, reason: stored.reason)
        segments = session.map { session in
            zip(session.segments, session.segmentMilliseconds).map { segment, milliseconds in
                .init(
                    kind: segment.kind.name, repetition: segment.repetition, repetitions: segment.repetitions,
                    plannedMilliseconds: segment.milliseconds, doneMilliseconds: milliseconds)
            }
        }
        claim = session?.claim.map {
            .init(
                brushMilliseconds: $0.brushMilliseconds, flossMilliseconds: $0.flossMilliseconds,
                rinseMilliseconds: $0.rinseMilliseconds, isComplete: $0.isComplete, counts: $0.counts)
        }
        claimDiffers = record.claimDiffers
        content = record.content
    }
}
