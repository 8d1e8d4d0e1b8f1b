import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

/// The route to what a child heard in a week, for parents.
struct WeekRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        routes.get(
            "/api/toy/people/{person}/week", .member,
            "What somebody heard in the week that ends today, or so many weeks before: by days and categories, with what was voted.",
            query: [.weeksAgo]
        ) { request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            let ago = try request.query(.weeksAgo).map { text in
                guard let number = Int32(text), (0...520).contains(number) else {
                    throw Problem.field("weeksAgo", "Weeks are a number between 0 and 520.")
                }
                return number
            }
            let localized = request.localized
            return try .json(
                try await hub.database.pool.read { db in
                    let subject = try Subject.read(id, by: member, hub, now: now, db)
                    return try WeekResponse(subject, weeksAgo: ago ?? 0, localized, db)
                })
        }
    }
}

extension QueryParameter {
    fileprivate static let weeksAgo = QueryParameter(
        "weeksAgo", "How many weeks before the one that ends today; 0 where it is left out.")
}

/// A week of somebody's facts: seven days by their own clock.
struct WeekResponse: Codable {
    struct Day: Codable {
        /// The day, such as `2026-11-21`.
        var day: String
        /// The number of facts that were heard to the end, and that of others.
        var finished, others: Int
    }

    struct CategoryCount: Codable {
        var category: CategoryName
        var facts: Int
    }

    /// The week in a sentence.
    var headline: String
    /// The days of the week, the earliest first.
    var days: [Day]
    /// The counts of categories, the most heard first.
    var categories: [CategoryCount]
    /// The number of facts that were new to them in this week.
    var newFacts: Int
    /// The numbers of their votes for and against facts in this week.
    var upvotes, downvotes: Int
    /// The facts that they voted good in this week, the newest first, at most five.
    var favourites: [FactResponse]

    init(_ subject: Subject, weeksAgo: Int32, _ localized: Localizer, _ db: Database) throws {
        let last = subject.today - 7 * weeksAgo
        let first = last - 6
        let (from, to) = (subject.calendar.start(ofDay: first), subject.calendar.start(ofDay: last + 1))
        days = (first...last).map { Day(day: "\(CivilDate(day: $0))", finished: 0, others: 0) }
        (categories, newFacts, upvotes, downvotes, favourites) = ([], 0, 0, 0, [])
        if let listener = try FactQueue.known(person: subject.person.id, db) {
            var counts: [Int: Int] = [:]
            var seen: Set<Int64> = []
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT at, ending, category, fact, NOT EXISTS(
                        SELECT 1 FROM toy_play AS earlier
                        WHERE earlier.listener = toy_play.listener AND earlier.fact = toy_play.fact AND earlier.at < ?1)
                    FROM toy_play JOIN toy_fact ON toy_fact.id = toy_play.fact
                    WHERE toy_play.household = ?2 AND at >= ?1 AND at < ?3 AND listener = ?4
                    """, arguments: [from, subject.household.id, to, listener])
            for row in rows {
                let day = Int(subject.calendar.moment(of: row[0]).day - first)
                guard days.indices.contains(day) else { continue }
                if row[1] == PlayRecord.Ending.finished.rawValue {
                    days[day].finished += 1
                } else {
                    days[day].others += 1
                }
                counts[row[2], default: 0] += 1
                if row[4], seen.insert(row[3]).inserted { newFacts += 1 }
            }
            categories = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                CategoryCount(category: CategoryName(number: $0.key), facts: $0.value)
            }
            let votes = try Row.fetchAll(
                db,
                cached: "SELECT vote, fact FROM toy_vote WHERE listener = ? AND at >= ? AND at < ? ORDER BY at DESC",
                arguments: [listener, from, to])
            upvotes = votes.count { $0[0] == 1 }
            downvotes = votes.count - upvotes
            for row in votes where row[0] == 1 && favourites.count < 5 {
                guard let fact = try FactRecord.fetchOne(db, key: row[1] as Int64) else { continue }
                favourites.append(FactResponse(fact, vote: .up))
            }
        }
        let heard = days.reduce(0) { $0 + $1.finished + $1.others }
        let name = subject.person.name
        headline =
            heard == 0
            ? localized("\(name) heard nothing in these seven days.")
            : localized("\(heard) facts for \(name) in seven days, \(newFacts) of them new.")
    }
}
