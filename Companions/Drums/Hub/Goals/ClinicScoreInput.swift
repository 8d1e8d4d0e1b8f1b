import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A score in a request.
struct ClinicScoreInput: Decodable, Sendable {
    var measure: String
    /// The day of the measurement, such as 2026-11-20.
    var day: String
    var side, goal: String?
    var value: Int
    var satisfaction: Int?

    /// Checks the input, and makes the score.
    ///
    /// - Throws: a 422 problem for what no clinic can have measured.
    func checked(of subject: Subject, _ db: Database) throws -> ClinicScore {
        guard let measure = ClinicMeasure(rawValue: measure) else {
            throw Problem.field("measure", "A score is boxAndBlock, aha, copm or gas.")
        }
        guard let date = CivilDate(day)?.day, date >= 0 else {
            throw Problem.field("day", "A day is written as 2026-12-02, and is one that the calendar has.")
        }
        guard date <= subject.today else {
            throw Problem.field("day", "This day is still to come. Choose the day on which it was measured.")
        }
        let (least, most) = (measure.values.lowerBound, measure.values.upperBound)
        guard measure.values.contains(value) else {
            throw Problem.field("value", "This score is a whole number from \(least) to \(most).")
        }
        if measure == .copm {
            guard let satisfaction, measure.values.contains(satisfaction) else {
                throw Problem.field("satisfaction", "COPM has a satisfaction too, from \(least) to \(most).")
            }
        }
        return ClinicScore(
            id: Secret.identifier(), household: subject.household.id, person: subject.person.id, measure: measure,
            day: date, side: try measure.isOfSide ? checkedSide() : nil,
            goal: try measure.isOfGoal ? checkedGoal(of: subject, db) : nil, value: value,
            satisfaction: measure == .copm ? satisfaction : nil, createdAt: subject.now)
    }

    private func checkedSide() throws -> SideName {
        guard let side = side.flatMap(SideName.init(rawValue:)) else {
            throw Problem.field("side", "Say which hand was tested: left or right.")
        }
        return side
    }

    private func checkedGoal(of subject: Subject, _ db: Database) throws -> String {
        guard let goal, !goal.isEmpty else {
            throw Problem.field(
                "goal", "Choose the goal that this score is about. Write one first where there is none.")
        }
        guard let known = try Goal.fetchOne(db, key: goal), known.person == subject.person.id else {
            throw Problem.field("goal", "There is no such goal here. Choose one of the list.")
        }
        return known.id
    }
}
