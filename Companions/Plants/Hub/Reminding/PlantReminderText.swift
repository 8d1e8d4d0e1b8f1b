import HubKit
import Localization
import PlantsEngine

/// The message about all plants that a reminder is about: what is due first, and what is near after it. A plant that
/// was put off is in none.
struct PlantReminderText: Equatable, Sendable {
    var title: LocalizedText
    var body: [LocalizedText]
    /// Whether there is something to remind of.
    var hasNews: Bool
    /// The plants that it is about, by their ids; nil for thirst, which is news every day.
    var about: String?

    /// The number of days ahead for which a plant is named, once another wants water.
    private static let near = 3
    /// The most plants that are named one by one; the others are counted.
    private static let mostNamed = 6
    /// The charge below which a battery is low, percent: most sensors with a coin cell still send for some weeks.
    static let lowBattery = 15.0

    init(
        _ reminder: PlantReminder, _ all: [PlantSituation], _ due: DueReminder, _ calendar: HouseholdCalendar
    ) {
        let situations = all.filter { !$0.isSnoozed(at: max(due.at, calendar.now)) }
        let sentences: [LocalizedText]
        switch reminder {
        case .water:
            title = LocalizedText("Water for the plants")
            sentences = Self.water(situations, day: max(Int(due.day), calendar.day(of: calendar.now)), calendar)
        case .silent:
            title = LocalizedText("A plant sensor is silent")
            sentences = Self.silent(situations, calendar)
        case .battery:
            title = LocalizedText("A plant sensor needs a battery")
            sentences = Self.batteries(situations)
        case .comfort:
            title = LocalizedText("Your plants would like a better place")
            sentences = Self.comfort(situations, calendar)
        case .fertilise:
            title = LocalizedText("Fertiliser for the plants")
            sentences = Self.due(.fertilised, situations, due.day) {
                LocalizedText("\(list: $0) would like some fertiliser.")
            }
        case .repot:
            title = LocalizedText("A bigger pot")
            sentences = Self.due(.repotted, situations, due.day) {
                LocalizedText("\(list: $0) would like a bigger pot.")
            }
        }
        hasNews = !sentences.isEmpty
        about = reminder == .water ? nil : Self.plants(reminder, situations, due.day).joined(separator: " ")
        body = hasNews ? sentences : [Self.nothing(reminder)]
    }

    func text(in language: Language) -> ReminderText {
        ReminderText(
            title: title.string(in: language, from: .plants), body: body.string(in: language, from: .plants),
            path: "/plants", about: about)
    }

    /// The plants that a reminder is about, in the order of their ids.
    private static func plants(_ reminder: PlantReminder, _ situations: [PlantSituation], _ day: Int32) -> [String] {
        situations.filter { situation in
            switch reminder {
            case .water: true
            case .silent: situation.state == .silent
            case .battery: situation.sensors.contains { ($0.latest("battery")?.value ?? 100) < lowBattery }
            case .comfort: situation.conditions.contains { $0.band == .low || $0.band == .high }
            case .fertilise: situation.due.contains { $0.what == .fertilised && $0.day <= Int(day) }
            case .repot: situation.due.contains { $0.what == .repotted && $0.day <= Int(day) }
            }
        }.map(\.plant.id).sorted()
    }

    private static func nothing(_ reminder: PlantReminder) -> LocalizedText {
        switch reminder {
        case .water: LocalizedText("No plant wants water today.")
        case .silent: LocalizedText("Every sensor is heard.")
        case .battery: LocalizedText("No battery is low.")
        case .fertilise: LocalizedText("No plant wants fertiliser today.")
        case .repot: LocalizedText("No plant wants another pot today.")
        case .comfort: LocalizedText("Every plant of which it is known is comfortable.")
        }
    }

    /// The sentences about plants that want water on that day, and if there are any, about those that follow soon, each
    /// with its day.
    private static func water(_ situations: [PlantSituation], day: Int, _ calendar: HouseholdCalendar)
        -> [LocalizedText]
    {
        var today: [LocalizedText] = []
        var next: [(day: Int, name: LocalizedText)] = []
        for situation in situations {
            let name = HouseholdText.name(situation.plant.name)
            switch (situation.state, situation.forecast) {
            case (.dry, _): today.append(name)
            case (.ok, .now) where situation.claim == .none: today.append(name)
            case (.ok, .day(let forecast)) where situation.claim == .none:
                if forecast.day <= day {
                    today.append(name)
                } else if forecast.day <= day + near {
                    next.append((forecast.day, name))
                }
            default: break
            }
        }
        // What is wanted tomorrow is worth a word today: a day ahead is when somebody can still plan.
        let tomorrow = next.contains { $0.day == day + 1 }
        guard !today.isEmpty || tomorrow else { return [] }
        var sentences: [LocalizedText] = []
        if !today.isEmpty {
            sentences.append(
                today.count > mostNamed
                    ? LocalizedText("\(spelled: today.count) plants want water.")
                    : LocalizedText("\(list: today) want water."))
        }
        for (day, names) in Dictionary(grouping: next, by: \.day).sorted(by: { $0.key < $1.key }) {
            let names = names.map(\.name)
            sentences.append(
                day == calendar.day(of: calendar.now) + 1
                    ? LocalizedText("\(list: names) want water tomorrow.")
                    : LocalizedText("\(list: names) want water on \(calendar.weekday(day))."))
        }
        return sentences
    }

    private static func silent(_ situations: [PlantSituation], _ calendar: HouseholdCalendar) -> [LocalizedText] {
        let silent = situations.compactMap { situation in
            situation.state == .silent ? situation.leading.map { (situation.plant.name, $0.latest.at) } : nil
        }
        guard silent.count <= mostNamed else {
            return [LocalizedText("\(spelled: silent.count) sensors are silent.")]
        }
        return silent.map { name, at in
            LocalizedText("Nothing heard of \(HouseholdText.name(name)) since \(calendar.past(at)).")
        }
    }

    /// The sentences about plants for which something is due on that day; the first few by name.
    private static func due(
        _ what: CareRecord.What, _ situations: [PlantSituation], _ day: Int32,
        _ sentence: ([LocalizedText]) -> LocalizedText
    ) -> [LocalizedText] {
        let names = situations.filter { one in one.due.contains { $0.what == what && $0.day <= Int(day) } }
            .map { HouseholdText.name($0.plant.name) }
        guard !names.isEmpty else { return [] }
        return names.count <= mostNamed
            ? [sentence(names)]
            : [
                sentence(Array(names.prefix(mostNamed))),
                LocalizedText("So would \(spelled: names.count - mostNamed) more."),
            ]
    }

    private static func batteries(_ situations: [PlantSituation]) -> [LocalizedText] {
        let low = situations.flatMap { situation in
            situation.sensors.compactMap { sensor in
                sensor.latest("battery").flatMap { latest in
                    latest.value < lowBattery ? (situation.plant.name, latest.value) : nil
                }
            }
        }
        guard low.count <= mostNamed else { return [LocalizedText("\(spelled: low.count) batteries are low.")] }
        return low.map { name, value in
            LocalizedText("The battery in \(HouseholdText.name(name)) is at \(PlantText.percent(value)).")
        }
    }

    private static func comfort(_ situations: [PlantSituation], _ calendar: HouseholdCalendar) -> [LocalizedText] {
        situations.flatMap { situation in
            situation.conditions.filter { $0.band == .low || $0.band == .high }.prefix(1).compactMap { condition in
                ConditionText.sentence(condition, calendar).map {
                    LocalizedText("\(HouseholdText.name(situation.plant.name)): \($0)")
                }
            }
        }.prefix(mostNamed).map { $0 }
    }
}
