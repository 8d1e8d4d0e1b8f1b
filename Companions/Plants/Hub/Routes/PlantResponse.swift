import HubKit
import Localization
import PlantsEngine

/// A plant as pages get it.
struct PlantResponse: Codable {
    /// The state of a plant; `none` without a sensor.
    enum State: String, Codable, CaseIterable { case none, silent, dry, ok, wet }
    struct Limits: Codable { var low, high: Double }
    struct Sensor: Codable {
        var device, name: String
        var virtual: Bool
        var battery: Double?
    }
    struct Value: Codable {
        var value: Double
        var at: Int64
    }
    struct Around: Codable {
        var quantity, title: String
        var value: Double
        var unit: String
        var at: Int64
    }
    /// A piece of care that is to be done besides watering.
    struct Due: Codable {
        var what: CareRecord.What
        /// The local day.
        var day: String
        var isDue: Bool
        var words: String
    }
    /// A plant as a page shows it that has noted a watering, until the hub has heard of that.
    struct Noted: Codable {
        var state: State
        var say: String
        /// The earliest watering of which that holds, UTC milliseconds: an older one its sensor has had time to see.
        var since: Int64
    }
    struct Trouble: Codable {
        var device: String
        var at: Int64
        var message: String
    }
    /// A quantity that its sensors measure, and of which there is a chart.
    struct Measured: Codable { var quantity, title, unit: String }
    /// The state of a plant by a quantity besides moisture.
    struct Condition: Codable {
        enum Quantity: String, Codable, CaseIterable { case temperature, light, dailyLight, conductivity }
        enum State: String, Codable, CaseIterable { case unknown, low, ok, high }
        var quantity: Quantity
        var state: State
        /// A sentence; nil where there is nothing to say.
        var words: String?
    }

    var id, name, place: String
    var art: PlantArt
    var limits: Limits
    /// The Latin name of its kind, where somebody has chosen one.
    var kind: String?
    var likes: PlantLikes
    var conditions: [Condition]
    /// The quantities that are measured, moisture first.
    var quantities: [Measured]
    /// The time until which nobody is reminded of it.
    var snoozedUntil: Int64?
    var fertiliseWeeks, repotYears: Int?
    var due: [Due]
    /// A sentence on how often it is watered; nil where nothing has changed.
    var trend: String?
    var sensors: [Sensor]
    var moisture: Value?
    var state: State
    var stateSince: Int64?
    var silentAfter: Int64
    var say, detail, sentence: String
    /// The plant with a watering noted now; nil where that says nothing of how it is: nobody knows of one whose sensor is silent.
    var noted: Noted?
    var forecast: ForecastResponse
    var around: [Around]
    var lastWatering: WateringResponse?
    var errors: [Trouble]

    /// The age at which errors are no news any more, milliseconds.
    private static let errorMemory: Int64 = 7 * 86_400_000

    init(
        _ situation: PlantSituation, people: [String: String], in language: Language, _ calendar: HouseholdCalendar
    ) {
        let plant = situation.plant
        let words = situation.words(calendar)
        id = plant.id
        name = plant.name
        place = plant.place
        art = plant.art
        limits = Limits(low: plant.low, high: plant.high)
        kind = plant.kind
        likes = plant.likes
        conditions = situation.conditions.map { Condition($0, in: language, calendar) }
        quantities = Self.measured(situation.sensors, in: language)
        snoozedUntil = situation.isSnoozed(at: calendar.now) ? plant.snoozedUntil : nil
        (fertiliseWeeks, repotYears) = (plant.fertiliseWeeks, plant.repotYears)
        due = situation.due.map {
            Due(
                what: $0.what, day: calendar.iso($0.day), isDue: $0.day <= calendar.day(of: calendar.now),
                words: [$0.words(calendar)].string(in: language, from: .plants))
        }
        trend = situation.trend.map { [ForecastText.trend($0, calendar)].string(in: language, from: .plants) }
        sensors = situation.sensors.map {
            Sensor(
                device: $0.device.id, name: $0.device.name, virtual: $0.device.isVirtual,
                battery: $0.latest("battery")?.value)
        }
        moisture = situation.leading.map { Value(value: $0.latest.percent.rounded(places: 1), at: $0.latest.at) }
        state = State(situation.state)
        noted = situation.watered(at: calendar.now).map {
            Noted(
                state: State($0.state), say: [$0.words(calendar).say].string(in: language, from: .plants),
                since: ($0.leading?.latest.at ?? calendar.now) - WateringClaim.patience + 1)
        }
        stateSince = situation.stateSince
        silentAfter = situation.silentAfter
        say = [words.say].string(in: language, from: .plants)
        sentence = [words.sentence].string(in: language, from: .plants)
        let discomforts = situation.discomforts.compactMap { ConditionText.sentence($0, calendar) }
        detail = (words.detail + discomforts).string(in: language, from: .plants)
        forecast = ForecastResponse(
            situation.forecast, situation.state, situation.claim, in: language, calendar)
        around = situation.around.map {
            Around(
                quantity: $0.quantity, title: $0.title.string(in: language, from: .plants),
                value: $0.value.rounded(places: 2), unit: $0.unit, at: $0.at)
        }
        lastWatering = situation.lastWatering.map { WateringResponse($0, people: people, in: language) }
        errors = situation.sensors.compactMap { sensor in
            guard let message = sensor.device.errorMessage, let at = sensor.device.errorAt,
                calendar.now - at < Self.errorMemory
            else { return nil }
            return Trouble(device: sensor.device.id, at: at, message: message)
        }
    }
}

extension PlantResponse {
    /// The quantities that are worth a chart, in the order in which people ask for them.
    private static let order = ["moisture", "temperature", "light", "conductivity", "humidity", "pressure"]

    private static func measured(_ sensors: [PlantSituation.Sensor], in language: Language) -> [Measured] {
        var units: [String: String] = [:]
        for latest in sensors.flatMap(\.latest) where units[latest.series.quantity] == nil {
            units[latest.series.quantity] = latest.series.unit ?? ""
        }
        func place(_ quantity: String) -> Int { order.firstIndex(of: quantity) ?? order.count }
        return units.keys.sorted { (place($0), $0) < (place($1), $1) }.map { quantity in
            Measured(
                quantity: quantity,
                title: PlantObserver.title(of: quantity).string(in: language, from: .plants),
                unit: units[quantity] ?? "")
        }
    }
}

extension PlantResponse.State {
    init(_ state: PlantState) {
        self =
            switch state {
            case .none: .none
            case .silent: .silent
            case .dry: .dry
            case .ok: .ok
            case .wet: .wet
            }
    }
}

extension PlantResponse.Condition {
    init(_ condition: PlantCondition, in language: Language, _ calendar: HouseholdCalendar) {
        quantity =
            switch condition.quantity {
            case .temperature: .temperature
            case .light: .light
            case .dailyLight: .dailyLight
            case .conductivity: .conductivity
            }
        state =
            switch condition.band {
            case .unknown: .unknown
            case .low: .low
            case .ok: .ok
            case .high: .high
            }
        words = ConditionText.sentence(condition, calendar).map { [$0].string(in: language, from: .plants) }
    }
}

/// A forecast as pages get it.
struct ForecastResponse: Codable {
    enum Kind: String, Codable, CaseIterable { case now, day, notEnoughData = "not-enough-data" }
    var kind: Kind
    var day, earliest, latest, words, margin: String?
    var basedOn: Int?
    var medianErrorDays: Double?
    var have, need: Int?

    /// Makes the words about the days ahead.
    ///
    /// - Parameters:
    ///   - state: a dry plant wants water now, and nobody knows what one wants whose sensor is silent.
    ///   - claim: of one that somebody has just watered, what lies ahead shows when its sensor has seen it.
    init(
        _ forecast: Forecast, _ state: PlantState, _ claim: WateringClaim, in language: Language,
        _ calendar: HouseholdCalendar
    ) {
        func words(_ text: LocalizedText) -> String { [text].string(in: language, from: .plants) }
        if claim == .believed || claim == .settling {
            kind = .notEnoughData
            self.words = words(LocalizedText("Just watered"))
            return
        }
        switch state {
        case .dry:
            kind = .now
            return
        case .silent:
            kind = .notEnoughData
            self.words = words(LocalizedText("Its sensor is silent"))
            return
        case .none, .ok, .wet: break
        }
        switch forecast {
        case .now: kind = .now
        case .day(let forecast):
            kind = .day
            day = calendar.iso(forecast.day)
            earliest = calendar.iso(forecast.earliest)
            latest = calendar.iso(forecast.latest)
            self.words = words(ForecastText.day(forecast, calendar))
            margin = words(ForecastText.margin(forecast))
            basedOn = forecast.basedOn
            medianErrorDays = forecast.medianErrorDays.rounded(places: 1)
        case .notEnoughDays(let have, let need):
            kind = .notEnoughData
            (self.have, self.need) = (have, need)
        case .notEnoughDryDowns(let have, let need):
            kind = .notEnoughData
            (self.have, self.need) = (have, need)
            self.words = words(LocalizedText("Seen to dry out: \(have) of \(need) times"))
        }
    }
}

/// A watering as pages get it.
struct WateringResponse: Codable {
    var id: String
    var at: Int64
    var by: WateringRecord.Source
    var person: String?
    var confidence: Double?
    var words: String?
    var from, to: Double?
    var undone: Bool

    /// Answers a watering.
    ///
    /// - Parameter people: names by id.
    init(_ record: WateringRecord, people: [String: String], in language: Language) {
        id = record.id
        at = record.at
        by = record.by
        person = record.person.flatMap { people[$0] }
        confidence = record.confidence?.rounded(places: 2)
        words =
            record.by == .sensor
            ? record.confidence.map {
                ConfidenceText.words($0).string(in: language, from: .plants)
            } : nil
        from = record.levelBefore?.rounded(places: 1)
        to = record.levelAfter?.rounded(places: 1)
        undone = record.undoneAt != nil
    }
}

extension Double {
    func rounded(places: Int) -> Double {
        let scale = places == 1 ? 10.0 : places == 2 ? 100 : 1
        return (self * scale).rounded() / scale
    }
}
