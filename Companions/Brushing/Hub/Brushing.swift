import ArgumentParser
import BrushingEngine
import GRDB
import HubKit
import Localization
import ServiceLifecycle
import Storage

/// The companion for brushing teeth: routines, sessions, habits, reminders.
public final class Brushing: Companion {
    /// The companion's name in paths, tables and migrations.
    public static let slug = "brushing"
    /// The companion's name in the navigation, in English.
    public static let title = "Brushing"
    /// The companion's own texts, with their translations.
    public static var sentences: StringCatalog { .brushing }
    /// The migrations of the companion's own tables, oldest first.
    public static let migrations = BrushingTables.migrations

    /// A toothbrush that speaks by Bluetooth.
    static let brushKind = "toothbrush"
    /// The kinds of devices that belong to the companion.
    public static let deviceKinds = [
        DeviceKind(name: brushKind, title: "Toothbrush", isOnlyFound: true, topics: [])
    ]
    /// The kinds of devices that the hub's own radio brings: Oral-B's toothbrushes.
    public static var bluetoothKinds: [BluetoothKind] {
        [
            BluetoothKind(kind: brushKind, model: "Oral-B") {
                $0.manufacturerData[OralBAdvertisement.company].map {
                    (try? OralBAdvertisement(manufacturerData: $0)) != nil
                }
                    ?? false
            }
        ]
    }

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top, .import: []
        case .simulate: [SimulateBrushingCommand.self]
        case .export: [ExportSessionsCommand.self]
        }
    }

    let hub: HubContext
    let brushes: Brushes

    /// Creates the companion when the hub starts.
    public init(hub: HubContext) async throws {
        self.hub = hub
        brushes = Brushes(hub: hub)
    }

    /// The service that lets time pass for toothbrushes.
    public var services: [any Service] { [BrushWatch(brushes: brushes)] }

    /// Takes what one of the household's toothbrushes has broadcast.
    public func heard(_ broadcast: BluetoothBroadcast, of device: String, household: String) async {
        await brushes.heard(broadcast, of: device, household: household)
    }

    /// Forgets whose a toothbrush was.
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
        guard try BrushRecord.deleteOne(db, key: device.id) else { return [] }
        return [.changed(companion: slug, what: "brush", id: device.id)]
    }

    /// Forgets how a toothbrush brushes.
    public func removed(device: String) { Task { await brushes.forget(device) } }

    /// The format of brushing sessions, by which the platform receives, replays and stores them.
    public var sessionDefinition: (any SessionDefinition)? { BrushingSessionDefinition() }

    /// Adds the companion's routes, below `/api/brushing`.
    public func addRoutes(to routes: Routes) {
        SessionDetailRoutes().add(to: routes)
        HistoryRoutes().add(to: routes)
        SettingsRoutes(brushing: self).add(to: routes)
        OverviewRoutes().add(to: routes)
        BrushRoutes(brushing: self).add(to: routes)
    }

    /// Adds settings and sessions of the sample household's people up to the present.
    public func seedDemo(household: HouseholdRecord) async throws {
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            try DemoSettings(brushing: self).seed(household, db)
            try DemoSessions(now: now).seed(household, db)
        }
    }
}
