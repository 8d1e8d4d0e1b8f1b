import ArgumentParser
import DrumsEngine
import HubKit
import Localization
import NIOCore
import Storage

/// The companion for hands that practise: songs, kits, sessions, plans, reports.
public final class Drums: Companion {
    /// The companion's name in paths, tables and migrations.
    public static let slug = "drums"
    /// The companion's name in the navigation, in English.
    public static let title = "Drums"
    /// The companion's own texts, with their translations.
    public static var sentences: StringCatalog { .drums }
    /// A kit in the network, which speaks MQTT, or the original one by the hub's radio.
    public static let kitKind = "drum-kit"
    /// Electronic drums by the hub's radio.
    static let midiKind = "midi-kit"
    /// The kinds of devices that belong to the companion: drum kits.
    public static let deviceKinds = [
        DeviceKind(
            name: kitKind, title: "Drum kit", topics: [],
            channel: PageChannel(command: "command", answer: "hit", mostBytes: KitMessageDecoder.mostBytes)),
        DeviceKind(
            name: midiKind, title: "Electronic drums by Bluetooth", isOnlyFound: true, topics: [],
            channel: PageChannel(command: "command", answer: "midi", mostBytes: BluetoothKits.mostBytes)),
    ]
    /// The kinds of devices that the hub's own radio brings: the original kit, and electronic drums.
    public static var bluetoothKinds: [BluetoothKind] { [BluetoothKits.original, BluetoothKits.midi] }
    /// The migrations of the companion's own tables, oldest first.
    public static let migrations = DrumsTables.migrations

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top: []
        case .simulate: [SimulateDrumsCommand.self]
        case .import: [ImportDrumsCommand.self, ImportSongCommand.self]
        case .export: [ExportDrumsCommand.self]
        }
    }

    let hub: HubContext

    /// The sessions that are being played, and how they are stored.
    var sessions: ActiveSessions<DrumSessionDefinition> { ActiveSessions(DrumSessionDefinition(), hub: hub) }

    /// Creates the companion when the hub starts, and removes files that no song has.
    public init(hub: HubContext) async throws {
        self.hub = hub
        try await RecordingFolder(hub).sweep()
    }

    /// The format of drum sessions, by which the platform receives, replays and stores them.
    public var sessionDefinition: (any SessionDefinition)? { DrumSessionDefinition() }

    /// Adds the companion's routes, below `/api/drums`.
    public func addRoutes(to routes: Routes) {
        SessionRoutes().add(to: routes)
        SelfReportRoutes(drums: self).add(to: routes)
        GoalRoutes().add(to: routes)
        FileRoutes(drums: self).add(to: routes)
        SettingsRoutes(drums: self).add(to: routes)
        OverviewRoutes(drums: self).add(to: routes)
        DataRoutes().add(to: routes)
        SongRoutes().add(to: routes)
    }

    /// Adds practice, settings and a plan of the sample household's people up to the present.
    public func seedDemo(household: HouseholdRecord) async throws {
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            try DemoPractice(now: now).seed(household, db)
            try DemoPlan(now: now).seed(household, db)
        }
    }

    /// Makes the reader for the messages of a kit.
    public func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder { KitMessageDecoder() }
}
