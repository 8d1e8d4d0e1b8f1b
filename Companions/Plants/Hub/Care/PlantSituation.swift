import Localization
import PlantsEngine
import Storage

/// A plant as it is now: what its sensors say, and what the engine makes of it.
struct PlantSituation: Sendable {
    /// A sensor in its pot.
    struct Sensor: Sendable {
        var device: DeviceRecord
        /// The time before which readings belong to another pot.
        var since: Int64
        /// The time before which moisture was on another scale: it is shown, and nothing is worked out of it.
        var scaledSince: Int64
        /// The newest reading of each series.
        var latest: [Latest]

        func latest(_ quantity: String) -> Latest? { latest.first { $0.series.quantity == quantity } }
    }

    struct Latest: Sendable {
        var series: SeriesRecord
        var at: Int64
        var value: Double
    }

    /// The moisture series that speaks for the plant.
    struct Leading: Sendable {
        var series: Int64
        var since: Int64
        var scaledSince: Int64
        var latest: MoistureSample
        /// The age at which its newest reading no longer says how the plant is, milliseconds.
        var silentAfter: Int64
    }

    /// A value besides moisture that was measured or worked out.
    struct Around: Sendable {
        var quantity: String
        var title: LocalizedText
        var value: Double
        var unit: String
        var at: Int64
    }

    var plant: PlantRecord
    var sensors: [Sensor]
    var leading: Leading?
    /// The plant's state, with what somebody has said to have watered, before the sensor sees it.
    var state: PlantState
    /// The state according to its sensor alone.
    var measured = PlantState.none
    var stateSince: Int64?
    /// Whether it was so from the first reading on that is looked at, and perhaps before.
    var isSinceFirst = false
    /// The meaning of the newest watering beside what the sensor says.
    var claim = WateringClaim.none
    var forecast: Forecast
    var lastWatering: WateringRecord?
    var around: [Around]
    /// The conditions of the plant by what else is measured and has limits.
    var conditions: [PlantCondition] = []
    /// The next days of fertilising and repotting, where somebody wants to be told.
    var due: [CareDue] = []
    /// Whether it is watered more or less often than some weeks ago.
    var trend: WateringTrend?

    /// The conditions of which somebody should know: too little, too much, or not known.
    var discomforts: [PlantCondition] { conditions.filter { $0.band != .ok || $0.isPast } }

    /// Whether nobody is reminded of it at a moment, UTC milliseconds.
    func isSnoozed(at time: Int64) -> Bool { plant.snoozedUntil.map { time < $0 } ?? false }

    var silentAfter: Int64 { leading?.silentAfter ?? Staleness.unlearned }

    /// The plant as it will be once somebody notes a watering now; nil where that says nothing of how it is.
    func watered(at now: Int64) -> PlantSituation? {
        guard let leading else { return nil }
        let claim = WateringClaim(
            state: measured, wateredAt: now, isByHand: true, isSeen: false, latestAt: min(leading.latest.at, now - 1),
            now: now)
        guard claim != .none else { return nil }
        var watered = self
        watered.claim = claim
        watered.state = claim.state(measured)
        watered.lastWatering = WateringRecord(
            id: "", household: plant.household, plant: plant.id, at: now, by: .hand, person: nil, confidence: nil,
            levelBefore: nil, levelAfter: nil, undoneAt: nil)
        return watered
    }

    func words(_ calendar: HouseholdCalendar) -> PlantText {
        PlantText(
            state: state, since: stateSince, isSinceFirst: isSinceFirst, hasSensor: !sensors.isEmpty,
            latest: leading?.latest, limits: plant.limits,
            forecast: forecast, claim: claim, lastWatering: lastWatering?.at, calendar: calendar)
    }
}
