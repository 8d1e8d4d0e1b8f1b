import ArgumentParser
import GRDB
import HubKit
import Localization
import NIOCore
import ServiceLifecycle
import Storage
import Synchronization
import TriviaToyEngine

/// The companion that tells facts: which there are, who hears which next, what was heard and what they think of it.
public final class TriviaToy: Companion {
    /// The companion's name in paths, tables and migrations.
    public static let slug = "toy"
    /// The companion's name in the navigation, in English.
    public static let title = "Toy"
    /// The companion's own texts, with their translations.
    public static var sentences: StringCatalog { .triviaToy }
    /// A toy that is thrown, and tells a fact.
    public static let toyKind = "toy"
    /// The kinds of devices that belong to the companion: the trivia toy.
    public static let deviceKinds = [
        DeviceKind(
            name: toyKind, title: "Trivia toy", comesWithoutTLS: true,
            topics: [
                .fromDevice("\(ToyTopic.play)"), .fromDevice("\(ToyTopic.vote)"), .fromDevice("\(ToyTopic.status)"),
                .fromDevice("\(ToyTopic.said)"),
                .toDevice("\(ToyTopic.fact)"), .toDevice("\(ToyTopic.rules)"),
            ])
    ]
    /// The migrations of the companion's own tables, oldest first.
    public static let migrations = ToyTables.migrations
    /// The original toy and its app.
    public static let legacy: LegacyProtocol? = LegacyProtocol(
        routes: OriginalRoute.allCases.map(\.declaration),
        // Built into the toy and both apps.
        hosts: [OriginalSystem.host],
        risk: """
            The original trivia toy and its app say who they are by a number alone, and send passwords in clear: with this \
            on, whoever reads along in your network can hear and vote as one of their users. Numbers are hard to guess and \
            guessing is slowed down. These users are no accounts, and reach nothing else.
            """)
    /// The hosts that the hub calls for the companion: Open Trivia DB, when an adult asks for questions.
    public static let outbound = [OpenTriviaRequest.use]

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top: [ToyCommand.self, ProvisionCommand.self]
        case .simulate: [SimulateToyCommand.self]
        case .import, .export: []
        }
    }

    let hub: HubContext
    let limits = ToyLimits()
    let original: OriginalSystem
    let delivery: FactDelivery
    let spoken = SpokenWords()
    let renderer = SpeechRenderer()
    let messageSound: MessageSound
    private let prepared = Mutex<Set<String>>([])

    /// Creates the companion when the hub starts, and prepares the household's facts.
    public init(hub: HubContext) async throws {
        self.hub = hub
        original = OriginalSystem(hub: hub, limits: limits)
        delivery = FactDelivery(hub: hub, limits: limits)
        messageSound = MessageSound(limits: limits, folder: hub.settings.dataFolder)
        if let household = try await hub.household() { try await prepare(household.id) }
    }

    /// Adds the companion's routes, below `/api/toy`.
    public func addRoutes(to routes: Routes) {
        FactRoutes(toy: self).add(to: routes)
        ListeningRoutes(toy: self).add(to: routes)
        ImportRoutes(toy: self).add(to: routes)
        OriginalUserRoutes(toy: self).add(to: routes)
        ToyRoutes(toy: self).add(to: routes)
        SpeechRoutes(toy: self).add(to: routes)
        MessageRoutes(toy: self).add(to: routes)
        PairingRoutes(toy: self).add(to: routes)
        RulesRoutes(toy: self).add(to: routes)
        WeekRoutes(toy: self).add(to: routes)
    }

    /// Makes the reader for the messages of a toy.
    public func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder {
        ToyMessageDecoder(device: device, toy: self)
    }

    /// Serves toys that have just reported, since they listen now.
    public func committed(_ readings: [CommittedReading]) {
        // A toy says how its battery is with all else that it says of itself: now it listens.
        for reading in readings where reading.quantity == "battery" { delivery.serve(reading.device) }
    }

    /// Deletes the rows of a removed toy. The histories keep what was heard from it.
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
        guard device.kind == toyKind else { return [] }
        // What was heard from it stays in the histories.
        for table in ["toy_report", "toy_device_vote", "toy_sent", "toy_status", "toy_message_play"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE device = ?", arguments: [device.id])
        }
        return [.changed(companion: slug, what: "toy", id: device.id)]
    }

    /// Forgets what a removed toy said last.
    public func removed(device: String) { spoken.forget(device) }

    /// The times at which toys said last how they are.
    public func lastHeard(of devices: [String], _ db: Database) throws -> [String: Int64] {
        try devices.reduce(into: [:]) { heard, device in
            heard[device] = try Int64.fetchOne(
                db, cached: "SELECT at FROM toy_status WHERE device = ?", arguments: [device])
        }
    }

    /// The services that run as long as the hub does: the delivery of facts.
    public var services: [any Service] { [delivery] }

    /// Adds a toy and its history to the sample household.
    public func seedDemo(household: HouseholdRecord) async throws { try await DemoToy(toy: self).seed(household) }

    /// The title of what a toy measures of itself.
    public static func title(ofQuantity quantity: String) -> LocalizedText {
        quantity == String(buffer: ToyMessageDecoder.battery)
            ? LocalizedText("Battery") : .name(ofQuantity: quantity)
    }

    /// Tells pages to load again what a toy has changed, once that is durable.
    func publish(_ what: String, of device: DeviceRecord, after db: Database) {
        hub.live.publish(changed: what, id: device.id, of: Self.self, household: device.household, after: db)
    }

    /// Answers a request of the original toy, or of its app.
    public func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer> {
        guard let household = try await hub.household()?.id else { return original.noHousehold(request) }
        try await prepare(household)
        return try await original.answer(route, request, household: household)
    }

    /// Sees to it that the household has the facts that come with this version, once in a run.
    func prepare(_ household: String) async throws {
        guard !prepared.withLock({ $0.contains(household) }) else { return }
        let now = hub.clock.now()
        try await hub.database.pool.write { db in try FactPack.install(household: household, now: now, db) }
        _ = prepared.withLock { $0.insert(household) }
    }
}
