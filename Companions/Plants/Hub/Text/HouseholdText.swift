import HubKit
import Localization
import PlantsEngine

/// The words about all plants together: a headline, and the one thing more that matters.
///
/// "Well" is said of plants of which it is known, and every plant that somebody should look at is in the headline: one
/// that wants water, that has too much, or whose sensor is silent or has never spoken.
struct HouseholdText: HeadlineText, Equatable, Sendable {
    var headline: [LocalizedText]
    var lead: [LocalizedText]
    var weight: HeadlineWeight

    /// The facts about each plant that the words are made from.
    struct Plant: Sendable {
        var name: String
        var state: PlantState
        var hasSensor: Bool
        var latest: MoistureSample?
        var forecast: Forecast
        /// The meaning of its newest watering, and the time of that.
        var claim = WateringClaim.none
        var watered: Int64?
        /// Whether it has it too cold, too dark and the like, or nobody knows.
        var isUncomfortable = false

        /// Whether all that is known of it is well.
        var isWell: Bool { state == .ok && !isUncomfortable }
    }

    init(_ plants: [Plant], calendar: HouseholdCalendar) {
        headline = Self.headline(plants)
        lead = Self.lead(plants, calendar).map { [$0] } ?? []
        weight =
            plants.isEmpty
            ? .nothing
            : plants.contains { $0.state == .dry } ? .due : plants.allSatisfy(\.isWell) ? .well : .look
    }

    // MARK: The headline

    private static func headline(_ plants: [Plant]) -> [LocalizedText] {
        guard !plants.isEmpty else { return [LocalizedText("No plants yet.")] }
        let fine = plants.count(where: \.isWell)
        guard fine < plants.count else {
            return switch fine {
            case 1: [LocalizedText("\(name(plants[0].name)) is well.")]
            case 2: [LocalizedText("Both are well.")]
            default: [LocalizedText("All \(spelled: fine) are well.")]
            }
        }
        let unknown = plants.count { $0.state == .silent || $0.state == .none }
        if unknown == plants.count, unknown > 1 { return [LocalizedText("Nobody knows how they are.")] }
        let sentences = [
            dry(plants.filter { $0.state == .dry }), wet(plants.filter { $0.state == .wet }),
            silent(plants.filter { $0.state == .silent }),
            unheard(plants.filter { $0.state == .none && $0.hasSensor }),
            without(plants.filter { $0.state == .none && !$0.hasSensor }),
            uncomfortable(plants.filter { $0.state == .ok && $0.isUncomfortable }),
        ].compactMap { $0 }
        guard fine > 0 else { return sentences }
        let hasDry = plants.contains { $0.state == .dry }
        if hasDry { return sentences + (sentences.count == 1 ? [LocalizedText("\(spelled: fine) can wait.")] : []) }
        return sentences + [LocalizedText("The other \(spelled: fine) are well.")]
    }

    private static func dry(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1, 2: LocalizedText("\(list: plants.map { name($0.name) }) want water.")
        case let count: LocalizedText("\(spelled: count) plants want water.")
        }
    }

    private static func wet(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1, 2: LocalizedText("\(list: plants.map { name($0.name) }) have more water than is good.")
        case let count: LocalizedText("\(spelled: count) plants have more water than is good.")
        }
    }

    private static func silent(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1: LocalizedText("\(name(plants[0].name))’s sensor is silent.")
        case 2: LocalizedText("The sensors of \(list: plants.map { name($0.name) }) are silent.")
        case let count: LocalizedText("\(spelled: count) sensors are silent.")
        }
    }

    private static func unheard(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1: LocalizedText("\(name(plants[0].name))’s sensor has not said anything yet.")
        case let count: LocalizedText("\(spelled: count) sensors have not said anything yet.")
        }
    }

    private static func without(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1, 2: LocalizedText("\(list: plants.map { name($0.name) }) have no sensor.")
        case let count: LocalizedText("\(spelled: count) plants have no sensor.")
        }
    }

    private static func uncomfortable(_ plants: [Plant]) -> LocalizedText? {
        switch plants.count {
        case 0: nil
        case 1, 2: LocalizedText("\(list: plants.map { name($0.name) }) are not quite comfortable.")
        case let count: LocalizedText("\(spelled: count) plants are not quite comfortable.")
        }
    }

    // MARK: What follows

    private static func lead(_ plants: [Plant], _ calendar: HouseholdCalendar) -> LocalizedText? {
        guard !plants.isEmpty else { return LocalizedText("Add one with its sensor, or a virtual one to look around.") }
        let believed = plants.filter { $0.claim == .believed }
        if let newest = believed.max(by: { $0.watered ?? 0 < $1.watered ?? 0 }), let watered = newest.watered {
            return LocalizedText(
                "\(name(newest.name)) was watered \(calendar.at(watered)); its sensor has yet to see it.")
        }
        if let doubted = plants.first(where: { $0.claim == .doubted }), let watered = doubted.watered {
            return LocalizedText(
                "\(name(doubted.name)) was noted as watered \(calendar.at(watered)), but its sensor has not seen it.")
        }
        let silent = plants.filter { $0.state == .silent }
        if silent.count == 1, let latest = silent[0].latest {
            return LocalizedText(
                "\(name(silent[0].name))’s sensor has said nothing since \(calendar.past(latest.at)), so nobody knows how it is."
            )
        }
        if silent.count == 2 {
            return LocalizedText(
                "Two sensors are silent, so nobody knows how \(list: silent.map { name($0.name) }) are.")
        }
        if silent.count > 2 {
            return LocalizedText("\(spelled: silent.count) sensors are silent, so nobody knows how those plants are.")
        }
        var next: (name: String, forecast: DryDownForecast)?
        for plant in plants where plant.state == .ok && plant.claim == .none {
            if case .day(let forecast) = plant.forecast, forecast.at < next?.forecast.at ?? .max {
                next = (plant.name, forecast)
            }
        }
        return next.map { ForecastText.next(name($0.name), $0.forecast, calendar) }
    }
}
