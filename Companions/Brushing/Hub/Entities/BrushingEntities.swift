import HubKit
import Localization

extension Brushing {
    /// The values of each person that other programs may show: whether they have brushed, and their streak.
    public func entities(household: String) async throws -> [Entity] {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            try PersonSituation.all(household: household, now: now, db)
        }.flatMap(Self.entities)
    }

    private static func entities(_ situation: PersonSituation) -> [Entity] {
        let person = situation.subject.person
        let owner = Entity.Owner(id: person.id, name: person.name, kind: "Brushing", person: person.id)
        let done = situation.sessionsToday.filter(\.counts)
        return [
            Entity(
                of: owner, "morning", LocalizedText("Brushed this morning"), .flag(isProblem: false),
                .flag(done.contains { $0.slot == .morning })),
            Entity(
                of: owner, "evening", LocalizedText("Brushed this evening"), .flag(isProblem: false),
                .flag(done.contains { $0.slot == .evening })),
            Entity(
                of: owner, "streak", LocalizedText("Days in a row"), .measurement(.init(unit: "d")),
                .number(Double(situation.history.progress.streakDays))),
            Entity(
                of: owner, "brushed", LocalizedText("Brushed"),
                .trigger(EntityTrigger(topic: BrushedEvent.topic(of: person.id), event: "brushed"))),
        ]
    }
}
