import HubKit
import Localization
import PlantsEngine

/// The words about a plant that is too cold, too dark, too warm...
enum ConditionText {
    /// A sentence; nil where there is nothing to say: it is well, or a day has yet to be measured.
    static func sentence(_ condition: PlantCondition, _ calendar: HouseholdCalendar) -> LocalizedText? {
        guard let value = condition.value, let at = condition.at, let likes = range(condition) else { return nil }
        let number = amount(value, condition.quantity)
        let isNight = calendar.isNight(at)
        return switch (condition.quantity, condition.band) {
        case (_, .ok): nil
        case (.dailyLight, .unknown): nil
        case (.light, .unknown) where calendar.now - at < HouseholdCalendar.dayLength: nil
        case (.temperature, .unknown):
            LocalizedText("How warm it has been since \(calendar.past(at)) is not known.")
        case (.light, .unknown): LocalizedText("How bright it has been since \(calendar.past(at)) is not known.")
        case (.conductivity, .unknown):
            LocalizedText("How much food its soil has had since \(calendar.past(at)) is not known.")
        case (.temperature, .low) where condition.isPast && isNight:
            LocalizedText("It was a bit cold at night: \(number) degrees, it likes \(likes).")
        case (.temperature, .low) where condition.isPast:
            LocalizedText("It was a bit cold: \(number) degrees, it likes \(likes).")
        case (.temperature, .low): LocalizedText("It is too cold for it: \(number) degrees, it likes \(likes).")
        case (.temperature, .high) where condition.isPast:
            LocalizedText("It was a bit warm: \(number) degrees, it likes \(likes).")
        case (.temperature, .high): LocalizedText("It is too warm for it: \(number) degrees, it likes \(likes).")
        case (.light, .low):
            LocalizedText("It stands too dark: \(number) lux at the brightest, it likes \(likes).")
        case (.light, .high):
            LocalizedText("The sun is too strong for it: \(number) lux at the brightest, it likes \(likes).")
        case (.dailyLight, .low):
            LocalizedText("It got too little light yesterday: \(number) mol, it likes \(likes).")
        case (.dailyLight, .high):
            LocalizedText("It got too much light yesterday: \(number) mol, it likes \(likes).")
        case (.conductivity, .low):
            LocalizedText("Its soil has little food left: \(number) µS/cm, it likes \(likes).")
        case (.conductivity, .high):
            LocalizedText("Its soil has too much fertiliser: \(number) µS/cm, it likes \(likes).")
        }
    }

    private static func range(_ condition: PlantCondition) -> LocalizedText? {
        let (low, high) = (condition.limits.low, condition.limits.high)
        let quantity = condition.quantity
        return switch (low, high) {
        case (let low?, let high?): LocalizedText("\(amount(low, quantity)) to \(amount(high, quantity))")
        case (let low?, nil): LocalizedText("at least \(amount(low, quantity))")
        case (nil, let high?): LocalizedText("at most \(amount(high, quantity))")
        case (nil, nil): nil
        }
    }

    private static func amount(_ value: Double, _ quantity: LimitedQuantity) -> LocalizedText {
        let decimals = quantity == .dailyLight ? 1 : 0
        // Rounded here, and within what was sensible to measure: another number would be no Int.
        let thousandths = (min(max(value, -1e6), 1e6) * 1_000).rounded()
        return LocalizedText("\(thousandths: Int(thousandths), decimals: decimals)")
    }
}
