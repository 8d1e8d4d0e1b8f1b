import ArgumentParser
import GRDB
import HubKit
import Localization
import Logging
import PlantsEngine
import ServiceLifecycle
import Storage

/// The companion for plants: their sensors, their limits, their waterings, and what comes next.
public final class Plants: Companion {
    /// The companion's name in paths, tables and migrations.
    public static let slug = "plants"
    /// The companion's name in the navigation, in English.
    public static let title = "Plants"
    /// The companion's own texts, with their translations.
    public static var sentences: StringCatalog { .plants }
    static let sensorKind = "plant-sensor"
    /// The kinds of devices that belong to the companion: the plant sensor.
    public static let deviceKinds = [
        DeviceKind(
            name: sensorKind, title: "Plant sensor", hasVirtual: true,
            // A sensor names the topics after what it measures.
            topics: [.fromDevice("#"), .toDevice("command")])
    ]
    /// The migrations of the companion's own tables, oldest first.
    public static let migrations = PlantTables.migrations
    /// The original Plant-Tracker app, which signs in to nothing.
    public static let legacy: LegacyProtocol? = LegacyProtocol(
        topics: [.request("\(LegacyMessage.requestTopic)"), .response("\(LegacyMessage.answerTopic)")],
        risk: """
            The original Plant-Tracker app has no sign-in: with this on, anybody in your network can read and change the \
            plants of its users, and hears every answer. It reaches nothing else.
            """)

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top:
            #if os(Linux)
                [SensorCommand.self]
            #else
                []
            #endif
        case .simulate: [SimulatePlantCommand.self]
        case .import: [ImportPlantsCommand.self]
        case .export: [ExportPlantsCommand.self]
        }
    }

    let hub: HubContext
    let observer: PlantObserver
    let readingWaiters = ReadingWaiters()
    let watch: WateringWatch
    let virtual: VirtualPlants
    let calibrations: Calibrations
    let removedPhotos: RemovedPhotos
    private let legacyFlood = LegacyFlood()

    /// Creates the companion when the hub starts, with the calibrations that are stored.
    public init(hub: HubContext) async throws {
        self.hub = hub
        observer = PlantObserver(damaged: { damage in
            hub.log.error("the past of a plant is damaged", metadata: ["reason": "\(damage)"])
            hub.storage.failed(damage)
        })
        watch = WateringWatch(hub: hub, observer: observer)
        virtual = VirtualPlants(hub: hub)
        removedPhotos = RemovedPhotos(hub: hub)
        calibrations = Calibrations(try await hub.database.pool.read { db in try CalibrationRecord.fetchAll(db) })
    }

    /// Adds the companion's routes, below `/api/plants`.
    public func addRoutes(to routes: Routes) {
        PlantRoutes(plants: self).add(to: routes)
        WateringRoutes(plants: self).add(to: routes)
        ChartRoutes(plants: self).add(to: routes)
        CareRoutes(plants: self).add(to: routes)
        PhotoRoutes(plants: self).add(to: routes)
        CalibrationRoutes(plants: self).add(to: routes)
        LegacyRoutes(plants: self).add(to: routes)
    }

    /// Makes the reader for the messages of a sensor.
    public func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder {
        SensorMessageDecoder(clock: hub.clock, device: device.id, calibrations: calibrations)
    }

    /// Makes the reader for the messages of one client of the original system.
    public func legacyHandler(connection: UInt64, transactions: any MessageTransactions) -> (any LegacyMessageHandler)?
    {
        LegacyResponder(hub: hub, transactions: transactions, flood: legacyFlood, connection: connection)
    }

    /// Hands the newest readings to those who wait for them: the search for waterings, and requests for a sensor's next
    /// value.
    public func committed(_ readings: [CommittedReading]) {
        for reading in readings {
            if reading.quantity == "moisture" { watch.note(reading.device, at: reading.at) }
            readingWaiters.note(reading.device, at: reading.at)
        }
    }

    /// Takes a removed sensor out of its plant, and deletes its mapping and its calibration.
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
        let plant = try db.plant(ofDevice: device.id)
        try db.execute(
            cached: "UPDATE plant_sensor SET until = ? WHERE device = ? AND until IS NULL", arguments: [now, device.id])
        try db.execute(cached: "DELETE FROM legacy_sensor WHERE device = ?", arguments: [device.id])
        try db.execute(cached: "DELETE FROM plant_calibration WHERE device = ?", arguments: [device.id])
        return plant.map { [.changed(companion: slug, what: "plant", id: $0.id)] } ?? []
    }

    /// Stops a removed virtual sensor.
    public func removed(device: String) { virtual.stop(device) }

    /// The kinds of the companion's reminders.
    public static let reminderKinds = PlantReminder.allCases.map(\.kind)

    /// The words of a reminder that has come; nil where it has no news and needs no text.
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        guard let text = try await digest(due) else { return nil }
        guard due.needsText || text.hasNews else { return nil }
        return text.text(in: due.language)
    }

    /// Whether a reminder that is due has no news.
    public func isSilenced(_ due: DueReminder) async throws -> Bool {
        try await digest(due).map { !$0.hasNews } ?? false
    }

    /// The text of a reminder of this companion; nil for one that it has not.
    private func digest(_ due: DueReminder) async throws -> PlantReminderText? {
        guard let reminder = PlantReminder(rawValue: due.name) else { return nil }
        let calendar = try await calendar()
        let situations = try await observer.situations(
            household: due.person.household, in: hub.database, calendar)
        return PlantReminderText(reminder, situations, due, calendar)
    }

    /// The services that run as long as the hub does.
    public var services: [any Service] { [watch, virtual, removedPhotos] }

    /// Adds plants with their past to the sample household.
    public func seedDemo(household: HouseholdRecord) async throws {
        try await DemoPlants(hub: hub, watch: watch).seed(household)
    }

    /// Tells pages to load a plant again, once its change is durable.
    func publish(_ plant: PlantRecord, after db: Database) {
        hub.live.publish(changed: "plant", id: plant.id, of: Self.self, household: plant.household, after: db)
    }

    /// The title of a quantity of plants, of their air and of their sensors.
    public static func title(ofQuantity quantity: String) -> LocalizedText { PlantObserver.title(of: quantity) }

    func calendar() async throws -> HouseholdCalendar {
        HouseholdCalendar(timeZone: try await hub.timeZone(), now: hub.clock.now())
    }
}
