import GRDB
import HubKit
import PlantsEngine
import Storage

/// The stored data of a plant: ``PlantObserver`` puts together how it is, from it alone.
struct StoredPlant: Sendable {
    let plant: PlantRecord
    let sensors: [PlantSituation.Sensor]
    /// The first sensor that measures moisture and is not silent; if all are, the first. Nil where none has ever done
    /// so.
    let leading: PlantSituation.Leading?
    /// The waterings that count, of as far back as a forecast looks, the oldest first.
    let waterings: [WateringRecord]
    /// The findings from its past, where they still hold.
    var known: PlantObserver.Study?
    /// The stretches of its past from which they are to be worked out, where they do not.
    var past = Past()
    /// The greatest age of the newest reading of each of its series, milliseconds.
    var silentAfter: [Int64: Int64] = [:]
    /// The time at which each was done last besides watering, UTC milliseconds.
    var lastCare: [CareRecord.What: Int64] = [:]

    /// Stretches of a plant's past.
    struct Past: Sendable {
        /// The moisture: the last weeks coarsely, the last days finely, and hours as far back as a forecast looks.
        var weeks: [Bucket] = [], days: [Bucket] = [], hours: [Bucket] = []
        /// The light since midnight, where it is measured.
        var light: [Bucket] = []
        /// The last days in hours of what else has limits, by what is measured.
        var limited: [String: [Bucket]] = [:]

        subscript(hoursOf measured: String) -> [Bucket] {
            get { limited[measured] ?? [] }
            set { limited[measured] = newValue }
        }
    }

    /// The stored data of many plants, in as many queries as of one, in the order of the plants.
    static func all(_ plants: [PlantRecord], _ db: Database, now: Int64) throws -> [StoredPlant] {
        let ids = plants.map(\.id)
        let placed = try db.sensors(ofPlants: ids)
        let readings = Dictionary(
            grouping: try db.presentReadings(ofDevices: placed.map(\.device.id), now: now), by: \.series.device)
        let sensors = Dictionary(grouping: placed, by: \.plant).mapValues { placed in
            placed.map { placed in
                PlantSituation.Sensor(
                    device: placed.device, since: placed.since, scaledSince: placed.scaledSince,
                    latest: (readings[placed.device.id] ?? []).compactMap { present in
                        present.reading.flatMap { reading in
                            guard reading.at >= placed.since else { return nil }
                            return .init(series: present.series, at: reading.at, value: reading.value)
                        }
                    })
            }
        }
        let judged: Set = ["moisture", "temperature", "light", "conductivity"]
        let series = sensors.values.joined().flatMap(\.latest).filter { judged.contains($0.series.quantity) }
        let silentAfter = try db.silentAfter(series: series.map(\.series.id), now: now)
        let waterings = Dictionary(
            grouping: try db.standingWaterings(ofPlants: ids, from: now - DryDownForecast.memory), by: \.plant)
        let lastCare = try db.lastCare(ofPlants: ids)
        return plants.map { plant in
            let sensors = sensors[plant.id] ?? []
            return StoredPlant(
                plant: plant, sensors: sensors, leading: leading(sensors, silentAfter, now: now),
                waterings: waterings[plant.id] ?? [], silentAfter: silentAfter,
                lastCare: lastCare[plant.id] ?? [:])
        }
    }

    private static func leading(_ sensors: [PlantSituation.Sensor], _ silentAfter: [Int64: Int64], now: Int64)
        -> PlantSituation.Leading?
    {
        let measuring = sensors.compactMap { sensor in
            sensor.latest("moisture").map { latest in
                PlantSituation.Leading(
                    series: latest.series.id, since: sensor.since,
                    scaledSince: sensor.scaledSince, latest: MoistureSample(at: latest.at, percent: latest.value),
                    silentAfter: silentAfter[latest.series.id] ?? Staleness.unlearned)
            }
        }
        return measuring.first { now - $0.latest.at <= $0.silentAfter } ?? measuring.first
    }
}
