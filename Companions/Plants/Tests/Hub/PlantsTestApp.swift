import HubInstruments
import HubKit
import HubServer
import PlantsEngine
import Storage

@testable import PlantsHub

/// A hub with the Plants companion, and plants, sensors and readings for it.
typealias PlantsTestApp = CompanionTestApp<Plants>

extension PlantsTestApp {
    var plants: Plants { companion }

    func sensor(_ name: String = "Soil") async throws -> DeviceRecord {
        try await services.devices.add(kind: Plants.sensorKind, name: name, household: household.id).device
    }

    func plant(_ name: String = "Basil", sensors: [String] = [], low: Double = 28, high: Double = 70) async throws
        -> PlantRecord
    {
        try await plants.add(
            PlantInput(
                name: name, place: "Kitchen window", art: "basil", limits: .init(low: low, high: high), sensors: sensors
            ),
            household: household.id)
    }

    /// Stores readings of one quantity as the batch writer would.
    func store(_ samples: [(at: Int64, value: Double)], quantity: String = "moisture", of device: DeviceRecord)
        async throws
    {
        try await hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            let id: Int64
            if let known = try db.series(device: device.id, quantity: quantity) {
                id = known.id
            } else {
                id = (try db.series().map(\.id).max() ?? 0) + 1
                try writer.add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: quantity, unit: "%"))
            }
            try writer.insert(samples.map { Reading(series: id, at: $0.at, value: $0.value) })
            try writer.finish()
        }
    }

    func waterings(_ plant: PlantRecord) async throws -> [WateringRecord] {
        try await hub.database.pool.read { db in try db.waterings(ofPlant: plant.id) }
    }

    func situation(_ plant: PlantRecord) async throws -> PlantSituation {
        let calendar = try await plants.calendar()
        return try await plants.observer.situation(in: hub.database, calendar) { db in
            try db.plant(plant.id, household: plant.household)
        }
    }

    func chart(
        _ plant: PlantRecord, _ span: ChartSpan, _ quantity: String = "moisture", end: Int64? = nil,
        against: ChartComparison? = nil
    ) async throws -> Chart {
        let calendar = try await plants.calendar()
        let stored = try await hub.database.pool.read { db in
            let plant = try db.plant(plant.id, household: plant.household)
            let window = ChartWindow(span, now: calendar.now, end: end, against: against)
            return try StoredChart(of: try self.plants.observer.stored(plant, db, calendar), window, quantity, db)
        }
        return Chart(stored, plants.observer.situation(stored.plant, calendar))
    }

    /// A curve that dries by `perDay` percent a day and jumps back up at each watering, a reading a quarter of an hour.
    static func curve(from: Int64, to: Int64, start: Double, perDay: Double, waterings: [(at: Int64, to: Double)] = [])
        -> [(at: Int64, value: Double)]
    {
        var level = start
        var left = waterings[...]
        var samples: [(at: Int64, value: Double)] = []
        var at = from
        while at <= to {
            if let next = left.first, next.at <= at {
                level = next.to
                left.removeFirst()
            }
            // A little noise, as of every probe.
            let noise = Double((at / 900_000 * 7919) % 5 - 2) / 10
            samples.append((at, level + noise))
            level -= perDay / 96
            at += 900_000
        }
        return samples
    }
}
