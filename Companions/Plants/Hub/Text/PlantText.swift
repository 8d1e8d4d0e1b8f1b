import HubKit
import PlantsEngine

/// What the hub says of one plant, in a few words and a sentence.
struct PlantText: Equatable, Sendable {
    /// What to do or to know: `Water today`, `Thursday`, `Silent for 9 h`.
    var say: String
    /// The sentence below it.
    var detail: String
    /// What opens the plant's own page: `Water Thursday, give or take a day`.
    var sentence: String

    init(say: String, detail: String, sentence: String? = nil) {
        self.say = say
        self.detail = detail
        self.sentence = sentence ?? say
    }

    /// - Parameters:
    ///   - state: as the engine judges it.
    ///   - since: when that began.
    ///   - hasSensor: whether any sensor stands in the pot.
    ///   - latest: the newest moisture.
    ///   - lastWatering: the newest watering that stands.
    init(
        state: PlantState, since: Int64?, hasSensor: Bool, latest: MoistureSample?, limits: MoistureLimits,
        forecast: Forecast, lastWatering: Int64?, calendar: HouseholdCalendar
    ) {
        let sinceText = since.map { " since \(calendar.past($0))" } ?? ""
        switch state {
        case .none where hasSensor:
            self.init(say: "No reading yet", detail: "Its sensor has not said anything so far.")
        case .none:
            self.init(say: "No sensor", detail: "Give it one, and this place tells how it is.")
        case .silent:
            let age = latest.map { Self.span(calendar.now - $0.at) } ?? "a while"
            let was = latest.map { "Was \(Self.percent($0.percent)) \(Self.at($0.at, calendar)). " } ?? ""
            self.init(say: "Silent for \(age)", detail: was + "Nobody knows now.")
        case .dry:
            self.init(say: "Water today", detail: "Below its limit of \(Self.percent(limits.low))\(sinceText).")
        case .wet:
            self.init(say: "Too wet", detail: "Above its limit of \(Self.percent(limits.high))\(sinceText).")
        case .ok:
            self.init(forecast: forecast, lastWatering: lastWatering, calendar: calendar)
        }
    }

    private init(forecast: Forecast, lastWatering: Int64?, calendar: HouseholdCalendar) {
        let watered = lastWatering.flatMap {
            calendar.now - $0 < 2 * HouseholdCalendar.dayLength ? "Watered \(calendar.partOfDay($0))." : nil
        }
        switch forecast {
        case .now: self.init(say: "Soon", detail: "It is close to its limit.")
        case .day(let forecast):
            self.init(
                say: ForecastText.day(forecast, calendar), detail: watered ?? ForecastText.margin(forecast) + ".",
                sentence: ForecastText.sentence(forecast, calendar))
        case .notEnoughDays(let have, let need):
            let seen = have == 0 ? "No day" : have.spelled.capitalizedFirst
            self.init(say: "Not enough data", detail: "\(seen) of \(need.spelled) days seen.")
        case .notEnoughDryDowns(let have, _):
            let seen =
                switch have {
                case 0: "Not seen to dry out yet."
                case 1: "Seen to dry out once so far."
                default: "Seen to dry out \(have.spelled) times so far."
                }
            self.init(say: "Not enough data", detail: watered ?? seen)
        }
    }

    // MARK: Parts of sentences

    /// `12%`.
    static func percent(_ value: Double) -> String { "\(Int(value.rounded()))%" }

    /// `at 5:02`, `yesterday at 5:02`, `on 12 November`.
    static func at(_ time: Int64, _ calendar: HouseholdCalendar) -> String {
        let ago = calendar.day(of: calendar.now) - calendar.day(of: time)
        return switch ago {
        case 0: "at \(calendar.timeOfDay(time))"
        case 1: "yesterday at \(calendar.timeOfDay(time))"
        case 2...6: "on \(calendar.weekday(calendar.day(of: time))) at \(calendar.timeOfDay(time))"
        default: "on \(calendar.date(calendar.day(of: time)))"
        }
    }

    /// A length of time: `40 min`, `9 h`, `3 days`.
    static func span(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        if minutes < 60 { return "\(max(minutes, 1)) min" }
        if minutes < 48 * 60 { return "\(minutes / 60) h" }
        return "\(minutes / (24 * 60)) days"
    }
}

/// What the hub says of a day ahead.
enum ForecastText {
    /// `Thursday`; `After 2 December` where the interval is so wide that the day itself would say too much.
    static func day(_ forecast: DryDownForecast, _ calendar: HouseholdCalendar) -> String {
        if forecast.latest - forecast.earliest > 6 {
            return "After \(calendar.ahead(forecast.earliest).replacingCapital)"
        }
        return calendar.ahead(forecast.day)
    }

    /// `Water Thursday, give or take a day`.
    static func sentence(_ forecast: DryDownForecast, _ calendar: HouseholdCalendar) -> String {
        let day = Self.day(forecast, calendar)
        if day.hasPrefix("After ") { return "Water after" + day.dropFirst(5) }
        let margin = margin(forecast)
        return "Water \(day.replacingCapital), \(margin.prefix(1).lowercased() + margin.dropFirst())"
    }

    /// `Give or take a day`.
    static func margin(_ forecast: DryDownForecast) -> String {
        switch max(forecast.latest - forecast.day, forecast.day - forecast.earliest) {
        case ...0: "To the day, most likely"
        case 1: "Give or take a day"
        case let days: "Give or take \(days.spelled) days"
        }
    }
}

extension String {
    /// `Today` within a sentence; weekdays keep their capital.
    fileprivate var replacingCapital: String { self == "Today" || self == "Tomorrow" ? lowercased() : self }
}

/// How sure a detected watering is.
enum ConfidenceText {
    static func words(_ confidence: Double) -> String { confidence >= 0.8 ? "very likely" : "perhaps" }
}
