import HubKit
import Localization
import PlantsEngine

/// The values of a plant that other programs of the house may show, and the actions that they may ask for.
struct PlantEntities {
    private let situation: PlantSituation
    private let calendar: HouseholdCalendar
    private let owner: Entity.Owner

    /// The actions.
    enum Action: String { case watered, snooze }

    init(_ situation: PlantSituation, _ calendar: HouseholdCalendar) {
        self.situation = situation
        self.calendar = calendar
        owner = Entity.Owner(id: situation.plant.id, name: situation.plant.name, kind: "Plant")
    }

    /// The quantities that are offered, with Home Assistant's device class, in the order in which people ask for them. Its class
    /// for conductivity is younger than what many run, which refuse an entity of a class that they do not know.
    private static let quantities: [(name: String, deviceClass: String?, decimals: Int)] = [
        ("moisture", "moisture", 1), ("temperature", "temperature", 1), ("light", "illuminance", 0),
        ("conductivity", nil, 0), ("humidity", "humidity", 0), ("pressure", "atmospheric_pressure", 1),
        ("battery", "battery", 0),
    ]

    /// All of a plant's.
    var all: [Entity] { measurements + judgements + actions }

    private var measurements: [Entity] {
        Self.quantities.compactMap { name, deviceClass, decimals in
            let latest = situation.sensors.compactMap { $0.latest(name) }.max { $0.at < $1.at }
            guard let latest else { return nil }
            // A battery is told far less often than what it feeds.
            let silentAfter =
                name == "battery" ? HouseholdCalendar.dayLength : max(situation.silentAfter, Staleness.unlearned)
            let isSilent = name == "moisture" ? situation.state == .silent : calendar.now - latest.at > silentAfter
            return Entity(
                of: owner, name, PlantObserver.title(of: name),
                .measurement(.init(unit: latest.series.unit ?? "", deviceClass: deviceClass, decimals: decimals)),
                isSilent ? .unavailable : .number(latest.value),
                series: .init(device: latest.series.device, quantity: name), isDiagnostic: name == "battery")
        }
    }

    private var judgements: [Entity] {
        guard !situation.sensors.isEmpty else { return [] }
        let isKnown = situation.state != .silent && situation.state != .none
        var days = Entity.State.unknown
        var attributes: [String: String] = [:]
        if isKnown {
            switch situation.forecast {
            case _ where situation.state == .dry, .now: days = .number(0)
            case .day(let forecast):
                days = .number(Double(forecast.day - calendar.day(of: calendar.now)))
                attributes = [
                    "day": calendar.iso(forecast.day), "earliest": calendar.iso(forecast.earliest),
                    "latest": calendar.iso(forecast.latest),
                ]
            case .notEnoughDays, .notEnoughDryDowns: break
            }
        }
        return [
            Entity(of: owner, "state", LocalizedText("How it is"), .words, .words(situation.words(calendar).say)),
            Entity(
                of: owner, "wants-water", LocalizedText("Wants water"), .flag(isProblem: true),
                isKnown ? .flag(situation.state == .dry) : .unavailable),
            Entity(
                of: owner, "days-to-water", LocalizedText("Days to the next watering"),
                .measurement(.init(unit: "d", deviceClass: "duration")), days, attributes: attributes),
        ]
    }

    private var actions: [Entity] {
        [
            Entity(of: owner, Action.watered.rawValue, LocalizedText("I watered it"), .button),
            Entity(of: owner, Action.snooze.rawValue, LocalizedText("Remind me tomorrow"), .button),
        ]
    }
}

extension Plants {
    /// The values and actions of each plant, for other programs.
    public func entities(household: String) async throws -> [Entity] {
        let calendar = try await calendar()
        return try await observer.situations(household: household, in: hub.database, calendar)
            .flatMap { PlantEntities($0, calendar).all }
    }

    /// Notes a watering, or puts a plant off until tomorrow.
    public func perform(_ command: EntityCommand) async throws {
        switch PlantEntities.Action(rawValue: command.entity) {
        case .watered:
            try await water(command.owner, at: nil, person: nil, household: command.household)
        case .snooze:
            try await snooze(
                command.owner, until: hub.clock.now() + Self.usualSnooze, household: command.household)
        case nil: throw Problem.notFound("A plant has no such action.")
        }
    }

    /// The soil sensors of other makers that can stand in a plant, by the classes and units of Home Assistant's.
    public static var adoptedKinds: [AdoptedKind] {
        [
            AdoptedKind(
                kind: sensorKind,
                quantities: [
                    .init(
                        "moisture", deviceClasses: ["moisture"], words: ["moisture", "soil_moisture"],
                        units: [.init("%")]),
                    .init(
                        "temperature", deviceClasses: ["temperature"],
                        words: ["temperature", "soil_temperature", "tempc"],
                        units: [.init("°C"), .init("°F", factor: 5 / 9, offset: -160 / 9), .init("K", offset: -273.15)]),
                    .init(
                        "light", deviceClasses: ["illuminance"], words: ["illuminance", "light", "lux", "brightness"],
                        units: [.init("lx"), .init("klx", factor: 1_000)]),
                    .init(
                        "conductivity", deviceClasses: ["conductivity"],
                        words: ["conductivity", "fertility", "fer", "soil_ec"],
                        units: [
                            .init("µS/cm"), .init("μS/cm"), .init("uS/cm"), .init("µS"), .init("mS/cm", factor: 1_000),
                        ]),
                    .init("humidity", deviceClasses: ["humidity"], words: ["humidity", "hum"], units: [.init("%")]),
                    .init(
                        "pressure", deviceClasses: ["pressure", "atmospheric_pressure"], words: ["pressure"],
                        units: [
                            .init("hPa"), .init("mbar"), .init("kPa", factor: 10), .init("Pa", factor: 0.01),
                            .init("inHg", factor: 33.8639), .init("mmHg", factor: 1.33322),
                            .init("psi", factor: 68.9476),
                        ]),
                    .init("battery", deviceClasses: ["battery"], words: ["battery", "batt"], units: [.init("%")]),
                ])
        ]
    }
}
