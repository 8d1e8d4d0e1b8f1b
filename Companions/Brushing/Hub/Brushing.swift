import ArgumentParser
import BrushingEngine
import HubKit
import Localization
import Storage

/// The companion for brushing teeth: routines, sessions, habits, reminders.
public final class Brushing: Companion {
    public static let slug = "brushing"
    public static let title = "Brushing"
    public static var sentences: StringCatalog { .brushing }
    public static let migrations = BrushingTables.migrations

    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .top, .import: []
        case .simulate: [SimulateBrushingCommand.self]
        case .export: [ExportSessionsCommand.self]
        }
    }

    let hub: Hub

    public init(hub: Hub) async throws { self.hub = hub }

    public var sessionFormat: (any SessionFormat)? { BrushingSessionFormat() }

    public func addRoutes(to routes: Routes) {
        SessionDetailRoutes().add(to: routes)
        HistoryRoutes().add(to: routes)
        SettingsRoutes(brushing: self).add(to: routes)
        OverviewRoutes().add(to: routes)
    }

    public func seedDemo(household: HouseholdRecord) async throws {
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            try DemoSettings(brushing: self).seed(household, db)
            try DemoSessions(now: now).seed(household, db)
        }
    }
}
