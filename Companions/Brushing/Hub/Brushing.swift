import ArgumentParser
import BrushingEngine
import HubKit
import Localization
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

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top, .import: []
        case .simulate: [SimulateBrushingCommand.self]
        case .export: [ExportSessionsCommand.self]
        }
    }

    let hub: HubContext

    /// Creates the companion when the hub starts.
    public init(hub: HubContext) async throws { self.hub = hub }

    /// The format of brushing sessions, by which the platform receives, replays and stores them.
    public var sessionDefinition: (any SessionDefinition)? { BrushingSessionDefinition() }

    /// Adds the companion's routes, below `/api/brushing`.
    public func addRoutes(to routes: Routes) {
        SessionDetailRoutes().add(to: routes)
        HistoryRoutes().add(to: routes)
        SettingsRoutes(brushing: self).add(to: routes)
        OverviewRoutes().add(to: routes)
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
