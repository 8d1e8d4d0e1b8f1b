import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// What a clinic measures a hand by. None of it is computed here, and none of it from practice.
enum ClinicMeasure: String, Codable, Sendable, CaseIterable {
    /// Box and Block Test: blocks a minute, each hand by itself.
    case boxAndBlock
    /// Assisting Hand Assessment: AHA units, 0 to 100.
    case aha
    /// Canadian Occupational Performance Measure: performance and satisfaction, 1 to 10, for each goal.
    case copm
    /// Goal Attainment Scaling: −2 to +2, for each goal.
    case gas

    var values: ClosedRange<Int> {
        switch self {
        case .boxAndBlock: 0...150
        case .aha: 0...100
        case .copm: 1...10
        case .gas: -2...2
        }
    }

    var isOfSide: Bool { self == .boxAndBlock }
    var isOfGoal: Bool { self == .copm || self == .gas }

    /// Its name, which is one in every language but for the first.
    var title: LocalizedText {
        switch self {
        case .boxAndBlock: LocalizedText("Box and Block Test")
        case .aha: LocalizedText("Assisting Hand Assessment (AHA)")
        case .copm: LocalizedText("COPM")
        case .gas: LocalizedText("Goal Attainment Scaling (GAS)")
        }
    }

    /// What a value of it is.
    var unit: LocalizedText {
        switch self {
        case .boxAndBlock: LocalizedText("blocks in a minute, 0 to 150")
        case .aha: LocalizedText("AHA units, 0 to 100")
        case .copm: LocalizedText("1 to 10")
        case .gas: LocalizedText("−2 to +2, where 0 is the expected outcome")
        }
    }
}

/// One score, of one day.
struct ClinicScore: Storage.TableRecord {
    static let databaseTableName = "drums_clinic_score"
    /// Of one person.
    static let most = 1_000

    var id: String
    var household: String
    var person: String
    var measure: ClinicMeasure
    /// Since 1 January 1970.
    var day: Int32
    var side: SideName?
    /// The goal that it is about.
    var goal: String?
    /// Of ``ClinicMeasure/copm`` the performance.
    var value: Int
    var satisfaction: Int?
    /// UTC milliseconds.
    var createdAt: Int64
    var removedAt: Int64?

    /// Somebody's, the earliest day first, without those that were removed.
    static func all(of person: String, _ db: Database) throws -> [ClinicScore] {
        try fetchAll(
            db,
            sql: """
                SELECT * FROM drums_clinic_score WHERE person = ? AND removed_at IS NULL ORDER BY day, created_at, id
                """, arguments: [person])
    }

    /// `Blocks in a minute: 42`, `Performance 4, satisfaction 6`, `+1`
    func words(in localized: Localizer) -> String {
        switch measure {
        case .boxAndBlock: localized("Blocks in a minute: \(value)")
        case .aha: localized("AHA units: \(value)")
        case .copm: localized("Performance \(value), satisfaction \(satisfaction ?? 0)")
        case .gas: Self.signed(value)
        }
    }

    /// `+1`, `0`, `−2`
    static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : value < 0 ? "−\(-value)" : "0" }
}

/// A score in a request.
struct ClinicScoreInput: Decodable, Sendable {
    var measure: String
    /// Such as 2026-11-20.
    var day: String
    var side, goal: String?
    var value: Int
    var satisfaction: Int?

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

/// All scores of somebody, and what can be entered.
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
