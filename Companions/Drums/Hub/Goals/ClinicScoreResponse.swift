import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A score as pages show it.
struct ClinicScoreResponse: Codable, Sendable {
    var id: String
    var measure: ClinicMeasure
    var title, day: String
    var side: SideName?
    /// The goal's id, and its text.
    var goal, goalText: String?
    var value: Int
    var satisfaction: Int?
    var words: String

    init(_ score: ClinicScore, goals: [Goal], in localized: Localizer) {
        id = score.id
        measure = score.measure
        title = localized.string(score.measure.title)
        day = "\(CivilDate(day: score.day))"
        side = score.side
        goal = score.goal
        goalText = score.goal.flatMap { id in goals.first { $0.id == id }?.text }
        value = score.value
        satisfaction = score.satisfaction
        words = score.words(in: localized)
    }
}

/// The clinic scores of a person, and the measures that can be entered.
struct ClinicScoresResponse: Codable, Sendable {
    struct Measure: Codable, Sendable {
        var name: ClinicMeasure
        var title, unit: String
        var least, most: Int
        var isOfSide, isOfGoal, hasSatisfaction: Bool
    }

    /// The earliest first.
    var scores: [ClinicScoreResponse]
    var charts: [ScoreChart]
    var measures: [Measure]
    /// The last day that there can be a score of.
    var today: String

    init(of subject: Subject, in localized: Localizer, _ db: Database) throws {
        let goals = try Goal.all(of: subject.person.id, db)
        let stored = try ClinicScore.all(of: subject.person.id, db)
        scores = stored.map { ClinicScoreResponse($0, goals: goals, in: localized) }
        charts = ScoreChart.all(stored, goals: goals, in: localized)
        measures = ClinicMeasure.allCases.map {
            Measure(
                name: $0, title: localized.string($0.title), unit: localized.string($0.unit),
                least: $0.values.lowerBound, most: $0.values.upperBound, isOfSide: $0.isOfSide, isOfGoal: $0.isOfGoal,
                hasSatisfaction: $0 == .copm)
        }
        today = "\(CivilDate(day: subject.today))"
    }
}
