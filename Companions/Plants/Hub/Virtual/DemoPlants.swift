import GRDB
import HubKit
import Localization
import PlantsEngine
import Storage

/// The sample household's five plants: one thirsty, one whose sensor fell silent, two that can wait, and one too new
/// to tell. Their past is written at once, so that the first page is alive; from then on their virtual sensors speak to
/// the hub as others do.
struct DemoPlants: Sendable {
    let hub: HubContext
    let watch: WateringWatch

    /// The length of the older plants' past, milliseconds.
    static let past: Int64 = 120 * 86_400_000

    private struct Sample: Sendable {
        var name, place: LocalizedText
        var art: PlantArt
        var days: Int64
        /// The range in which its moisture should be now, percent; nil leaves it to chance.
        var now: ClosedRange<Double>?
        var silentForHours: Int64?
        var isWateredThisMorning = false
    }

    private static let samples = [
        Sample(
            name: LocalizedText("Fern"), place: LocalizedText("Bathroom shelf"), art: .fern, days: 120, now: 10...22),
        Sample(
            name: LocalizedText("Chilli"), place: LocalizedText("Balcony"), art: .chilli, days: 120, silentForHours: 9),
        Sample(
            name: LocalizedText("Basil"), place: LocalizedText("Kitchen window"), art: .basil, days: 120, now: 38...52),
        Sample(
            name: LocalizedText("Monstera"), place: LocalizedText("Living room"), art: .monstera, days: 120,
            isWateredThisMorning: true),
        Sample(name: LocalizedText("Lemon tree"), place: LocalizedText("Stairs"), art: .lemon, days: 3, now: 40...60),
    ]

    func seed(_ household: HouseholdRecord) async throws {
        let now = hub.clock.now()
        let calendar = HouseholdCalendar(timeZone: try await hub.timeZone(), now: now)
        let offset = Int64(try await hub.timeZone().secondsFromGMT()) * 1_000
        let present = try await hub.database.pool.read { db in try db.plants(household: household.id).count }
        guard present == 0 else { return }
        let person = try await hub.people(household: household.id).first { $0.role == .adult }?.id
        let localized = Localizer(household.preferredLanguage, from: .plants)
        for (index, sample) in Self.samples.enumerated() {
            let name = localized.string(sample.name)
            let limits = sample.art.personality.limits
            // Some seconds apart, so that they keep their order.
            let created = now - sample.days * HouseholdCalendar.dayLength + Int64(index)
            let plant = PlantRecord(
                id: Secret.identifier(length: 8), household: household.id, name: name,
                place: localized.string(sample.place),
                art: sample.art, low: limits.low, high: limits.high, createdAt: created)
            let device = DeviceRecord(
                id: Secret.identifier(length: 8), household: household.id, kind: Plants.sensorKind,
                name: localized("\(name)’s sensor"), tokenHash: Secret.hash(Secret.token()), isVirtual: true,
                createdAt: created)
            var virtual = VirtualPlantRecord(
                device: device.id, household: household.id, seed: Int64(index) + 11, art: sample.art,
                startedAt: created,
                silentFrom: sample.silentForHours.map { now - $0 * 3_600_000 },
                troubledUntil: now - 2 * HouseholdCalendar.dayLength)
            var pours: [Int64] = []
            if sample.isWateredThisMorning {
                let morning = calendar.start(ofDay: calendar.day(of: now)) + 8 * 3_600_000 + 300_000
                pours = [morning < now - 3_600_000 ? morning : now - 2 * 3_600_000]
                virtual.caredUntil = pours[0] - 2 * HouseholdCalendar.dayLength
            }
            if let range = sample.now { virtual.caredUntil = Self.caredUntil(virtual, for: range, now: now, offset) }
            let record = virtual
            let times = pours
            var life = VirtualLife(record, pours: pours, utcOffset: offset)
            let messages = life.live(to: now)
            try await hub.database.pool.write { db in
                try plant.insert(db)
                try device.insert(db)
                try record.insert(db)
                try db.setSensors([device.id], of: plant, now: created)
                for time in times {
                    try WateringRecord(
                        id: Secret.identifier(), household: household.id, plant: plant.id, at: time, by: .hand,
                        person: person, confidence: nil, levelBefore: nil, levelAfter: nil, undoneAt: nil
                    ).insert(db)
                }
                try Self.write(messages, of: device, db)
            }
            try await watch.examine(device.id, from: created)
        }
    }

    /// Stores what a sensor measured before the hub stood.
    private static func write(_ messages: [VirtualLife.Message], of device: DeviceRecord, _ db: Database) throws {
        var writer = ReadingWriter(db)
        var series: [String: Int64] = [:]
        var next = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM series") ?? 0) + 1
        // A series after the other: that is the order on disk.
        for quantity in messages.flatMap({ $0.values.map(\.quantity) }) where series[quantity] == nil {
            series[quantity] = next
            try writer.add(
                SeriesRecord(
                    id: next, household: device.household, device: device.id, quantity: quantity,
                    unit: Quantity(name: quantity.utf8.span).map { "\($0.unit)" }))
            next += 1
        }
        for (quantity, id) in series.sorted(by: { $0.value < $1.value }) {
            try writer.insert(
                messages.compactMap { message in
                    message.values.first { $0.quantity == quantity }.map {
                        Reading(series: id, at: message.at, value: $0.value)
                    }
                })
        }
        try writer.finish()
    }

    /// The time since which nobody must have watered it, so that it is about as moist now as it should be.
    private static func caredUntil(
        _ record: VirtualPlantRecord, for range: ClosedRange<Double>, now: Int64, _ offset: Int64
    ) -> Int64 {
        let step = HouseholdCalendar.dayLength
        var life = VirtualLife(record, pours: [], utcOffset: offset)
        _ = life.live(to: max(now - 14 * step, record.startedAt))
        var best = (time: now, miss: Double.infinity)
        var time = max(now - 14 * step, record.startedAt)
        while time <= now {
            _ = life.live(to: time)
            var alone = life.uncared
            _ = alone.live(to: now)
            let percent = alone.moisturePercent
            let miss = max(range.lowerBound - percent, percent - range.upperBound, 0)
            if miss <= best.miss { best = (time, miss) }
            time += step
        }
        return best.time
    }
}
