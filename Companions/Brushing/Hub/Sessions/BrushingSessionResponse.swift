import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A session as pages get it.
struct BrushingSessionResponse: Codable, Sendable {
    /// A half of the brushing day.
    enum Slot: String, Codable, Sendable, CaseIterable { case morning, evening }
    /// The result of the page that delivered the session, in whole seconds.
    struct Claim: Codable, Sendable {
        var brushSeconds, flossSeconds, rinseSeconds: Int64
        var isComplete, counts: Bool
    }

    var id, person: String
    var startedAt, endedAt: Int64
    /// The brushing day, and the minute of the local day, by the person's clock at that time.
    var day: String
    var minute: Int32
    var slot: Slot
    var brushSeconds, flossSeconds, rinseSeconds, pausedSeconds: Int64
    var skipped: Int
    var isComplete, counts: Bool
    var reason: ResultRecord.Reason
    var award: String?
    /// The page's result; nil unless it differs from the hub's own.
    var claim: Claim?
    var engineVersion: Int

    /// Reads a session from a row.
    ///
    /// - Parameter row: of ``select``.
    private init(_ row: Row) throws {
        let result = try ResultRecord(row: row)
        id = result.id
        person = result.person
        startedAt = result.startedAt
        endedAt = row["ended_at"]
        day = "\(CivilDate(day: result.day))"
        minute = result.minute
        slot = result.isMorning ? .morning : .evening
        brushSeconds = Self.seconds(result.brushMilliseconds)
        flossSeconds = Self.seconds(result.flossMilliseconds)
        rinseSeconds = Self.seconds(result.rinseMilliseconds)
        pausedSeconds = Self.seconds(result.pausedMilliseconds)
        skipped = result.skipped
        isComplete = result.isComplete
        counts = result.counts
        reason = result.reason
        award = (row["award"] as UInt8?).flatMap { Award(rawValue: $0) }.map { "\($0.name)" }
        engineVersion = row["engine_version"]
        let differing = (row["content"] as Data?).flatMap { Sessions.intact($0, row["digest"]) }
        claim = differing.flatMap { BrushingSession.claim(of: $0) }.map {
            Claim(
                brushSeconds: Self.seconds(Int64($0.brushMilliseconds)),
                flossSeconds: Self.seconds(Int64($0.flossMilliseconds)),
                rinseSeconds: Self.seconds(Int64($0.rinseMilliseconds)), isComplete: $0.isComplete, counts: $0.counts)
        }
    }

    /// The nearest number of whole seconds, of any number at all.
    static func seconds(_ milliseconds: Int64) -> Int64 {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return seconds + (rest >= 500 ? 1 : 0)
    }

    // The events are wanted only for a claim that differs.
    private static let select = """
        SELECT r.*, s.ended_at, s.engine_version, CASE WHEN s.claim_differs THEN s.content END AS content,
            s.digest,
            (SELECT max(award) FROM brushing_award a WHERE a.person = r.person AND a.session = r.id) AS award
        FROM brushing_session r JOIN session s ON s.household = r.household AND s.id = r.id
        """

    /// A session of a household.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> BrushingSessionResponse {
        let row = try Row.fetchOne(
            db, cached: "\(select) WHERE r.household = ? AND r.id = ?", arguments: [household, id])
        guard let row else { throw Problem.notFound("There is no session here. It may have been removed.") }
        return try BrushingSessionResponse(row)
    }

    /// A person's sessions of some days, the earliest first.
    static func all(of person: String, days: ClosedRange<Int32>, _ db: Database) throws -> [BrushingSessionResponse] {
        try Row.fetchAll(
            db, cached: "\(select) WHERE r.person = ? AND r.day BETWEEN ? AND ? ORDER BY r.day, r.started_at, r.id",
            arguments: [person, days.lowerBound, days.upperBound]
        ).map { try BrushingSessionResponse($0) }
    }

    /// A person's newest session; nil where there is none.
    static func last(of person: String, _ db: Database) throws -> BrushingSessionResponse? {
        try Row.fetchOne(
            db, cached: "\(select) WHERE r.person = ? ORDER BY r.day DESC, r.started_at DESC, r.id DESC LIMIT 1",
            arguments: [person]
        ).map { try BrushingSessionResponse($0) }
    }
}
