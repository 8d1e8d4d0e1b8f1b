import PlantsEngine

/// The kind of a simulated plant, and the way in which its household treats it.
public struct PlantPersonality: Equatable, Sendable {
    /// The drawing that shows it, and what it is called in the sample household.
    public enum Art: String, CaseIterable, Sendable {
        case fern, basil, monstera, chilli, lemon
    }

    /// The kind.
    public var art: Art
    /// The limits that suit it, percent.
    public var limits: MoistureLimits
    /// The amount that moist soil dries on a middling day, percent.
    public var dryingPerDay: Double
    /// The moisture at which drying begins to slow down, percent.
    public var bend: Double
    /// The share of full daylight that reaches it, 0...1.
    public var daylight: Double
    /// Whether rain reaches it.
    public var isOutdoors: Bool
    /// The distance below the limit that the person lets it reach before watering: mean, percent; negative is early.
    public var neglect: Double

    /// A fern on a bathroom shelf: thirsty, in little light.
    public static let fern = PlantPersonality(
        art: .fern, limits: MoistureLimits(low: 30, high: 75), dryingPerDay: 6.5, bend: 30, daylight: 0.25,
        isOutdoors: false, neglect: 2)
    /// Basil at the kitchen window: drinks fast.
    public static let basil = PlantPersonality(
        art: .basil, limits: MoistureLimits(low: 28, high: 70), dryingPerDay: 8.5, bend: 26, daylight: 0.6,
        isOutdoors: false, neglect: 0)
    /// A monstera in the living room: slow and forgiving.
    public static let monstera = PlantPersonality(
        art: .monstera, limits: MoistureLimits(low: 22, high: 65), dryingPerDay: 4.2, bend: 28, daylight: 0.35,
        isOutdoors: false, neglect: 1)
    /// Chilli on the balcony: sun, wind and now and then rain.
    public static let chilli = PlantPersonality(
        art: .chilli, limits: MoistureLimits(low: 26, high: 72), dryingPerDay: 7.5, bend: 28, daylight: 1,
        isOutdoors: true, neglect: 0)
    /// A lemon tree on the terrace: a large pot, outdoors.
    public static let lemon = PlantPersonality(
        art: .lemon, limits: MoistureLimits(low: 25, high: 68), dryingPerDay: 5, bend: 26, daylight: 0.8,
        isOutdoors: true, neglect: 1)

    /// The personalities in the order of ``Art``.
    public static let all = [fern, basil, monstera, chilli, lemon]
}
