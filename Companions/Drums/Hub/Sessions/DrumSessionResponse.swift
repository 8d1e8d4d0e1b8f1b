import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// A session as pages get it in lists.
struct DrumSessionResponse: Codable, Sendable {
    struct SongSummary: Codable, Sendable { var id, title: String }

    /// Quartiles in whole units and tenths of them, with their count.
    struct Quartiles: Codable, Sendable {
        var n: Int
        /// The quartiles; nil where there are too few values for them.
        var lower, upper: Double?
        var median: Double
        /// The mean, which is told where the events were replayed, and in no list.
        var mean: Double?

        /// Takes the quartiles of a distribution.
        ///
        /// - Returns: nil for no values.
        init?(_ distribution: Distribution?) {
            guard let distribution else { return nil }
            n = distribution.count
            median = Double(distribution.medianTenths) / 10
            if distribution.hasQuartiles {
                lower = Double(distribution.lowerQuartileTenths) / 10
                upper = Double(distribution.upperQuartileTenths) / 10
            }
            mean = Double(distribution.meanTenths) / 10
        }

        /// The least and the largest figure that a chart of them shows.
        var ends: [Double] { [lower ?? median, upper ?? median] }

        /// Takes quartiles as they are stored.
        ///
        /// - Returns: nil for a count of nought.
        init?(count: Int, lower: Int32?, median: Int32?, upper: Int32?) {
            guard count > 0, let lower, let median, let upper else { return nil }
            n = count
            self.median = Double(median) / 10
            guard count >= Distribution.leastForQuartiles else { return }
            self.lower = Double(lower) / 10
            self.upper = Double(upper) / 10
        }
    }

    /// The result of the page that delivered the session.
    struct Claim: Codable, Sendable {
        var right, answered: Int
        /// Milliseconds; nil where it had none.
        var median: Double?

        init(_ claim: SessionClaim) {
            right = Int(claim.right)
            answered = Int(claim.answered)
            median = claim.medianTenths > 0 ? Double(claim.medianTenths) / 10 : nil
        }
    }

    /// The part that a session shares with another: two devices went on with one song.
    struct Divergence: Codable, Sendable {
        /// The other session's id.
        var of: String
        /// The number of beats at its beginning that count there, and in no number of this one.
        var beats: Int
        /// The events that they come from; only the hub wants to know.
        var events = 0

        private enum CodingKeys: CodingKey { case of, beats }

        init?(_ played: ResultRecord) {
            guard let other = played.forkOf else { return nil }
            of = other
            beats = played.forkBeats
            events = played.forkEvents ?? 0
        }
    }

    var id, person: String
    /// UTC milliseconds.
    var startedAt, endedAt, receivedAt: Int64
    /// The local day and the minute of it, by the person's clock at that time.
    var day: String
    var minute: Int32
    var song: SongSummary
    var level: Int
    var mode: PlayMode.Name
    var hands: Hands.Name
    /// The tempo in percent of the song's own.
    var tempoPercent: Int
    var link: LinkKind.Name
    /// The time that was practised.
    var milliseconds: Int64
    var beats, judged, answered, right: Int
    /// Milliseconds, by one clock.
    var reaction: Quartiles?
    /// The clock that measured the reactions.
    var clock: ReactionClock?
    /// The delays of the hits in flow mode, milliseconds.
    var timing: Quartiles?
    /// The force of the hits, without a unit.
    var force: Quartiles?
    /// Milliseconds.
    var latency: Quartiles?
    var implausible, waits: Int
    var lostMilliseconds: Int64
    var stray: Int
    var end: SessionEnd.Name
    var isClosedByHub: Bool
    var fork: Divergence?
    /// The page's result; nil unless it differs from the hub's own.
    var claim: Claim?
    var engineVersion: Int
    /// The reports before and after it, which is in no figure; nil where nobody was asked.
    var selfReport: SessionSelfReports?

    /// Answers a stored result.
    ///
    /// - Parameters:
    ///   - receivedAt: UTC milliseconds.
    ///   - engineVersion: of the engine that made the events.
    ///   - claim: what the page came to, where that differs.
    init(_ played: ResultRecord, receivedAt: Int64, engineVersion: Int, claim: SessionClaim?) {
        id = played.id
        person = played.person
        startedAt = played.startedAt
        endedAt = played.endedAt
        self.receivedAt = receivedAt
        day = "\(CivilDate(day: played.day))"
        minute = played.minute
        song = SongSummary(id: played.songId, title: played.songTitle)
        level = played.level
        mode = played.mode
        hands = played.hands
        tempoPercent = played.tempoPercent
        link = played.link
        milliseconds = played.milliseconds
        beats = played.beats
        judged = played.judged
        answered = played.answered
        right = played.right
        reaction = Quartiles(
            count: played.reactionCount, lower: played.reactionLowerTenths, median: played.reactionMedianTenths,
            upper: played.reactionUpperTenths)
        clock = reaction.flatMap { _ in played.reactionClock }
        let errors = TimingErrors(bytes: played.timing).hits.map(\.milliseconds)
        timing = Quartiles(Distribution(milliseconds: errors))
        force = Quartiles(
            count: played.forceCount, lower: played.forceLowerTenths, median: played.forceMedianTenths,
            upper: played.forceUpperTenths)
        latency = Quartiles(
            count: played.latencyCount, lower: played.latencyLowerTenths, median: played.latencyMedianTenths,
            upper: played.latencyUpperTenths)
        implausible = played.implausible
        waits = played.waits
        lostMilliseconds = played.lostMilliseconds
        stray = played.stray
        end = played.end
        isClosedByHub = played.isClosedByHub
        fork = Divergence(played)
        self.engineVersion = engineVersion
        self.claim = claim.map { Claim($0) }
    }

    init(_ stored: StoredSession<DrumSessionDefinition>) {
        let record = stored.record
        self.init(
            stored.result, receivedAt: record.receivedAt, engineVersion: record.engineVersion,
            claim: record.claimDiffers ? stored.session?.session.claim : nil)
    }

    /// Reads a session from a row.
    ///
    /// - Parameter row: of ``select``.
    private init(_ row: Row) throws {
        let differing = (row["differing"] as Data?).flatMap { Sessions.intact($0, row["digest"]) }
        self.init(
            try ResultRecord(row: row), receivedAt: row["received_at"], engineVersion: row["engine_version"],
            claim: differing.flatMap { SessionClaim(of: $0) })
    }

    // The events are wanted only for a claim that differs.
    private static let select = """
        SELECT p.*, s.received_at, s.engine_version, CASE WHEN s.claim_differs THEN s.content END AS differing,
            s.digest
        FROM drums_session p JOIN session s ON s.household = p.household AND s.id = p.id
        """

    /// A session of a household.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> DrumSessionResponse {
        let row = try Row.fetchOne(
            db, cached: "\(select) WHERE p.household = ? AND p.id = ?", arguments: [household, id])
        guard let row else { throw Problem.notFound("There is no session here. It may have been removed.") }
        var response = try DrumSessionResponse(row)
        response.selfReport = try SessionSelfReports.of(id, household: household, db)
        return response
    }

    /// A person's sessions of some days, the earliest first.
    static func all(of person: String, days: ClosedRange<Int32>, _ db: Database) throws -> [DrumSessionResponse] {
        let reports = try SessionSelfReports.all(of: person, db)
        return try Row.fetchAll(
            db, cached: "\(select) WHERE p.person = ? AND p.day BETWEEN ? AND ? ORDER BY p.day, p.started_at, p.id",
            arguments: [person, days.lowerBound, days.upperBound]
        ).map { row in
            var response = try DrumSessionResponse(row)
            response.selfReport = reports[response.id]
            return response
        }
    }
}
