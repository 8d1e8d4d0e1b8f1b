import GRDB
import HubKit
import PlantsEngine
import Storage

/// The gardens of the original app: what they hold, who adopted them, and which devices their sensors stand for.
struct LegacyRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        routes.get("/api/plants/legacy", .member, "The original app’s users with their plants and sensors.") {
            request in
            let household = try request.member.household
            let people = try await plants.names(household: household)
            let clients = try await Self.clients(household, people, request.hub)
            return try .json(
                LegacyResponse(enabled: request.hub.settings.legacy.contains(Plants.slug), clients: clients))
        }
        routes.post("/api/plants/legacy/{client}/adopt", .adult, "Makes an original user’s plants the household’s own.")
        { request in
            let member = try request.member
            let name = try request.path("client")
            let now = request.hub.clock.now()
            try await request.hub.database.pool.write { db in
                guard let client = try db.legacyClient(name, household: member.household) else {
                    throw Problem.notFound("There is no client here. It may have been removed.")
                }
                try db.execute(
                    cached: "UPDATE legacy_client SET adopted_by = ?, adopted_at = ifnull(adopted_at, ?) WHERE id = ?",
                    arguments: [member.profile.id, now, client])
                try db.follow(client: client, household: member.household, now: now)
                request.hub.live.publish(changed: "plants", of: Plants.self, household: member.household, after: db)
            }
            return try await response(name, request)
        }
        routes.delete(
            "/api/plants/legacy/{client}", .adult,
            "Forgets an original user with plants and sensors. What was adopted stays the household’s."
        ) { request in
            let household = try request.member.household
            let name = try request.path("client")
            try await request.hub.database.pool.write { db in
                guard let client = try db.legacyClient(name, household: household) else {
                    throw Problem.notFound("There is no client here. It may have been removed.")
                }
                try db.forgetLegacyClient(client)
                request.hub.live.publish(changed: "plants", of: Plants.self, household: household, after: db)
            }
            return .nothing
        }
        routes.put(
            "/api/plants/legacy/{client}/sensors/{sensor}", .adult,
            "Says which device an original sensor id stands for.",
            takes: MappingInput.self
        ) { request, body in
            let household = try request.member.household
            let name = try request.path("client")
            let sensor = try request.path("sensor")
            let device = body.device
            let now = request.hub.clock.now()
            try await request.hub.database.pool.write { db in
                guard let client = try db.legacyClient(name, household: household) else {
                    throw Problem.notFound("There is no client here. It may have been removed.")
                }
                try db.execute(
                    cached: "DELETE FROM legacy_sensor WHERE client = ? AND sensor = ?", arguments: [client, sensor])
                if let device {
                    guard let record = try DeviceRecord.fetchOne(db, key: device), record.household == household,
                        record.removedAt == nil, record.kind == Plants.sensorKind
                    else {
                        throw Problem.field(
                            "device", "There is no plant sensor with the id “\(device)” in this household.")
                    }
                    try db.execute(
                        cached: "INSERT INTO legacy_sensor(client, sensor, household, device) VALUES (?, ?, ?, ?)",
                        arguments: [client, sensor, household, device])
                }
                try db.follow(client: client, household: household, now: now)
                request.hub.live.publish(changed: "plants", of: Plants.self, household: household, after: db)
            }
            return try await response(name, request)
        }
    }

    private func response(_ name: String, _ request: APIRequest) async throws -> APIResponse<JSON<LegacyClientResponse>>
    {
        let household = try request.member.household
        let people = try await plants.names(household: household)
        let clients = try await Self.clients(household, people, request.hub)
        guard let client = clients.first(where: { $0.client == name }) else {
            throw Problem.notFound("There is no client here. It may have been removed.")
        }
        return try .json(client)
    }

    private static func clients(_ household: String, _ people: [String: String], _ hub: HubContext) async throws
        -> [LegacyClientResponse]
    {
        let (clients, plants, devices) = try await hub.database.pool.read { db in
            (
                try Row.fetchAll(
                    db,
                    cached:
                        "SELECT id, name, adopted_by, adopted_at FROM legacy_client WHERE household = ? ORDER BY name",
                    arguments: [household]
                ).map { row in
                    (
                        id: row["id"] as Int64, name: row["name"] as String, adopter: row["adopted_by"] as String?,
                        isAdopted: (row["adopted_at"] as Int64?) != nil
                    )
                },
                try db.legacyPlants(household: household), try db.legacyDevices(household: household)
            )
        }
        return clients.map { id, name, adopter, isAdopted in
            var seen: [String] = []
            let garden = (plants[id] ?? []).map { plant in
                let sensors = LegacyPlant(name: [], sensors: Array(plant.sensors.utf8)).sensorIDs.map {
                    String(decoding: $0, as: UTF8.self)
                }
                for sensor in sensors where !seen.contains(sensor) { seen.append(sensor) }
                return LegacyClientResponse.Plant(name: plant.name, sensors: sensors)
            }
            return LegacyClientResponse(
                client: name, adoptedBy: isAdopted ? adopter.flatMap { people[$0] } ?? "somebody" : nil,
                plants: garden, sensors: seen.map { .init(sensor: $0, device: devices[id]?[$0]) })
        }
    }
}

private struct MappingInput: Decodable { var device: String? }

private struct LegacyResponse: Codable {
    var enabled: Bool
    var clients: [LegacyClientResponse]
}

private struct LegacyClientResponse: Codable, Sendable {
    struct Plant: Codable, Sendable {
        var name: String
        var sensors: [String]
    }
    struct Sensor: Codable, Sendable {
        var sensor: String
        var device: String?
    }
    var client: String
    var adoptedBy: String?
    var plants: [Plant]
    var sensors: [Sensor]
}
