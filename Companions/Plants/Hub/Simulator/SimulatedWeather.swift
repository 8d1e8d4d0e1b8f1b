import HubKit

/// The weather of one place: temperature, humidity, light and rain, by season, day and hour.
struct SimulatedWeather: Sendable {
    /// The weather at a moment.
    struct Moment: Sendable {
        /// The temperature where the plant stands, degrees Celsius.
        var celsius: Double
        /// The relative humidity, percent.
        var humidity: Double
        /// The light at the plant, lux.
        var lux: Double
        /// The rate at which rain wets an outdoor pot, percent an hour.
        var rain: Double
    }

    private let utcOffset: Int64
    private var random: SeededRandom
    private var day = Int64.min
    /// The brightness of the day, from 0 dull to 1 bright: tomorrow is like today, more or less.
    private var brightness = 0.55
    private var warmth = 0.0
    private var rainFrom = 0.0
    private var rainUntil = 0.0
    private var rainRate = 0.0

    init(seed: UInt64, utcOffset: Int64) {
        self.utcOffset = utcOffset
        random = SeededRandom(seed: seed, stream: 1)
    }

    /// The weather at a moment, UTC milliseconds; moments come in order.
    mutating func moment(at: Int64, _ plant: PlantPersonality) -> Moment {
        let local = at + utcOffset
        let today = local / 86_400_000
        if today != day {
            day = today
            dawn()
        }
        let hour = Double(local % 86_400_000) / 3_600_000
        let season = Self.season(day: today)
        let daylight = Self.daylight(hour: hour, season: season) * (0.25 + 0.75 * brightness)
        let outdoor = 9 + 11 * season + warmth * 3 + 4 * Self.daylight(hour: hour - 2, season: 0.5)
        let celsius = plant.isOutdoors ? outdoor : 20.5 + 0.12 * (outdoor - 12) + 1.5 * daylight
        let raining = hour >= rainFrom && hour < rainUntil
        let humidity = (plant.isOutdoors ? 68.0 : 48) - 14 * daylight - 10 * (brightness - 0.5) + (raining ? 18 : 0)
        return Moment(
            celsius: celsius, humidity: min(max(humidity, 15), 99), lux: 45_000 * daylight * plant.daylight * 0.5,
            rain: raining && plant.isOutdoors ? rainRate : 0)
    }

    private mutating func dawn() {
        brightness = min(max(0.55 + 0.6 * (brightness - 0.55) + 0.17 * random.normal(), 0), 1)
        warmth = 0.7 * warmth + 0.7 * random.normal()
        // Drawn every day, rain or not, so that one plant's rain does not shift another's weather.
        let start = random.between(0, 20)
        let hours = random.between(1, 5)
        let rate = random.between(4, 12)
        let wet = random.once(every: 6)
        rainFrom = wet && brightness < 0.6 ? start : 25
        rainUntil = min(rainFrom + hours, 24)
        rainRate = rate
    }

    /// The season, from 0 at midwinter to 1 at midsummer of the northern half, as two parabolas.
    private static func season(day: Int64) -> Double {
        // Day 0 is 1 January 1970; the solstice is about eleven days before.
        let turns = (Double(day) + 11) / 365.2425
        let phase = turns - turns.rounded(.down)
        let half = phase < 0.5 ? phase * 2 : (1 - phase) * 2
        return half < 0.5 ? 2 * half * half : 1 - 2 * (1 - half) * (1 - half)
    }

    /// The daylight, from 0 at night to 1 at noon.
    private static func daylight(hour: Double, season: Double) -> Double {
        let length = 8 + 8 * season
        let place = (hour - (12.5 - length / 2)) / length
        guard place > 0, place < 1 else { return 0 }
        return 4 * place * (1 - place) * (0.5 + 0.5 * season)
    }
}
