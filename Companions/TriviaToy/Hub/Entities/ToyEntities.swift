import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

extension TriviaToy {
    /// The entity that sets how loud somebody's toy may be, as one of the steps of ``Loudness``.
    private static let volume = "volume"

    /// The time after which a toy that said nothing counts as not connected, milliseconds: it says how it is each minute.
    private static let silentAfter: Int64 = 5 * 60_000

    /// The values of each toy that other programs may show, and how loud it may be.
    public func entities(household: String) async throws -> [Entity] {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            try db.devices(household: household).filter { $0.kind == Self.toyKind }
                .flatMap { try Self.entities($0, now: now, db) }
        }
    }

    private static func entities(_ toy: DeviceRecord, now: Int64, _ db: Database) throws -> [Entity] {
        let owner = Entity.Owner(id: toy.id, name: toy.name, kind: "Toy")
        let status = try ToyStatusRecord.fetchOne(db, key: toy.id)
        let isThere = status.map { now - $0.at < silentAfter } ?? false
        var entities = [
            Entity(
                of: owner, "connected", LocalizedText("Connected"), .flag(isProblem: false), .flag(isThere),
                isDiagnostic: true),
            Entity(
                of: owner, "battery", LocalizedText("Battery"),
                .measurement(.init(unit: "%", deviceClass: "battery")),
                status.map { .number(Double($0.batteryPercent)) } ?? .unknown, isDiagnostic: true),
            Entity(
                of: owner, "unheard", LocalizedText("Facts that nobody has heard yet"), .measurement(.init(unit: "")),
                status.map { .number(Double($0.unheard)) } ?? .unknown),
            Entity(
                of: owner, "told", LocalizedText("A fact was told"),
                .trigger(EntityTrigger(topic: toldTopic(of: toy.id), event: "told"))),
        ]
        if let player = try ToyRecord.fetchOne(db, key: toy.id)?.person {
            let rules = try HouseRulesRecord.of(player, household: toy.household, db)
            entities.append(
                Entity(
                    of: owner, "left-today", LocalizedText("Facts left today"), .measurement(.init(unit: "")),
                    try status.map { status in
                        let subject = try Subject.find(player, household: toy.household, now: now, db)
                        let unheard = Int(status.unheard)
                        let left = try rules.dailyLimit.map { try $0 - PlayRecord.count(ofToday: subject, db) }
                        return .number(Double(max(0, min(left ?? unheard, unheard))))
                    } ?? .unknown))
            let step = Loudness.allCases.firstIndex(of: Loudness(decibels: rules.volumeCap)) ?? 0
            entities.append(
                Entity(
                    of: owner, volume, LocalizedText("Volume"),
                    .number(1...Double(Loudness.allCases.count), step: 1, unit: ""), .number(Double(step + 1))))
        }
        return entities
    }

    /// Sets how loud a toy may be.
    public func perform(_ command: EntityCommand) async throws {
        guard command.entity == Self.volume, let value = command.value, value >= 1,
            value <= Double(Loudness.allCases.count)
        else { throw Problem.notFound("A toy’s volume is a number from 1 to \(Loudness.allCases.count).") }
        let loudness = Loudness.allCases[Int(value) - 1]
        let toys = try await hub.database.pool.write { db in
            guard let toy = try ToyRecord.fetchOne(db, key: command.owner), toy.household == command.household,
                let player = toy.person
            else { throw Problem.notFound("There is no toy here that somebody plays with.") }
            var rules = try HouseRulesRecord.of(player, household: command.household, db)
            rules.volumeCap = loudness.decibels
            try rules.save(db)
            hub.live.publish(changed: "rules", id: player, of: TriviaToy.self, household: command.household, after: db)
            return try String.fetchAll(
                db, cached: "SELECT device FROM toy_device WHERE person = ?", arguments: [player])
        }
        for toy in toys { delivery.serve(toy) }
    }

    /// The topic on which programs hear that a toy has told a fact, without its words.
    static func toldTopic(of toy: String) -> String { "tandem/\(slug)/\(toy)/told" }
}
