import GRDB
import HubKit
import PlantsEngine
import Storage
import Synchronization

/// Puts together how plants are. What needs their whole past is worked out once and kept until there is news, so that
/// a list costs a few look-ups a plant.
final class PlantObserver: Sendable {
    /// What was worked out of a plant's past, and of which.
    private struct Study: Sendable {
        var basis: Basis
        var monitor: MoistureMonitor
        var forecast: Forecast
        var light: Double?
    }

    /// A study stands as long as all of this does.
    private struct Basis: Equatable, Sendable {
        var series: Int64
        var latestStretch: Int64
        var nowStretch: Int64
        var limits: MoistureLimits
        var waterings: Int
        var lastWatering: Int64?
        var day: Int
    }

    /// How much news makes the past worth another look, milliseconds.
    private static let stretch: Int64 = 30 * 60_000
    /// How far back the moment is looked for at which a plant became dry.
    private static let monitored: Int64 = 30 * 86_400_000
    /// How much of it in fine steps.
    private static let monitoredFinely: Int64 = 2 * 86_400_000

    private let studies = Mutex<[String: Study]>([:])

    /// Every plant of a household, in its order.
    func situations(household: String, _ db: Database, _ calendar: HouseholdCalendar) throws -> [PlantSituation] {
        try db.plants(household: household).map { try situation($0, db, calendar) }
    }

    func situation(_ plant: PlantRecord, _ db: Database, _ calendar: HouseholdCalendar) throws -> PlantSituation {
        let now = calendar.now
        let sensors = try db.sensors(ofPlant: plant.id).map { device, since in
            PlantSituation.Sensor(
                device: device, since: since,
                latest: try db.latestReadings(ofDevices: [device.id]).filter { $0.reading.at >= since }.map {
                    .init(series: $0.series, at: $0.reading.at, value: $0.reading.value)
                })
        }
        let waterings = try db.standingWaterings(ofPlant: plant.id, from: now - DryDownForecast.memory)
        let leading = try leading(sensors, db, now: now)
        var study: Study?
        if let leading {
            study = try self.study(plant, leading, sensors, waterings, db, calendar)
        } else {
            studies.withLock { $0[plant.id] = nil }
        }
        let measured = leading.flatMap { study?.monitor.state(now: now, silentAfter: $0.silentAfter) } ?? .none
        let watering = waterings.last
        let claim = WateringClaim(
            state: measured, wateredAt: watering?.at, isByHand: watering?.by == .hand,
            isSeen: watering?.levelAfter != nil, latestAt: leading?.latest.at, now: now)
        let state = claim.state(measured)
        let since = state == .silent ? leading?.latest.at : study?.monitor.since
        return PlantSituation(
            plant: plant, sensors: sensors, leading: leading, state: state,
            stateSince: state == measured ? since : watering?.at, claim: claim,
            forecast: study?.forecast ?? .notEnoughDays(have: 0, need: DryDownForecast.daysNeeded),
            lastWatering: watering, around: around(sensors, light: study?.light, now: now))
    }

    /// The first sensor that measures moisture and is not silent; if all are, the first.
    private func leading(_ sensors: [PlantSituation.Sensor], _ db: Database, now: Int64) throws -> PlantSituation
        .Leading?
    {
        var fallback: PlantSituation.Leading?
        for sensor in sensors {
            guard let latest = sensor.latest("moisture") else { continue }
            let leading = PlantSituation.Leading(
                series: latest.series.id, since: sensor.since,
                latest: MoistureSample(at: latest.at, percent: latest.value),
                silentAfter: try db.silentAfter(series: latest.series.id))
            if now - latest.at <= leading.silentAfter { return leading }
            if fallback == nil { fallback = leading }
        }
        return fallback
    }

    /// A plant was removed.
    func forget(_ plant: PlantRecord) { studies.withLock { $0[plant.id] = nil } }

    // MARK: The past

    private func study(
        _ plant: PlantRecord, _ leading: PlantSituation.Leading, _ sensors: [PlantSituation.Sensor],
        _ waterings: [WateringRecord], _ db: Database, _ calendar: HouseholdCalendar
    ) throws -> Study {
        let basis = Basis(
            series: leading.series, latestStretch: leading.latest.at / Self.stretch,
            nowStretch: calendar.now / Self.stretch, limits: plant.limits, waterings: waterings.count,
            lastWatering: waterings.last?.at, day: calendar.day(of: calendar.now))
        var study: Study
        if let known = studies.withLock({ $0[plant.id] }), known.basis == basis {
            study = known
        } else {
            study = Study(
                basis: basis, monitor: try monitor(plant, leading, db),
                forecast: try forecast(plant, leading, waterings, db, calendar),
                light: try light(sensors, db, calendar))
        }
        study.monitor.handle(percent: leading.latest.percent, at: leading.latest.at)
        let kept = study
        studies.withLock { $0[plant.id] = kept }
        return study
    }

    private func monitor(_ plant: PlantRecord, _ leading: PlantSituation.Leading, _ db: Database) throws
        -> MoistureMonitor
    {
        var monitor = MoistureMonitor(limits: plant.limits)
        let end = leading.latest.at
        let fine = end - Self.monitoredFinely
        let from = max(end - Self.monitored, leading.since)
        for bucket in try db.buckets(series: leading.series, from: from, to: max(fine, from), width: 3_600_000) {
            monitor.handle(percent: bucket.mean, at: bucket.start)
        }
        for bucket in try db.buckets(series: leading.series, from: max(fine, from), to: end, width: 300_000) {
            monitor.handle(percent: bucket.mean, at: bucket.start)
        }
        return monitor
    }

    private func forecast(
        _ plant: PlantRecord, _ leading: PlantSituation.Leading, _ waterings: [WateringRecord], _ db: Database,
        _ calendar: HouseholdCalendar
    ) throws -> Forecast {
        let from = max(calendar.now - DryDownForecast.memory, leading.since)
        let hours = try db.buckets(series: leading.series, from: from, to: calendar.now + 1, width: 3_600_000)
        return DryDownForecast.make(
            samples: hours.map { MoistureSample(at: $0.start, percent: $0.mean) }, waterings: waterings.map(\.at),
            limit: plant.low, now: calendar.now, localDay: calendar.day(of:))
    }

    /// The light that fell since midnight, mol a square metre.
    private func light(_ sensors: [PlantSituation.Sensor], _ db: Database, _ calendar: HouseholdCalendar) throws
        -> Double?
    {
        let midnight = calendar.start(ofDay: calendar.day(of: calendar.now))
        for sensor in sensors {
            guard let latest = sensor.latest("light"), latest.at >= midnight else { continue }
            var day = DailyLight()
            let buckets = try db.buckets(series: latest.series.id, from: midnight, to: calendar.now + 1, width: 300_000)
            for bucket in buckets { day.handle(lux: bucket.mean, at: bucket.start) }
            return day.covered > 0 ? day.molPerSquareMetre : nil
        }
        return nil
    }

    // MARK: Around it

    private static let titles = [
        ("temperature", "Temperature"), ("humidity", "Humidity"), ("light", "Light"), ("conductivity", "Conductivity"),
        ("pressure", "Air pressure"),
    ]
    private static let ownPlace: Set<String> = ["moisture", "capacitance", "battery"]

    private func around(_ sensors: [PlantSituation.Sensor], light: Double?, now: Int64) -> [PlantSituation.Around] {
        func newest(_ quantity: String) -> PlantSituation.Latest? {
            sensors.compactMap { $0.latest(quantity) }.max { $0.at < $1.at }
        }
        var result: [PlantSituation.Around] = []
        for (quantity, title) in Self.titles {
            guard let latest = newest(quantity) else { continue }
            result.append(
                .init(
                    quantity: quantity, title: title, value: latest.value, unit: latest.series.unit ?? "", at: latest.at
                ))
        }
        if let light, let latest = newest("light") {
            result.append(.init(quantity: "dli", title: "Light today", value: light, unit: "mol/m²", at: latest.at))
        }
        if let warmth = newest("temperature"), let damp = newest("humidity"), abs(warmth.at - damp.at) < 3_600_000 {
            result.append(
                .init(
                    quantity: "vpd", title: "Thirst of the air",
                    value: vapourPressureDeficit(celsius: warmth.value, humidityPercent: damp.value), unit: "kPa",
                    at: min(warmth.at, damp.at)))
        }
        let known = Set(Self.titles.map(\.0)).union(Self.ownPlace)
        for sensor in sensors {
            for latest in sensor.latest where !known.contains(latest.series.quantity) {
                let title = latest.series.quantity.map { $0 == "_" || $0 == "-" ? " " : String($0) }.joined()
                result.append(
                    .init(
                        quantity: latest.series.quantity, title: title.capitalizedFirst, value: latest.value,
                        unit: latest.series.unit ?? "", at: latest.at))
            }
        }
        return result
    }
}

extension Database {
    /// How old the newest reading of a series may be before it says nothing of now, milliseconds.
    func silentAfter(series: Int64) throws -> Int64 {
        let times = try Int64.fetchAll(
            cachedStatement(sql: "SELECT at FROM reading WHERE series = ? ORDER BY at DESC LIMIT ?"),
            arguments: [series, Staleness.memory])
        return Staleness.silentAfter(times: times)
    }
}
