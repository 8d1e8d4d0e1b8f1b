import GRDB
import HubKit
import PlantsEngine
import Storage

/// The watering log of a plant: what was seen, what was noted, and what was taken back.
struct WateringRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        let plants = plants
        routes.get("/api/plants/{id}/waterings", .member, "A plant’s waterings, the latest first.") { visit in
            let household = try visit.member.household
            let id = try visit.path("id")
            let people = try await plants.names(household: household)
            let waterings = try await visit.hub.database.pool.read { db in
                try db.waterings(ofPlant: try db.plant(id, household: household).id)
            }
            return try .json(waterings.map { WateringReply($0, people: people) })
        }
        routes.post(
            "/api/plants/{id}/waterings", .member, "“I watered it”, now or at another time.", takes: ["at": "integer?"]
        ) { visit in
            let member = try visit.member
            let at = try await visit.body(WateringInput.self).at
            let watering = try await plants.water(
                visit.path("id"), at: at, person: member.profile.id, household: member.household)
            return try .created(WateringReply(watering, people: try await plants.names(household: member.household)))
        }
        routes.delete("/api/plants/{id}/waterings/{watering}", .member, "Takes a watering back: it was none.") {
            visit in
            try await set(undone: true, visit)
        }
        routes.post("/api/plants/{id}/waterings/{watering}/restore", .member, "It was a watering after all.") { visit in
            try await set(undone: false, visit)
        }
    }

    private func set(undone: Bool, _ visit: Visit) async throws -> Reply {
        let household = try visit.member.household
        let watering = try await plants.set(
            undone: undone, watering: visit.path("watering"), ofPlant: visit.path("id"), household: household)
        return try .json(WateringReply(watering, people: try await plants.names(household: household)))
    }
}

private struct WateringInput: Decodable { var at: Int64? }

extension Plants {
    /// How far apart a watering that was noted and the rise that it made may lie, milliseconds.
    private static let sameWatering: Int64 = 2 * 3_600_000

    /// Notes that somebody watered a plant. The same person's two taps in a minute are one.
    func water(_ id: String, at time: Int64?, person: String, household: String) async throws -> WateringRecord {
        let now = hub.clock.now()
        let at = time ?? now
        guard at <= now + SensorMessage.lead, at >= SensorMessage.earliest else {
            throw Problem.field(
                "at", "A watering lies in the past; give its time in UTC milliseconds, or leave it out for now.")
        }
        let (plant, watering, devices) = try await hub.database.pool.write { db in
            let plant = try db.plant(id, household: household)
            let devices = try db.sensors(ofPlant: plant.id).map(\.device).filter(\.isVirtual).map(\.id)
            let near = try db.standingWaterings(
                ofPlant: plant.id, from: at - Self.sameWatering, to: at + Self.sameWatering)
            if let twin = near.first(where: { $0.by == .hand && $0.person == person && abs($0.at - at) < 60_000 }) {
                return (plant, twin, [String]())
            }
            // The sensor was quicker: now it is known who did it.
            if var seen = near.first(where: { $0.by == .sensor }) {
                seen.by = .hand
                seen.person = person
                try seen.update(db)
                return (plant, seen, [])
            }
            let watering = WateringRecord(
                id: Secret.identifier(), household: household, plant: plant.id, at: at, by: .hand, person: person,
                confidence: nil, levelBefore: nil, levelAfter: nil, undoneAt: nil)
            do {
                try watering.insert(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw Problem(
                    .conflict, "Noted already", "A watering at that very moment is noted already.", field: "at")
            }
            return (plant, watering, devices)
        }
        for device in devices { virtual.water(device, at: at) }
        tell(plant)
        return watering
    }

    func set(undone: Bool, watering id: String, ofPlant plant: String, household: String) async throws -> WateringRecord
    {
        let now = hub.clock.now()
        let (record, watering) = try await hub.database.pool.write { db in
            let record = try db.plant(plant, household: household)
            guard var watering = try WateringRecord.fetchOne(db, key: id), watering.plant == record.id else {
                throw Problem.notFound("watering")
            }
            watering.undoneAt = undone ? now : nil
            try watering.update(db)
            return (record, watering)
        }
        tell(record)
        return watering
    }
}
