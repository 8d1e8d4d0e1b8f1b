import HubKit
import Localization
import PlantsEngine

/// The words about one plant: a few, and a sentence.
struct PlantText: Equatable, Sendable {
    /// The thing to do or to know: `Water today`, `Thursday`, `Silent for 9 h`.
    var say: LocalizedText
    /// The sentences below it.
    var detail: [LocalizedText]
    /// The sentence that opens the plant's own page: `Water Thursday, give or take a day`.
    var sentence: LocalizedText

    init(say: LocalizedText, detail: [LocalizedText], sentence: LocalizedText? = nil) {
        self.say = say
        self.detail = detail
        self.sentence = sentence ?? say
    }

    /// Finds the words for a plant.
    ///
    /// - Parameters:
    ///   - state: as the engine judges it, with what somebody said.
    ///   - since: when that began.
    ///   - isSinceFirst: whether nothing is known of the time before.
    ///   - hasSensor: whether any sensor stands in the pot.
    ///   - latest: the newest moisture.
    ///   - claim: what the newest watering means beside it.
    ///   - lastWatering: the newest watering that stands.
    init(
        state: PlantState, since: Int64?, isSinceFirst: Bool = false, hasSensor: Bool, latest: MoistureSample?,
        limits: MoistureLimits,
        forecast: Forecast, claim: WateringClaim = .none, lastWatering: Int64?, calendar: HouseholdCalendar
    ) {
        if claim != .none, let latest, let lastWatering {
            self.init(claim, watered: lastWatering, latest: latest, limits: limits, calendar: calendar)
            return
        }
        switch state {
        case .none where hasSensor:
            self.init(
                say: LocalizedText("No reading yet"),
                detail: [LocalizedText("Its sensor has not said anything so far.")])
        case .none:
            self.init(
                say: LocalizedText("No sensor"),
                detail: [LocalizedText("Give it one, and this place tells how it is.")])
        case .silent:
            guard let latest else {
                self.init(say: LocalizedText("Silent"), detail: [LocalizedText("Nobody knows now.")])
                return
            }
            self.init(
                say: LocalizedText("Silent for \(Self.span(calendar.now - latest.at))"),
                detail: [
                    LocalizedText("It was at \(Self.percent(latest.percent)) \(calendar.at(latest.at))."),
                    LocalizedText("Nobody knows now."),
                ])
        case .dry:
            let limit = Self.percent(limits.low)
            self.init(
                say: LocalizedText("Water today"),
                detail: [
                    since.map {
                        isSinceFirst
                            ? LocalizedText("Below its limit of \(limit) since \(calendar.past($0)) at least.")
                            : LocalizedText("Below its limit of \(limit) since \(calendar.past($0)).")
                    } ?? LocalizedText("Below its limit of \(limit).")
                ])
        case .wet:
            let limit = Self.percent(limits.high)
            self.init(
                say: LocalizedText("Too wet"),
                detail: [
                    since.map {
                        isSinceFirst
                            ? LocalizedText("Above its limit of \(limit) since \(calendar.past($0)) at least.")
                            : LocalizedText("Above its limit of \(limit) since \(calendar.past($0)).")
                    } ?? LocalizedText("Above its limit of \(limit).")
                ])
        case .ok:
            self.init(forecast: forecast, lastWatering: lastWatering, calendar: calendar)
        }
    }

    /// Finds the words where somebody said to have watered: that stands first, and then what the sensor said, and when.
    private init(
        _ claim: WateringClaim, watered: Int64, latest: MoistureSample, limits: MoistureLimits,
        calendar: HouseholdCalendar
    ) {
        let level = Self.percent(latest.percent)
        switch claim {
        case .doubted:
            self.init(
                say: LocalizedText("Water today"),
                detail: [
                    LocalizedText("Noted as watered \(calendar.at(watered))."),
                    LocalizedText("Its sensor said \(level) \(calendar.at(latest.at)) all the same."),
                ])
        case .draining:
            self.init(
                say: LocalizedText("Just watered"),
                detail: [LocalizedText("At \(level) it has more than it likes, and drains within hours.")])
        case .settling:
            self.init(
                say: LocalizedText("Just watered"),
                detail: [LocalizedText("The water is still spreading. How moist it is shows within hours.")])
        case .believed, .none:
            self.init(
                say: LocalizedText("Just watered"),
                detail: [
                    LocalizedText("Noted \(calendar.at(watered))."),
                    latest.at < watered
                        ? LocalizedText("Before that, \(calendar.at(latest.at)), its sensor said \(level).")
                        : LocalizedText("Its sensor said \(level) \(calendar.at(latest.at)): the water is on its way."),
                ])
        }
    }

    private init(forecast: Forecast, lastWatering: Int64?, calendar: HouseholdCalendar) {
        let watered = lastWatering.flatMap {
            calendar.now - $0 < 2 * HouseholdCalendar.dayLength ? calendar.watered($0) : nil
        }
        switch forecast {
        case .now: self.init(say: LocalizedText("Soon"), detail: [LocalizedText("It is close to its limit.")])
        case .day(let forecast):
            self.init(
                say: ForecastText.day(forecast, calendar),
                detail: [watered ?? LocalizedText("\(ForecastText.margin(forecast)).")],
                sentence: ForecastText.sentence(forecast, calendar))
        case .notEnoughDays(let have, let need):
            self.init(
                say: LocalizedText("Not enough data"),
                detail: [
                    have == 0
                        ? LocalizedText("No day of \(spelled: need) seen yet.")
                        : LocalizedText("\(spelled: have) of \(spelled: need) days seen.")
                ])
        case .notEnoughDryDowns(let have, _):
            let seen =
                have == 0
                ? LocalizedText("Not seen to dry out yet.")
                : LocalizedText("Seen to dry out \(spelled: have) times so far.")
            self.init(say: LocalizedText("Not enough data"), detail: [watered ?? seen])
        }
    }

    // MARK: Parts of sentences

    /// A value in percent, such as `12%`.
    static func percent(_ value: Double) -> LocalizedText {
        // A sensor says 0 to 100; a number of another would be no Int.
        LocalizedText("\(Int(min(max(value, 0), 100).rounded()))%")
    }

    /// A length of time: `40 min`, `9 h`, `3 days`.
    static func span(_ milliseconds: Int64) -> LocalizedText {
        let minutes = milliseconds / 60_000
        if minutes < 60 { return LocalizedText("\(max(minutes, 1)) min") }
        if minutes < 48 * 60 { return LocalizedText("\(minutes / 60) h") }
        return LocalizedText("\(minutes / (24 * 60)) days")
    }
}

/// The words about a day ahead.
enum ForecastText {
    /// Whether the interval is so wide that the day itself would say too much.
    private static func isWide(_ forecast: DryDownForecast) -> Bool { forecast.latest - forecast.earliest > 6 }

    private static func margin(inDays forecast: DryDownForecast) -> Int {
        max(forecast.latest - forecast.day, forecast.day - forecast.earliest)
    }

    /// The day in words, such as `Thursday`, or `after 2 December` where the interval is wide.
    static func day(_ forecast: DryDownForecast, _ calendar: HouseholdCalendar) -> LocalizedText {
        isWide(forecast)
            ? LocalizedText("after \(calendar.ahead(forecast.earliest))") : calendar.ahead(forecast.day)
    }

    /// The sentence about the day, such as `Water Thursday, give or take a day`.
    static func sentence(_ forecast: DryDownForecast, _ calendar: HouseholdCalendar) -> LocalizedText {
        let day = Self.day(forecast, calendar)
        if isWide(forecast) { return LocalizedText("Water \(day)") }
        return switch margin(inDays: forecast) {
        case ...0: LocalizedText("Water \(day), most likely")
        case let days: LocalizedText("Water \(day), give or take \(spelled: days) days")
        }
    }

    /// The sentence about the next plant, such as `Next is the fern: Thursday, give or take a day.`
    static func next(_ name: LocalizedText, _ forecast: DryDownForecast, _ calendar: HouseholdCalendar) -> LocalizedText
    {
        let day = Self.day(forecast, calendar)
        if isWide(forecast) { return LocalizedText("Next is \(name), \(day).") }
        return switch margin(inDays: forecast) {
        case ...0: LocalizedText("Next is \(name), probably \(day).")
        case let days: LocalizedText("Next is \(name): \(day), give or take \(spelled: days) days.")
        }
    }

    /// The sentence about how often a plant wants water now and wanted it before.
    static func trend(_ trend: WateringTrend, _ calendar: HouseholdCalendar) -> LocalizedText {
        let date = calendar.date(calendar.day(of: trend.earlierAt))
        let before = LocalizedText("every \(spelled: trend.earlierDays) days")
        return trend.recentDays < trend.earlierDays
            ? LocalizedText(
                "It wants water more often: every \(spelled: trend.recentDays) days instead of \(before) around \(date)."
            )
            : LocalizedText(
                "It wants water less often: every \(spelled: trend.recentDays) days instead of \(before) around \(date)."
            )
    }

    /// The margin in words, such as `Give or take a day`.
    static func margin(_ forecast: DryDownForecast) -> LocalizedText {
        switch margin(inDays: forecast) {
        case ...0: LocalizedText("Most likely")
        case let days: LocalizedText("Give or take \(spelled: days) days")
        }
    }
}

/// The words about how sure a detected watering is.
enum ConfidenceText {
    static func words(_ confidence: Double) -> LocalizedText {
        confidence >= 0.8 ? LocalizedText("very likely") : LocalizedText("perhaps")
    }
}
