import GRDB
import HubKit
import PlantsEngine
import Storage

/// The gardens of the original app's clients at rest.
extension Database {
    /// The most clients that are remembered: anybody can invent one. Then the one that was silent longest goes.
    static var mostLegacyClients: Int { 200 }
    /// The most plants of the household that come from one client, those among them that it deleted.
    static var mostAdoptedPlants: Int { 2 * LegacyGarden.mostPlants }
    /// The silence after which a client without a plant is forgotten, in milliseconds.
    static var emptyLegacyClientLife: Int64 { 30 * 86_400_000 }

    /// The id of a client's row.
    func legacyClient(_ name: String, household: String) throws -> Int64? {
        try Int64.fetchOne(
            self, sql: "SELECT id FROM legacy_client WHERE household = ? AND name = ?", arguments: [household, name])
    }

    /// A client said something. Written at most once a minute.
    func sawLegacyClient(_ client: Int64, now: Int64) throws {
        try execute(
            sql: "UPDATE legacy_client SET seen_at = ? WHERE id = ? AND seen_at < ?",
            arguments: [now, client, now - 60_000])
    }

    /// Forgets a client, with its garden and what its sensors stand for. Plants that were adopted are the household's,
    /// and stay.
    func forgetLegacyClient(_ client: Int64) throws {
        try execute(sql: "DELETE FROM legacy_client WHERE id = ?", arguments: [client])
    }

    /// Makes room for one more client: those that nobody adopted or mapped a sensor of are forgotten, the ones without
    /// a plant before others, and whoever was silent longest first.
    ///
    /// - Throws: `LegacyStoreError.tooManyClients` where people want all that there are.
    private func makeRoomForLegacyClient(household: String, now: Int64) throws {
        let unclaimed = """
            household = ? AND adopted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM legacy_sensor WHERE legacy_sensor.client = legacy_client.id)
            """
        let hasPlants = "EXISTS (SELECT 1 FROM legacy_plant WHERE legacy_plant.client = legacy_client.id)"
        try execute(
            sql: "DELETE FROM legacy_client WHERE \(unclaimed) AND NOT \(hasPlants) AND seen_at < ?",
            arguments: [household, now - Self.emptyLegacyClientLife])
        let count =
            try Int.fetchOne(
                self, sql: "SELECT count(*) FROM legacy_client WHERE household = ?", arguments: [household]) ?? 0
        guard count >= Self.mostLegacyClients else { return }
        let silent = try Int64.fetchOne(
            self, sql: "SELECT id FROM legacy_client WHERE \(unclaimed) ORDER BY \(hasPlants), seen_at, id LIMIT 1",
            arguments: [household])
        guard let silent else { throw LegacyStoreError.tooManyClients }
        try forgetLegacyClient(silent)
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
    /// A plant that the client deletes is gone for the client alone: whoever is anonymous removes nothing of the
    /// household's. It is the same plant again where the client adds one of that name.
    ///
    /// - Throws: `LegacyStoreError`.
    func keep(_ garden: LegacyGarden, ofClient name: String, household: String, now: Int64) throws {
        var client = try legacyClient(name, household: household)
        if client == nil {
            try makeRoomForLegacyClient(household: household, now: now)
            try execute(
                sql: "INSERT INTO legacy_client(household, name, seen_at) VALUES (?, ?, ?)",
                arguments: [household, name, now])
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
        let deleted = try legacyDeleted(client: client)
        for (index, plant) in after.enumerated() where plants[index] == nil {
            plants[index] =
                deleted.first { $0.name.utf8.elementsEqual(plant.name.utf8) && !plants.contains($0.plant) }?
                .plant
        }
        for (index, plant) in after.enumerated() {
            guard let id = plants[index], let old = before.first(where: { $0.plant == id }), old.name != plant.name,
                var record = try PlantRecord.fetchOne(self, key: id), !plant.name.isEmpty,
                // The name that a person gave stays: whoever is anonymous takes none away.
                record.name == (try freeName(old.name, household: household, except: id))
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
        for plant in kept {
            try execute(
                sql: "DELETE FROM legacy_deleted WHERE client = ? AND plant = ?", arguments: [client, plant])
        }
        for plant in before {
            guard let id = plant.plant, !kept.contains(id) else { continue }
            try execute(
                sql: "INSERT OR REPLACE INTO legacy_deleted(client, plant, name) VALUES (?, ?, ?)",
                arguments: [client, id, plant.name])
        }
        let hidden = try legacyDeleted(client: client).count
        // Of a garden that nobody adopted, none is hidden.
        guard hidden == 0 || hidden + after.count <= Self.mostAdoptedPlants else {
            throw LegacyStoreError.tooManyPlants
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

    /// The rows of every garden of a household, by client.
    func legacyPlants(household: String) throws -> [Int64: [(name: String, sensors: String)]] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT client, name, sensors FROM legacy_plant WHERE household = ? ORDER BY client, position",
            arguments: [household])
        return Dictionary(grouping: rows) { $0["client"] as Int64 }.mapValues { rows in
            rows.map { (name: $0["name"], sensors: $0["sensors"]) }
        }
    }

    /// The devices that a household's legacy sensor ids stand for, by client and sensor id.
    func legacyDevices(household: String) throws -> [Int64: [String: String]] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT client, sensor, device FROM legacy_sensor JOIN device ON device.id = legacy_sensor.device
                WHERE legacy_sensor.household = ? AND device.removed_at IS NULL
                """, arguments: [household])
        return Dictionary(grouping: rows) { $0["client"] as Int64 }.mapValues { rows in
            Dictionary(rows.map { ($0["sensor"], $0["device"]) }) { first, _ in first }
        }
    }

    /// The plants of the household that a client has deleted for itself.
    private func legacyDeleted(client: Int64) throws -> [(name: String, plant: String)] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT legacy_deleted.name, plant FROM legacy_deleted JOIN plant ON plant.id = plant
                WHERE client = ? AND removed_at IS NULL ORDER BY plant
                """, arguments: [client]
        ).map { ($0["name"], $0["plant"]) }
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

    /// The present reading of a legacy sensor; nil where nothing answers: it is mapped to no device, or that is silent.
    func legacyReading(_ sensor: String, client: Int64?, now: Int64) throws -> LegacySensorValue? {
        guard let device = try legacyDevice(sensor, client: client) else { return nil }
        var value = LegacySensorValue()
        for present in try presentReadings(ofDevices: [device], now: now) {
            guard let latest = present.reading,
                now - latest.at <= (try silentAfter(series: present.series.id, now: now))
            else { continue }
            switch present.series.quantity {
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

/// The reason why a legacy garden was not stored.
enum LegacyStoreError: Error {
    /// The greatest number of clients is adopted already.
    case tooManyClients
    /// The client has more plants, with those that were deleted, than ``GRDB/Database/mostAdoptedPlants``.
    case tooManyPlants
}
