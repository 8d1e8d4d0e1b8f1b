import GRDB
import HubKit
import Localization
import Storage

/// The goals and clinic scores in the report, beside practice and computed from none of it.
struct ReportGoals: Codable, Sendable {
    /// The most scores that fit onto the page, which shows the latest.
    private static let most = 12

    var title: String
    /// The goals that were not archived.
    var goals: [GoalsResponse.One]
    /// The earliest first; empty where the page may not see them.
    var scores: [ClinicScoreResponse]
    var words: String

    /// Makes the report's part from goals and scores.
    ///
    /// - Parameters:
    ///   - scores: up to the last day of the report; empty where the page may not see them.
    /// - Returns: nil where there is nothing of either.
    init?(_ goals: [Goal], _ scores: [ClinicScore], _ subject: Subject, in localized: Localizer) {
        let shown = goals.filter { $0.state != .archived }
        guard !shown.isEmpty || !scores.isEmpty else { return nil }
        title = scores.isEmpty ? localized("Goals") : localized("Goals and clinic scores")
        self.goals = GoalsResponse(shown, of: subject).goals
        self.scores = scores.suffix(Self.most).map { ClinicScoreResponse($0, goals: goals, in: localized) }
        words = localized(
            "Goals are in the child’s own words. Scores were measured in the clinic and typed in; none is computed from practice."
        )
    }
}

/// The stored data that a report is made of.
struct StoredReport: Sendable {
    let practice: StoredPractice
    let goals: [Goal]
    let scores: [ClinicScore]

    /// Reads the data of a report.
    ///
    /// - Parameter hasScores: whether the page may see clinic scores.
    init(of subject: Subject, days: ClosedRange<Int32>, hasScores: Bool, _ db: Database) throws {
        practice = try StoredPractice(of: subject, days: days, db)
        goals = try Goal.all(of: subject.person.id, db)
        scores = try hasScores ? ClinicScore.all(of: subject.person.id, db).filter { $0.day <= days.upperBound } : []
    }
}
