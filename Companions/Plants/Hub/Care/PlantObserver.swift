import GRDB
import HubKit
import Localization
import PlantsEngine
import Storage
import Synchronization

/// Puts together how plants are. What needs their whole past is worked out once and cached until there is news.
///
/// What is stored is read at once, in as many queries of one plant as of a hundred; the rest is done when the reader of
/// the database has been let go.
final class PlantObserver: Sendable {
    /// A function that makes a forecast from hourly means, times of waterings and the lower limit.
    typealias Forecasting =
        @Sendable (
            _ samples: [MoistureSample], _ waterings: [Int64], _ limit: Double, HouseholdCalendar
        ) -> Forecast

    /// The findings from a plant's past, and the basis on which they hold.
    struct Study: Sendable {
        var basis: Basis
        var monitor: MoistureMonitor
        var forecast: Forecast
        var light: Double?
    }

    /// A study holds as long as all of this does.
    struct Basis: Equatable, Sendable {
        var series: Int64
        var scaledSince: Int64
        var latestStretch: Int64
        var nowStretch: Int64
        var limits: MoistureLimits
        var waterings: Int
        var lastWatering: Int64?
        var day: Int
    }

    /// The length of news that makes the past worth another look, milliseconds.
    private static let stretch: Int64 = 30 * 60_000
    /// The stretch of the past in which the moment is looked for at which a plant became dry, milliseconds.
    private static let monitored: Int64 = 30 * 86_400_000
    /// The part of that stretch that is read in fine steps, milliseconds.
    private static let monitoredFinely: Int64 = 2 * 86_400_000
    /// The width of those steps, in minutes and in milliseconds.
    private static let fineMinutes: Int64 = 5
    private static let fineStep = fineMinutes * 60_000

    private let studies = Mutex<[String: Study]>([:])
    private let forecasting: Forecasting
    private let damaged: @Sendable (SealedReadingsDamage) -> Void

    /// Prepares an observer.
    ///
    /// - Parameter damaged: hears of readings that cannot be read: what is worked out of them is left out.
    init(
        forecasting: @escaping Forecasting = { samples, waterings, limit, calendar in
            DryDownForecast.make(
                samples: samples, waterings: waterings, limit: limit, now: calendar.now, localDay: calendar.day(of:))
        },
        damaged: @escaping @Sendable (SealedReadingsDamage) -> Void = { _ in }
    ) {
        self.forecasting = forecasting
        self.damaged = damaged
    }

    /// The situations of a household's plants, in their order.
    func situations(household: String, in database: HubDatabase, _ calendar: HouseholdCalendar) async throws
        -> [PlantSituation]
    {
        try await database.pool.read { db in
            try self.stored(try db.plants(household: household), db, calendar)
        }.map { situation($0, calendar) }
    }

    /// The situation of one plant, which `find` finds.
    func situation(
        in database: HubDatabase, _ calendar: HouseholdCalendar,
        of find: @escaping @Sendable (Database) throws -> PlantRecord
    ) async throws -> PlantSituation {
        situation(try await database.pool.read { db in try self.stored(try find(db), db, calendar) }, calendar)
    }

    /// A plant as it is. Nothing is read for it any more.
    func situation(_ stored: StoredPlant, _ calendar: HouseholdCalendar) -> PlantSituation {
        let now = calendar.now
        let (leading, watering) = (stored.leading, stored.waterings.last)
        let study = study(stored, calendar)
        let measured = leading.flatMap { study?.monitor.state(now: now, silentAfter: $0.silentAfter) } ?? .none
        let claim = WateringClaim(
            state: measured, wateredAt: watering?.at, isByHand: watering?.by == .hand,
            isSeen: watering?.levelAfter != nil, latestAt: leading?.latest.at, now: now)
        let state = claim.state(measured)
        let since = state == .silent ? leading?.latest.at : study?.monitor.since
        return PlantSituation(
            plant: stored.plant, sensors: stored.sensors, leading: leading, state: state, measured: measured,
            stateSince: state == measured ? since : watering?.at,
            isSinceFirst: state == measured && state != .silent && study?.monitor.isSinceFirst == true, claim: claim,
            forecast: study?.forecast ?? .notEnoughDays(have: 0, need: DryDownForecast.daysNeeded),
            lastWatering: watering, around: around(stored.sensors, light: study?.light, now: now),
            conditions: PlantCondition.all(of: stored, calendar),
            due: CareDue.all(of: stored.plant, last: stored.lastCare, calendar),
            trend: WateringTrend.make(
                wettings: stored.waterings.map {
                    .init(
                        at: $0.at, isByHand: $0.by == .hand, levelBefore: $0.levelBefore, limits: stored.plant.limits)
                }, now: now))
    }

    /// A plant was removed.
    func forget(_ plant: PlantRecord) { studies.withLock { $0[plant.id] = nil } }

    // MARK: What is stored

    func stored(_ plant: PlantRecord, _ db: Database, _ calendar: HouseholdCalendar) throws -> StoredPlant {
        guard let stored = try self.stored([plant], db, calendar).first else {
            throw Problem.notFound("There is no plant here. It may have been removed.")
        }
        return stored
    }

    /// Reads what is stored of plants, with the past of those whose study does not hold any more.
    func stored(_ plants: [PlantRecord], _ db: Database, _ calendar: HouseholdCalendar) throws -> [StoredPlant] {
        var stored = try StoredPlant.all(plants, db, now: calendar.now)
        var asked: [(plant: Int, part: WritableKeyPath<StoredPlant.Past, [Bucket]>, stretch: SeriesStretch)] = []
        for (place, one) in stored.enumerated() {
            asked += PlantCondition.past(one, calendar).map { (place, $0.part, $0.stretch) }
            guard let leading = one.leading else { continue }
            let basis = basis(one, leading, calendar)
            stored[place].known = studies.withLock { $0[one.plant.id] }.flatMap { $0.basis == basis ? $0 : nil }
            guard stored[place].known == nil else { continue }
            asked += Self.past(one, leading, calendar).map { (place, $0.part, $0.stretch) }
        }
        for (one, buckets) in zip(asked, try readable(asked.map(\.stretch), db)) {
            stored[one.plant].past[keyPath: one.part] = buckets
        }
        return stored
    }

    /// The buckets of stretches as `buckets(of:)` reads them, and empty where readings are damaged on the disk: one
    /// plant's past keeps no other from view.
    private func readable(_ stretches: [SeriesStretch], _ db: Database) throws -> [[Bucket]] {
        do {
            return try db.buckets(of: stretches)
        } catch is SealedReadingsDamage {
            return try stretches.map { stretch in
                do {
                    return try db.buckets(of: [stretch]).first ?? []
                } catch let damage as SealedReadingsDamage {
                    damaged(damage)
                    return []
                }
            }
        }
    }

    private func basis(_ stored: StoredPlant, _ leading: PlantSituation.Leading, _ calendar: HouseholdCalendar) -> Basis
    {
        Basis(
            series: leading.series, scaledSince: leading.scaledSince, latestStretch: leading.latest.at / Self.stretch,
            nowStretch: calendar.now / Self.stretch, limits: stored.plant.limits, waterings: stored.waterings.count,
            lastWatering: stored.waterings.last?.at, day: calendar.day(of: calendar.now))
    }

    /// The stretches of the past that a study takes.
    private static func past(_ stored: StoredPlant, _ leading: PlantSituation.Leading, _ calendar: HouseholdCalendar)
        -> [(part: WritableKeyPath<StoredPlant.Past, [Bucket]>, stretch: SeriesStretch)]
    {
        let (series, now, end) = (leading.series, calendar.now, leading.latest.at)
        let from = max(end - monitored, leading.scaledSince)
        let fine = max(end - monitoredFinely, from)
        let remembered = max(now - DryDownForecast.memory, leading.scaledSince)
        let midnight = calendar.start(ofDay: calendar.day(of: now))
        let light = stored.sensors.lazy.compactMap { $0.latest("light") }.first { $0.at >= midnight }
        var past: [(part: WritableKeyPath<StoredPlant.Past, [Bucket]>, stretch: SeriesStretch)] = [
            (\.weeks, SeriesStretch(series: series, from: from, to: fine, in: .hour)),
            (\.days, SeriesStretch(series: series, from: fine, to: end, in: .minute, by: fineMinutes)),
            (\.hours, SeriesStretch(series: series, from: remembered, to: now + 1, in: .hour)),
        ]
        if let light {
            let today = SeriesStretch(series: light.series.id, from: midnight, to: now + 1, in: .minute, by: 5)
            past.append((\.light, today))
        }
        return past
    }

    // MARK: The past

    private func study(_ stored: StoredPlant, _ calendar: HouseholdCalendar) -> Study? {
        guard let leading = stored.leading else {
            studies.withLock { $0[stored.plant.id] = nil }
            return nil
        }
        let basis = basis(stored, leading, calendar)
        let fresh = stored.known ?? workedOut(stored, basis, calendar)
        return studies.withLock { studies in
            // Somebody else may have heard of a reading meanwhile.
            var study = studies[stored.plant.id].flatMap { $0.basis == basis ? $0 : nil } ?? fresh
            study.monitor.handle(percent: leading.latest.percent, at: leading.latest.at)
            studies[stored.plant.id] = study
            return study
        }
    }

    private func workedOut(_ stored: StoredPlant, _ basis: Basis, _ calendar: HouseholdCalendar) -> Study {
        let past = stored.past
        var monitor = MoistureMonitor(limits: stored.plant.limits)
        for (buckets, width) in [(past.weeks, Int64(3_600_000)), (past.days, Self.fineStep)] {
            for bucket in buckets {
                // Between the last bucket and this one it crossed the limit, if it did. Before the first nothing is known.
                let at =
                    monitor.band == nil ? min(bucket.start + width, stored.leading?.latest.at ?? .max) : bucket.start
                monitor.handle(percent: bucket.mean, at: at)
            }
        }
        return Study(
            basis: basis, monitor: monitor,
            forecast: forecasting(
                past.hours.map { MoistureSample(at: $0.start, percent: $0.mean) }, stored.waterings.map(\.at),
                stored.plant.low, calendar),
            light: Self.light(past.light))
    }

    /// The light that fell since midnight, mol a square metre.
    private static func light(_ buckets: [Bucket]) -> Double? {
        var day = DailyLight()
        for bucket in buckets { day.handle(lux: bucket.mean, at: bucket.start) }
        return day.covered > 0 ? day.molPerSquareMetre : nil
    }

    // MARK: Around it

    private static let titles = [
        ("temperature", LocalizedText("Temperature")), ("humidity", LocalizedText("Humidity")),
        ("light", LocalizedText("Light")), ("conductivity", LocalizedText("Conductivity")),
        ("pressure", LocalizedText("Air pressure")),
    ]
    /// The titles of quantities that stand elsewhere on a plant’s page.
    private static let otherTitles = [
        "moisture": LocalizedText("Moisture"), "capacitance": LocalizedText("Raw value of the probe"),
        "battery": LocalizedText("Battery"), Calibration.rawMoisture: LocalizedText("Moisture before calibration"),
    ]

    /// The title of a quantity; that of one which nobody knows is the name that its sensor gives it.
    static func title(of quantity: String) -> LocalizedText {
        titles.first { $0.0 == quantity }?.1 ?? otherTitles[quantity] ?? .name(ofQuantity: quantity)
    }

    private static let ownPlace: Set<String> = ["moisture", "capacitance", "battery", Calibration.rawMoisture]

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
            result.append(
                .init(quantity: "dli", title: LocalizedText("Light today"), value: light, unit: "mol/m²", at: latest.at)
            )
        }
        if let warmth = newest("temperature"), let damp = newest("humidity"), abs(warmth.at - damp.at) < 3_600_000 {
            result.append(
                .init(
                    quantity: "vpd", title: LocalizedText("Air dryness"),
                    value: vapourPressureDeficit(celsius: warmth.value, humidityPercent: damp.value), unit: "kPa",
                    at: min(warmth.at, damp.at)))
        }
        let known = Set(Self.titles.map(\.0)).union(Self.ownPlace)
        for sensor in sensors {
            for latest in sensor.latest where !known.contains(latest.series.quantity) {
                result.append(
                    .init(
                        quantity: latest.series.quantity, title: Self.title(of: latest.series.quantity),
                        value: latest.value, unit: latest.series.unit ?? "", at: latest.at))
            }
        }
        return result
    }
}
