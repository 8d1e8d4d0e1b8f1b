import GRDB
import Storage

/// A report of somebody about themselves before or after a song: how hard it was, and whether it hurt. It stands beside
/// the session and is part of no score.
struct SelfReport: Storage.TableRecord {
    static let databaseTableName = "drums_self_report"
    /// The range of both scales, Borg's CR10 for effort and the numeric rating scale for pain, both in whole numbers.
    static let values = 0...10

    /// The moment of the report: before or after the song.
    enum Moment: String, Codable, Sendable, CaseIterable { case before, after }

    var household: String
    /// The identifier of the session, which may come later.
    var session: String
    var moment: Moment
    var person: String
    /// UTC milliseconds, by the device that asked.
    var at: Int64
    /// The effort that was said; nil where it was not asked for, or not said.
    var effort: Int?
    var pain: Int?
}

/// The two reports of a session, as lists show them beside it.
struct SessionSelfReports: Codable, Sendable, Equatable {
    var effortBefore, effortAfter, painBefore, painAfter: Int?

    /// Joins the two reports of a session.
    ///
    /// - Returns: nil where nobody was asked. Who was asked and did not say has one with nothing in it.
    init?(before: SelfReport?, after: SelfReport?) {
        guard before != nil || after != nil else { return nil }
        (effortBefore, painBefore) = (before?.effort, before?.pain)
        (effortAfter, painAfter) = (after?.effort, after?.pain)
    }

    /// The reports of a person, by the identifier of the session.
    static func all(of person: String, _ db: Database) throws -> [String: SessionSelfReports] {
        let reports = try SelfReport.fetchAll(
            db, cached: "SELECT * FROM drums_self_report WHERE person = ?", arguments: [person])
        return Dictionary(grouping: reports, by: \.session).compactMapValues { both in
            SessionSelfReports(
                before: both.first { $0.moment == .before }, after: both.first { $0.moment == .after })
        }
    }

    /// The reports of one session.
    static func of(_ session: String, household: String, _ db: Database) throws -> SessionSelfReports? {
        let both = try SelfReport.fetchAll(
            db, cached: "SELECT * FROM drums_self_report WHERE household = ? AND session = ?",
            arguments: [household, session])
        return SessionSelfReports(
            before: both.first { $0.moment == .before }, after: both.first { $0.moment == .after })
    }
}
