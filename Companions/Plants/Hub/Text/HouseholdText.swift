import HubKit
import PlantsEngine

/// What the hub says of all plants together: a headline, and the one thing more that matters.
struct HouseholdText: Equatable, Sendable {
    var headline: String
    var lead: String

    /// What it takes to know of each plant.
    struct Plant: Sendable {
        var name: String
        var state: PlantState
        var hasSensor: Bool
        var latest: MoistureSample?
        var forecast: Forecast
    }

    init(_ plants: [Plant], calendar: HouseholdCalendar) {
        headline = Self.headline(plants)
        lead = Self.lead(plants, calendar)
    }

    private static func headline(_ plants: [Plant]) -> String {
        guard !plants.isEmpty else { return "No plants yet." }
        let dry = plants.filter { $0.state == .dry }
        let fine = plants.filter { $0.state == .ok || $0.state == .wet }.count
        guard dry.isEmpty else {
            let names = dry.map { name($0.name) }
            let who =
                switch dry.count {
                case 1: "\(names[0]) wants water."
                case 2: "\(names[0]) and \(names[1]) want water."
                default: "\(dry.count.spelled) plants want water."
                }
            let rest = fine == 0 ? "" : " \(fine.spelled.capitalizedFirst) can wait."
            return who.capitalizedFirst + rest
        }
        guard fine > 0 else {
            return plants.count == 1
                ? "Nobody knows how \(name(plants[0].name)) is." : "Nobody knows how they are."
        }
        guard fine == plants.count else {
            return fine == 1
                ? "Nothing to water. One is well."
                : "Nothing to water. \(fine.spelled.capitalizedFirst) are well."
        }
        return switch fine {
        case 1: "\(name(plants[0].name).capitalizedFirst) is well."
        case 2: "Both are well."
        default: "All \(fine.spelled) are well."
        }
    }

    private static func lead(_ plants: [Plant], _ calendar: HouseholdCalendar) -> String {
        guard !plants.isEmpty else { return "Add one with its sensor, or a virtual one to look around." }
        let silent = plants.filter { $0.state == .silent }
        if silent.count == 1, let latest = silent[0].latest {
            return
                "\(name(silent[0].name).capitalizedFirst)’s sensor has said nothing since \(calendar.past(latest.at)), so nobody knows how it is."
        }
        if silent.count > 1 {
            let names = silent.map { name($0.name) }
            let who = names.count == 2 ? "\(names[0]) and \(names[1])" : "those plants"
            return
                "\(silent.count.spelled.capitalizedFirst) sensors are silent, so nobody knows how \(who) are."
        }
        if let wet = plants.first(where: { $0.state == .wet }) {
            return "\(name(wet.name).capitalizedFirst) has more water than it likes."
        }
        let unheard = plants.filter { $0.state == .none && $0.hasSensor }
        if let first = unheard.first {
            return "\(name(first.name).capitalizedFirst)’s sensor has not said anything yet."
        }
        var next: (name: String, forecast: DryDownForecast)?
        for plant in plants where plant.state == .ok {
            if case .day(let forecast) = plant.forecast, forecast.at < next?.forecast.at ?? .max {
                next = (plant.name, forecast)
            }
        }
        guard let next else { return "" }
        let day = ForecastText.day(next.forecast, calendar)
        let inside = day == "Today" || day == "Tomorrow" || day.hasPrefix("After") ? day.lowercasedFirst : day
        return "Next is \(name(next.name)): \(inside), \(ForecastText.margin(next.forecast).lowercasedFirst)."
    }

    /// A plant's name in a sentence: `the fern`, but `Gerda` and `Basil 2`.
    static func name(_ name: String) -> String {
        let lower = name.lowercased()
        return commonNames.contains(lower) ? "the \(lower)" : name
    }

    private static let commonNames: Set<String> = [
        "fern", "basil", "monstera", "chilli", "chili", "lemon", "lemon tree", "olive tree", "fig tree", "orchid",
        "cactus",
        "aloe", "ivy", "palm", "mint", "rosemary", "thyme", "parsley", "chives", "tomato", "strawberry", "spider plant",
        "peace lily", "rubber plant", "snake plant", "money plant", "orange tree",
    ]
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
