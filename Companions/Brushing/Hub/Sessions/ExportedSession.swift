import BrushingEngine
import HubKit

/// A session as `tandem export sessions` writes it, beside its events. Keys are added, never changed or taken away.
struct ExportedSession: Encodable {
    /// The hub's result from the time when the session arrived.
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

    var id: String
    /// UTC milliseconds.
    var startedAt, endedAt, receivedAt: Int64
    /// The brushing day, and the minute of the local day, by the person's clock at that time.
    var day: String
    var minute: Int32
    var slot: String
    /// The version of the engine that made the events.
    var engineVersion: Int
    var result: Result
    /// The session's segments; nil where today's engine refuses the events.
    var segments: [Segment]?
    /// The page's result; nil where it said nothing, or where today's engine refuses the events.
    var claim: Claim?
    /// Whether that is another result than the hub's.
    var claimDiffers: Bool

    /// Exports a stored session. One that a later engine refuses is exported all the same, with the result from the
    /// time when it arrived.
    init(_ stored: StoredSession<BrushingSessionDefinition>) {
        let (record, row, session) = (stored.record, stored.result, stored.session?.session)
        id = record.id
        startedAt = record.startedAt
        endedAt = record.endedAt
        receivedAt = record.receivedAt
        day = "\(CivilDate(day: row.day))"
        minute = row.minute
        slot = row.isMorning ? "morning" : "evening"
        engineVersion = record.engineVersion
        result = Result(
            brushMilliseconds: row.brushMilliseconds, flossMilliseconds: row.flossMilliseconds,
            rinseMilliseconds: row.rinseMilliseconds, pausedMilliseconds: row.pausedMilliseconds,
            skipped: row.skipped, isComplete: row.isComplete, counts: row.counts, reason: row.reason)
        segments = session.map { session in
            zip(session.segments, session.segmentMilliseconds).map { segment, milliseconds in
                Segment(
                    kind: segment.kind.name, repetition: segment.repetition, repetitions: segment.repetitions,
                    plannedMilliseconds: segment.milliseconds, doneMilliseconds: milliseconds)
            }
        }
        claim = session?.claim.map {
            Claim(
                brushMilliseconds: $0.brushMilliseconds, flossMilliseconds: $0.flossMilliseconds,
                rinseMilliseconds: $0.rinseMilliseconds, isComplete: $0.isComplete, counts: $0.counts)
        }
        claimDiffers = record.claimDiffers
    }
}
