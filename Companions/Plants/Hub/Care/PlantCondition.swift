import HubKit
import PlantsEngine
import Storage

/// The state of a plant by a quantity besides moisture that is measured and has limits.
struct PlantCondition: Sendable, Equatable {
    var quantity: LimitedQuantity
    var limits: PlantLikes.Limits
    /// The band that the value is in; unknown where its sensor is silent.
    var band: LimitBand
    /// The value that it is judged by; nil where nothing has ever been measured.
    var value: Double?
    /// The time of that value, UTC milliseconds.
    var at: Int64?
    /// Whether it is well again now, but was not within the last day: a cold night.
    var isPast = false

    /// The stretch of the past that is looked at, milliseconds.
    private static let memory: Int64 = 3 * HouseholdCalendar.dayLength
    /// The least part of a day for which light must have been measured for its sum to mean anything, milliseconds.
    private static let leastOfDay: Int64 = 20 * 3_600_000

    /// The stretches of the past that are to be read for the limits of a plant.
    static func past(_ stored: StoredPlant, _ calendar: HouseholdCalendar) -> [(
        part: WritableKeyPath<StoredPlant.Past, [Bucket]>, stretch: SeriesStretch
    )] {
        Set(stored.plant.likes.quantities.map(\.measured)).sorted().compactMap { measured in
            newest(measured, stored).map { latest, since in
                let from = max(calendar.now - memory, since)
                return (
                    \.[hoursOf: measured],
                    SeriesStretch(series: latest.series.id, from: from, to: calendar.now + 1, in: .hour)
                )
            }
        }
    }

    /// The conditions by each limited quantity that something in the pot measures.
    static func all(of stored: StoredPlant, _ calendar: HouseholdCalendar) -> [PlantCondition] {
        stored.plant.likes.quantities.compactMap { quantity in
            guard let limits = stored.plant.likes[quantity], let (latest, _) = newest(quantity.measured, stored)
            else { return nil }
            let silentAfter = stored.silentAfter[latest.series.id] ?? Staleness.unlearned
            let hours = stored.past[hoursOf: quantity.measured]
            guard calendar.now - latest.at <= silentAfter else {
                return PlantCondition(
                    quantity: quantity, limits: limits, band: .unknown, value: latest.value, at: latest.at)
            }
            return switch quantity {
            case .temperature: temperature(limits, hours, latest, calendar.now)
            case .conductivity: steady(limits, hours, latest)
            case .light: brightest(limits, hours, latest, calendar.now)
            case .dailyLight: yesterday(limits, hours, calendar)
            }
        }
    }

    private static func newest(_ quantity: String, _ stored: StoredPlant) -> (
        latest: PlantSituation.Latest, since: Int64
    )? {
        stored.sensors.compactMap { sensor in sensor.latest(quantity).map { (latest: $0, since: sensor.since) } }
            .max { $0.latest.at < $1.latest.at }
    }

    /// The condition as it is now, with the hours before for its hysteresis.
    private static func steady(
        _ limits: PlantLikes.Limits, _ hours: [Bucket], _ latest: PlantSituation.Latest,
        _ quantity: LimitedQuantity = .conductivity
    ) -> PlantCondition {
        var monitor = LimitMonitor(limits: QuantityLimits(low: limits.low, high: limits.high))
        for hour in hours { monitor.handle(hour.mean, at: hour.start) }
        monitor.handle(latest.value, at: latest.at)
        return PlantCondition(
            quantity: quantity, limits: limits, band: monitor.band, value: latest.value, at: latest.at)
    }

    /// The condition as it is now, or as it was at the worst of the last day.
    private static func temperature(
        _ limits: PlantLikes.Limits, _ hours: [Bucket], _ latest: PlantSituation.Latest, _ now: Int64
    ) -> PlantCondition {
        let steady = steady(limits, hours, latest, .temperature)
        guard steady.band == .ok else { return steady }
        let day = hours.filter { $0.start >= now - HouseholdCalendar.dayLength }
        if let low = limits.low, let coldest = day.min(by: { $0.low < $1.low }), coldest.low < low {
            return PlantCondition(
                quantity: .temperature, limits: limits, band: .low, value: coldest.low, at: coldest.start, isPast: true)
        }
        if let high = limits.high, let warmest = day.max(by: { $0.high < $1.high }), warmest.high > high {
            return PlantCondition(
                quantity: .temperature, limits: limits, band: .high, value: warmest.high, at: warmest.start,
                isPast: true)
        }
        return steady
    }

    /// The condition by its brightest light, day by day: at night it is dark everywhere. Unknown until a day has been
    /// measured.
    private static func brightest(
        _ limits: PlantLikes.Limits, _ hours: [Bucket], _ latest: PlantSituation.Latest, _ now: Int64
    ) -> PlantCondition {
        var monitor = LimitMonitor(limits: QuantityLimits(low: limits.low, high: limits.high))
        var brightest: Bucket?
        let measured = (hours.last?.start ?? now) - (hours.first?.start ?? now)
        for age in [Int64(2), 1, 0] {
            let end = now - age * HouseholdCalendar.dayLength
            let day = hours.filter { $0.start > end - HouseholdCalendar.dayLength && $0.start <= end }
            guard let most = day.max(by: { $0.high < $1.high }) else { continue }
            monitor.handle(most.high, at: end)
            brightest = most
        }
        // A day that is not over can still become bright; it can be too bright already.
        let isKnown = measured >= leastOfDay || monitor.band == .high
        return PlantCondition(
            quantity: .light, limits: limits, band: isKnown ? monitor.band : .unknown,
            value: brightest?.high ?? latest.value, at: brightest?.start ?? latest.at)
    }

    /// The sum of the last whole day. Unknown where too little of it was measured.
    private static func yesterday(
        _ limits: PlantLikes.Limits, _ hours: [Bucket], _ calendar: HouseholdCalendar
    ) -> PlantCondition {
        var monitor = LimitMonitor(limits: QuantityLimits(low: limits.low, high: limits.high))
        var newest: (value: Double, at: Int64)?
        let today = calendar.day(of: calendar.now)
        for day in [today - 2, today - 1] {
            let (from, to) = (calendar.start(ofDay: day), calendar.start(ofDay: day + 1))
            var light = DailyLight()
            for hour in hours where hour.start >= from && hour.start < to {
                light.handle(lux: hour.mean, at: hour.start)
            }
            guard light.covered >= leastOfDay else { continue }
            monitor.handle(light.molPerSquareMetre, at: from)
            newest = (light.molPerSquareMetre, from)
        }
        let isYesterday = newest?.at == calendar.start(ofDay: today - 1)
        return PlantCondition(
            quantity: .dailyLight, limits: limits, band: isYesterday ? monitor.band : .unknown, value: newest?.value,
            at: newest?.at)
    }
}
