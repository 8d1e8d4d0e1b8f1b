import ArgumentParser
import DrumsEngine
import HubKit
import Localization
import NIOCore
import Storage

/// The companion for hands that practise: songs, kits, sessions, plans, reports.
public final class Drums: Companion {
    public static let slug = "drums"
    public static let title = "Drums"
    public static var sentences: StringCatalog { .drums }
    /// A kit in the network, which speaks MQTT.
    public static let kitKind = "drum-kit"
    public static let deviceKinds = [
        DeviceKind(
            name: kitKind, title: "Drum kit", topics: [],
            channel: PageChannel(command: "command", answer: "hit", mostBytes: KitReader.mostBytes))
    ]
    public static let migrations = DrumsTables.migrations

    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top: []
        case .simulate: [SimulateDrumsCommand.self]
        case .import: [ImportDrumsCommand.self, ImportSongCommand.self]
        case .export: [ExportDrumsCommand.self]
        }
    }

    let hub: Hub

    /// Those that are played, and how they are stored.
    var sessions: ActiveSessions<DrumSessionFormat> { ActiveSessions(DrumSessionFormat(), hub: hub) }

    public init(hub: Hub) async throws {
        self.hub = hub
        try await RecordingFolder(hub).sweep()
    }

    public var sessionFormat: (any SessionFormat)? { DrumSessionFormat() }

    public func addRoutes(to routes: Routes) {
        SessionRoutes().add(to: routes)
        SelfReportRoutes(drums: self).add(to: routes)
        GoalRoutes().add(to: routes)
        FileRoutes(drums: self).add(to: routes)
        SettingsRoutes(drums: self).add(to: routes)
        OverviewRoutes(drums: self).add(to: routes)
        DataRoutes().add(to: routes)
        SongRoutes(drums: self).add(to: routes)
    }

    public func seedDemo(household: HouseholdRecord) async throws {
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            try DemoPractice(now: now).seed(household, db)
            try DemoPlan(now: now).seed(household, db)
        }
    }

    public func reader(for device: DeviceRecord) -> any DeviceReader { KitReader() }
}
