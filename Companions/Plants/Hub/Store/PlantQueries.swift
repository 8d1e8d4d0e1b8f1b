import GRDB
import HubKit
import PlantsEngine
import Storage

/// The queries of this companion, inside a transaction of the caller's.
extension Database {
    /// The plants of a household in the order they came; removed ones left out.
    func plants(household: String) throws -> [PlantRecord] {
        try PlantRecord.fetchAll(
            self,
            sql: "SELECT * FROM plant WHERE household = ? AND removed_at IS NULL ORDER BY created_at, rowid",
            arguments: [household])
    }

    /// A plant of a household, or a 404 problem.
    func plant(_ id: String, household: String) throws -> PlantRecord {
        guard let plant = try PlantRecord.fetchOne(self, key: id), plant.household == household, plant.removedAt == nil
        else { throw Problem.notFound("There is no plant here. It may have been removed.") }
        return plant
    }

    /// The plant that a device stands in now.
    func plant(ofDevice device: String) throws -> PlantRecord? {
        try PlantRecord.fetchOne(
            self,
            sql: """
                SELECT plant.* FROM plant JOIN plant_sensor ON plant_sensor.plant = plant.id
                WHERE device = ? AND until IS NULL AND plant.removed_at IS NULL
                """, arguments: [device])
    }

    /// A plant's sensors as they stand now, the leading one first, with the time from which their readings are its own.
    func sensors(ofPlant plant: String) throws -> [(device: DeviceRecord, since: Int64)] {
        try sensors(ofPlants: [plant]).map { ($0.device, $0.since) }
    }

    /// A sensor as it stands in its pot now.
    struct PlacedSensor {
        var plant: String
        var device: DeviceRecord
        /// The time from which on its readings are the plant's, UTC milliseconds.
        var since: Int64
        /// The time from which on they are on the scale that it has now.
        var scaledSince: Int64
    }

    /// The sensors of plants as they stand now, each plant's leading one first.
    func sensors(ofPlants plants: [String]) throws -> [PlacedSensor] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT device.*, plant, since, \(CalibrationRecord.scaledSince) AS scaled_since
                FROM plant_sensor JOIN device ON device.id = plant_sensor.device
                LEFT JOIN plant_calibration ON plant_calibration.device = plant_sensor.device
                WHERE plant IN (SELECT value FROM json_each(?)) AND until IS NULL AND device.removed_at IS NULL
                ORDER BY plant, position
                """, arguments: [Self.jsonText(plants)]
        ).map {
            PlacedSensor(
                plant: $0["plant"], device: try DeviceRecord(row: $0), since: $0["since"],
                scaledSince: $0["scaled_since"])
        }
    }

    /// The sensors that stand in plants of the household.
    func sensors(household: String) throws -> [DeviceRecord] {
        try DeviceRecord.fetchAll(
            self,
            sql: """
                SELECT device.* FROM plant_sensor JOIN device ON device.id = plant_sensor.device
                JOIN plant ON plant.id = plant_sensor.plant
                WHERE plant.household = ? AND until IS NULL AND device.removed_at IS NULL AND plant.removed_at IS NULL
                ORDER BY plant.created_at, plant.rowid, position
                """, arguments: [household])
    }

    /// Gives a plant these sensors and no others.
    ///
    /// - Throws: a 422 problem for a device that is none of the household's sensors, a 409 problem for one that
    ///   stands in another plant.
    func setSensors(_ devices: [String], of plant: PlantRecord, now: Int64) throws {
        for (index, id) in devices.enumerated() {
            guard !devices[..<index].contains(id) else { throw Problem.field("sensors", "A sensor is named twice.") }
            guard let device = try DeviceRecord.fetchOne(self, key: id), device.household == plant.household,
                device.removedAt == nil, device.kind == Plants.sensorKind
            else { throw Problem.field("sensors", "There is no plant sensor with the id “\(id)” in this household.") }
            if let other = try self.plant(ofDevice: id), other.id != plant.id {
                throw Problem(
                    .conflict, "Already in use",
                    "“\(device.name)” already stands in “\(other.name)”. Take it out there first.", field: "sensors")
            }
        }
        let present = try Set(sensors(ofPlant: plant.id).map(\.device.id))
        for id in present.subtracting(devices) {
            try execute(
                sql: "UPDATE plant_sensor SET until = ? WHERE plant = ? AND device = ? AND until IS NULL",
                arguments: [now, plant.id, id])
        }
        for (position, id) in devices.enumerated() {
            if present.contains(id) {
                try execute(
                    sql: "UPDATE plant_sensor SET position = ? WHERE plant = ? AND device = ? AND until IS NULL",
                    arguments: [position, plant.id, id])
                continue
            }
            // What it measured before it stood anywhere was measured for this plant, most likely.
            let since =
                try Int64.fetchOne(self, sql: "SELECT max(until) FROM plant_sensor WHERE device = ?", arguments: [id])
                ?? 0
            try execute(
                sql: """
                    INSERT INTO plant_sensor(plant, device, household, position, since) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET until = NULL, position = excluded.position
                    """, arguments: [plant.id, id, plant.household, position, since])
        }
    }

    /// A free name like `name`: itself, or with the next number.
    func freeName(_ name: String, household: String, except id: String? = nil) throws -> String {
        let taken = try Set(plants(household: household).filter { $0.id != id }.map { $0.name.lowercased() })
        guard taken.contains(name.lowercased()) else { return name }
        let words = name.split(separator: " ")
        let stem =
            words.count > 1 && words.last.flatMap { Int($0) } != nil ? words.dropLast().joined(separator: " ") : name
        var number = 2
        while taken.contains("\(stem) \(number)".lowercased()) { number += 1 }
        return "\(stem) \(number)"
    }

    /// Removes a plant; its readings and its waterings stay. A virtual sensor that stood in it goes with it.
    /// - Returns: the virtual devices that went.
    @discardableResult
    func remove(_ plant: PlantRecord, now: Int64) throws -> [String] {
        let virtual = try sensors(ofPlant: plant.id).map(\.device).filter(\.isVirtual).map(\.id)
        try execute(
            sql: "UPDATE plant_sensor SET until = ? WHERE plant = ? AND until IS NULL", arguments: [now, plant.id])
        try execute(sql: "UPDATE plant SET removed_at = ? WHERE id = ?", arguments: [now, plant.id])
        // One that came with an adopted garden leaves it too, or it would come again.
        try execute(sql: "DELETE FROM legacy_plant WHERE plant = ?", arguments: [plant.id])
        for device in virtual {
            try execute(sql: "UPDATE device SET removed_at = ? WHERE id = ?", arguments: [now, device])
        }
        return virtual
    }

    // MARK: Waterings

    /// The waterings of a plant, the latest first, undone ones too.
    func waterings(ofPlant plant: String) throws -> [WateringRecord] {
        try WateringRecord.fetchAll(
            self, sql: "SELECT * FROM watering WHERE plant = ? ORDER BY at DESC, id", arguments: [plant])
    }

    /// The waterings that count, oldest first.
    func standingWaterings(ofPlant plant: String, from: Int64 = .min, to: Int64 = .max) throws -> [WateringRecord] {
        try WateringRecord.fetchAll(
            self,
            sql: "SELECT * FROM watering WHERE plant = ? AND at >= ? AND at < ? AND undone_at IS NULL ORDER BY at",
            arguments: [plant, from, to])
    }

    /// The waterings of plants that count, since a moment, the oldest first.
    func standingWaterings(ofPlants plants: [String], from: Int64) throws -> [WateringRecord] {
        try WateringRecord.fetchAll(
            self,
            sql: """
                SELECT * FROM watering WHERE plant IN (SELECT value FROM json_each(?)) AND at >= ? AND undone_at IS NULL
                ORDER BY at
                """, arguments: [Self.jsonText(plants), from])
    }

    // MARK: Readings

    /// The age at which the newest reading of a series says nothing of now, milliseconds.
    ///
    /// - Parameter now: UTC milliseconds.
    func silentAfter(series: Int64, now: Int64) throws -> Int64 {
        try silentAfter(series: [series], now: now)[series] ?? Staleness.unlearned
    }

    /// The same age for each of many series that has readings.
    func silentAfter(series: [Int64], now: Int64) throws -> [Int64: Int64] {
        try latestReadingTimes(series: series, count: Staleness.memory, atOrBefore: Self.latestPresent(at: now))
            .mapValues { Staleness.silentAfter(times: $0) }
    }
}
