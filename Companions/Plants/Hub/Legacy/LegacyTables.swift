import GRDB
import HubKit
import PlantsEngine
import Storage

/// The gardens of the original app's clients at rest.
extension Database {
    /// The most clients that are remembered: anybody can invent one.
    static var mostLegacyClients: Int { 200 }

    /// The id of a client's row.
    func legacyClient(_ name: String, household: String) throws -> Int64? {
        try Int64.fetchOne(
            self, sql: "SELECT id FROM legacy_client WHERE household = ? AND name = ?", arguments: [household, name])
    }

    /// A client's garden; a client that never had a plant has none.
    func legacyGarden(client: Int64?) throws -> LegacyGarden {
        guard let client else { return LegacyGarden() }
        return LegacyGarden(
            plants: try Row.fetchAll(
                self, sql: "SELECT name, sensors FROM legacy_plant WHERE client = ? ORDER BY position",
                arguments: [client]
            ).map {
                LegacyPlant(name: Array(($0["name"] as String).utf8), sensors: Array(($0["sensors"] as String).utf8))
            })
    }

    /// Keeps a client's garden as it is now, and brings the household's plants into line where it was adopted.
    ///
    /// - Throws: `LegacyStoreError.tooManyClients`.
    func keep(_ garden: LegacyGarden, ofClient name: String, household: String, now: Int64) throws {
        var client = try legacyClient(name, household: household)
        if client == nil {
            let count =
                try Int.fetchOne(
                    self, sql: "SELECT count(*) FROM legacy_client WHERE household = ?", arguments: [household]) ?? 0
            guard count < Self.mostLegacyClients else { throw LegacyStoreError.tooManyClients }
            try execute(sql: "INSERT INTO legacy_client(household, name) VALUES (?, ?)", arguments: [household, name])
            client = lastInsertedRowID
        }
        guard let client else { return }
        let before = try legacyPlants(client: client)
        let after = (garden.plants ?? []).map {
            (name: String(decoding: $0.name, as: UTF8.self), sensors: String(decoding: $0.sensors, as: UTF8.self))
        }
        // A plant with a new name at the same place and with the same sensors was renamed, and stays itself.
        var plants: [String?] = after.map { plant in before.first { $0.name.utf8.elementsEqual(plant.name.utf8) }?.plant
        }
        if before.count == after.count {
            for (index, plant) in before.enumerated()
            where plants[index] == nil && plant.sensors == after[index].sensors {
                plants[index] = plant.plant
            }
        }
        for (index, plant) in after.enumerated() {
            guard let id = plants[index], let old = before.first(where: { $0.plant == id }), old.name != plant.name,
                var record = try PlantRecord.fetchOne(self, key: id), !plant.name.isEmpty
            else { continue }
            record.name = try freeName(plant.name, household: household, except: id)
            try record.update(self)
        }
        try execute(sql: "DELETE FROM legacy_plant WHERE client = ?", arguments: [client])
        for (position, plant) in after.enumerated() {
            try execute(
                sql:
                    "INSERT INTO legacy_plant(client, position, household, name, sensors, plant) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [client, position, household, plant.name, plant.sensors, plants[position]])
        }
        let kept = Set(plants.compactMap { $0 })
        for gone in before.compactMap(\.plant) where !kept.contains(gone) {
            if let plant = try PlantRecord.fetchOne(self, key: gone), plant.removedAt == nil {
                try remove(plant, now: now)
            }
        }
        try follow(client: client, household: household, now: now)
    }

    /// The rows of a garden, with the household's plant that each became.
    func legacyPlants(client: Int64) throws -> [(name: String, sensors: String, plant: String?)] {
        try Row.fetchAll(
            self, sql: "SELECT name, sensors, plant FROM legacy_plant WHERE client = ? ORDER BY position",
            arguments: [client]
        ).map { ($0["name"], $0["sensors"], $0["plant"]) }
    }

    /// The device that a legacy sensor id stands for.
    func legacyDevice(_ sensor: String, client: Int64?) throws -> String? {
        guard let client else { return nil }
        return try String.fetchOne(
            self,
            sql: """
                SELECT device FROM legacy_sensor JOIN device ON device.id = legacy_sensor.device
                WHERE client = ? AND sensor = ? AND device.removed_at IS NULL
                """, arguments: [client, sensor])
    }

    /// What a legacy sensor says now; nil where nothing answers: it is mapped to no device, or that is silent.
    func legacyReading(_ sensor: String, client: Int64?, now: Int64) throws -> LegacySensorValue? {
        guard let device = try legacyDevice(sensor, client: client) else { return nil }
        var value = LegacySensorValue()
        for series in try series(ofDevice: device) {
            guard let latest = try latestReading(series: series.id),
                now - latest.at <= (try silentAfter(series: series.id))
            else { continue }
            switch series.quantity {
            case "capacitance": value.capacitance = latest.value
            case "moisture": value.moisturePercent = latest.value
            case "temperature": value.temperatureCelsius = latest.value
            default: break
            }
        }
        return value.moistureTenths == nil ? nil : value
    }

    /// Makes the household's plants those of an adopted garden: new ones come, renamed ones follow, sensors are set.
    func follow(client: Int64, household: String, now: Int64) throws {
        let adopted = try Row.fetchOne(
            self, sql: "SELECT 1 FROM legacy_client WHERE id = ? AND adopted_at IS NOT NULL", arguments: [client])
        guard adopted != nil else { return }
        for (position, row) in try legacyPlants(client: client).enumerated() {
            let ids = LegacyPlant(name: Array(row.name.utf8), sensors: Array(row.sensors.utf8)).sensorIDs
            var devices: [String] = []
            for id in ids {
                guard let device = try legacyDevice(String(decoding: id, as: UTF8.self), client: client),
                    !devices.contains(device)
                else { continue }
                // One that stands in another plant stays there.
                if let other = try plant(ofDevice: device), other.id != row.plant { continue }
                devices.append(device)
            }
            if let id = row.plant, let plant = try PlantRecord.fetchOne(self, key: id), plant.removedAt == nil {
                try setSensors(devices, of: plant, now: now)
                continue
            }
            let name = row.name.isEmpty ? "Plant" : row.name
            let art = PlantArt(suggestedBy: name)
            let limits = art.personality.limits
            let plant = PlantRecord(
                id: Secret.identifier(length: 8), household: household, name: try freeName(name, household: household),
                place: "", art: art, low: limits.low, high: limits.high, createdAt: now)
            try plant.insert(self)
            try setSensors(devices, of: plant, now: now)
            try execute(
                sql: "UPDATE legacy_plant SET plant = ? WHERE client = ? AND position = ?",
                arguments: [plant.id, client, position])
        }
    }
}

/// Why a legacy garden was not kept.
enum LegacyStoreError: Error {
    case tooManyClients
}
