import GRDB
import HubKit
import Localization
import Storage

extension Drums {
    /// The values of each person who has played that other programs may show: the minutes of this week against the plan.
    public func entities(household: String) async throws -> [Entity] {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            guard let home = try HouseholdRecord.fetchOne(db, key: household) else { return [] }
            return try PersonRecord.all(of: household, db)
                .flatMap { try Self.entities(Subject($0, of: home, now: now), db) }
        }
    }

    private static func entities(_ subject: Subject, _ db: Database) throws -> [Entity] {
        let person = subject.person
        let week = PracticeWeek.week(around: subject.today)
        let plans = try PracticePlans(of: person.id, db)
        let practised = try DataResponse.practised(subject, week, db)
        let planned = plans.minutes(week)
        guard planned != nil || !practised.isEmpty else { return [] }
        let owner = Entity.Owner(id: person.id, name: person.name, kind: "Drums", person: person.id)
        func minutes(_ id: String, _ title: LocalizedText, _ value: Int?) -> Entity {
            Entity(
                of: owner, id, title, .measurement(.init(unit: "min", deviceClass: "duration")),
                value.map { .number(Double($0)) } ?? .unknown)
        }
        let played = PracticeWeek.minutes(practised.reduce(0) { $0 + $1.milliseconds })
        return [
            minutes("practised", LocalizedText("Practised this week"), played),
            minutes("planned", LocalizedText("Planned for this week"), planned),
            minutes("left", LocalizedText("Left of the week’s plan"), planned.map { max(0, $0 - played) }),
            Entity(
                of: owner, "played", LocalizedText("Song finished"),
                .trigger(EntityTrigger(topic: PlayedEvent.topic(of: person.id), event: "played"))),
        ]
    }
}
