import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

/// The answer of `GET /api/toy`: the content of the first screen, which a phone keeps for when the hub is away.
struct OverviewResponse: Codable {
    /// The number of facts of a category in a language.
    struct FactCount: Codable {
        var category: CategoryName
        var language: LanguageName
        var facts: Int
    }

    struct Person: Codable {
        var id, name: String
        var role: PersonRecord.Role
        var face: String?
        /// Whether the page that asks may play facts for them, see what is their own, and decide about them.
        var mayDeliver, mayRead, mayDecide: Bool
        /// The time at which they last heard something, UTC milliseconds; nil where the page may not see it.
        var lastHeardAt: Int64?
        /// The number of facts of today by their clock; nil where the page may not see them.
        var heardToday: Int?
        /// The number of facts that are left of today's limit; nil for no limit, and where the page may not see it.
        var leftToday: Int?
    }

    var headline: HeadlineResponse
    var people: [Person]
    var toys: [ToyResponse]
    var factCounts: [FactCount]
    /// The time at which somebody last heard something, UTC milliseconds.
    var lastHeardAt: Int64?

    init(for member: Member, hub: HubContext, now: Int64, _ localized: Localizer, _ db: Database) throws {
        let household = member.household
        let home = try HouseholdRecord.find(db, key: household)
        people = []
        var heard = 0
        for person in try PersonRecord.all(of: household, db) {
            let subject = Subject(person, of: home, now: now)
            let mayRead = hub.policy.allowsViewing(member, of: person, now: now)
            let listener = try FactQueue.known(person: person.id, db)
            let today = try PlayRecord.count(ofToday: subject, db)
            if mayRead { heard += today }
            let limit = try HouseRulesRecord.of(person.id, household: household, db).dailyLimit
            people.append(
                Person(
                    id: person.id, name: person.name, role: person.role, face: person.face,
                    mayDeliver: hub.policy.allowsSession(member, of: person), mayRead: mayRead,
                    mayDecide: hub.policy.allowsSettings(member, of: person, now: now),
                    lastHeardAt: mayRead ? try listener.flatMap { try Self.last($0, db) } : nil,
                    heardToday: mayRead ? today : nil,
                    leftToday: mayRead ? limit.map { max(0, $0 - today) } : nil))
        }
        toys = try ToyResponse.all(for: member, hub: hub, now: now, in: localized.language, db)
        factCounts = try Self.factCounts(household, db)
        lastHeardAt = try Self.lastPlay(household, unseen: people.filter { !$0.mayRead }.map(\.id), db)
        let words = OverviewText(toys: toys, heardToday: heard, hasHeard: lastHeardAt != nil)
        headline = HeadlineResponse(words, in: localized)
    }

    private static func last(_ listener: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, cached: "SELECT at FROM toy_play WHERE listener = ? ORDER BY id DESC LIMIT 1", arguments: [listener])
    }

    /// The time at which something was last heard that the page may see.
    ///
    /// - Parameter unseen: those whose history it may not; what a toy of nobody's in particular said is everybody's.
    private static func lastPlay(_ household: String, unseen: [String], _ db: Database) throws -> Int64? {
        guard !unseen.isEmpty else {
            return try Int64.fetchOne(
                db, cached: "SELECT max(at) FROM toy_play WHERE household = ?", arguments: [household])
        }
        let places = unseen.map { _ in "?" }.joined(separator: ", ")
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT max(at) FROM toy_play JOIN toy_listener ON toy_listener.id = toy_play.listener
                WHERE toy_play.household = ? AND coalesce(toy_listener.person NOT IN (\(places)), 1)
                """, arguments: [household] + StatementArguments(unseen))
    }

    private static func factCounts(_ household: String, _ db: Database) throws -> [FactCount] {
        try Row.fetchAll(
            db,
            cached: """
                SELECT category, language, count(*) FROM toy_fact WHERE household = ?
                GROUP BY category, language ORDER BY category, language
                """, arguments: [household]
        ).compactMap { row in
            LanguageName(rawValue: row[1]).map {
                FactCount(category: CategoryName(number: row[0]), language: $0, facts: row[2])
            }
        }
    }
}
