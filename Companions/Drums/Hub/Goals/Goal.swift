import Foundation
import GRDB
import HubKit
import Storage

/// A goal: something that somebody wants to be able to do, in their own words.
struct Goal: Storage.TableRecord {
    static let databaseTableName = "drums_goal"
    /// The most characters of a goal.
    static let longest = 200
    /// The most goals of one person, those that were archived among them.
    static let most = 100

    enum State: String, Codable, Sendable, CaseIterable { case open, reached, archived }

    var id: String
    var household: String
    var person: String
    var text: String
    var state: State
    /// UTC milliseconds.
    var createdAt: Int64
    var reachedAt: Int64?

    /// A person's goals, the earliest first.
    static func all(of person: String, _ db: Database) throws -> [Goal] {
        try fetchAll(
            db, cached: "SELECT * FROM drums_goal WHERE person = ? ORDER BY created_at, id", arguments: [person])
    }

    /// Finds a goal of a person.
    ///
    /// - Throws: a 404 problem where they have none of that id.
    static func find(_ id: String, of person: String, _ db: Database) throws -> Goal {
        guard let goal = try fetchOne(db, key: id), goal.person == person else {
            throw Problem.notFound("There is no such goal here. It may have been removed.")
        }
        return goal
    }
}

/// A goal in a request; what is left out stays.
struct GoalInput: Decodable, Sendable {
    var text: String?
    var state: String?

    /// Changes a goal by the input.
    ///
    /// - Throws: a 422 problem for what is no goal.
    func apply(to goal: inout Goal, now: Int64) throws {
        if let text { goal.text = try Self.checked(text) }
        guard let state else { return }
        guard let state = Goal.State(rawValue: state) else {
            throw Problem.field("state", "A goal is open, reached or archived.")
        }
        if state == .reached, goal.state != .reached { goal.reachedAt = now }
        if state == .open { goal.reachedAt = nil }
        goal.state = state
    }

    static func checked(_ text: String?) throws -> String {
        let words = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !words.isEmpty else {
            throw Problem.field("text", "Write the goal in a few words, such as: tie my shoes by myself.")
        }
        guard words.count <= Goal.longest, !words.contains(where: \.isNewline) else {
            throw Problem.field("text", "A goal is one line of at most \(Goal.longest) characters. Say it shorter.")
        }
        return words
    }
}

/// The goals of a person.
struct GoalsResponse: Codable, Sendable {
    struct One: Codable, Sendable {
        var id, text: String
        var state: Goal.State
        /// The days on which it was written and reached, by the person's clock.
        var day: String
        var reachedDay: String?
    }

    var goals: [One]
    /// The most characters of a goal.
    var longest = Goal.longest

    init(of subject: Subject, _ db: Database) throws {
        self.init(try Goal.all(of: subject.person.id, db), of: subject)
    }

    init(_ goals: [Goal], of subject: Subject) {
        let day = { (at: Int64) in "\(CivilDate(day: subject.calendar.moment(of: at).day))" }
        self.goals = goals.map {
            One(
                id: $0.id, text: $0.text, state: $0.state, day: day($0.createdAt), reachedDay: $0.reachedAt.map(day))
        }
    }
}
