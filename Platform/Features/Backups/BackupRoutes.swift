import HubKit
import Localization
import Storage

/// The routes by which adults see the hub's backups.
public struct BackupRoutes: Sendable {
    private let backups: Backups

    private struct Response: Codable {
        struct Backup: Codable {
            var name: String
            var at: Int64
            var bytes: Int
            /// The shell command that restores it.
            var restoreCommand: String
        }
        /// Whether a backup is made every night.
        var isNightly: Bool
        var folder: String
        var isRunning: Bool
        /// The backups, newest first.
        var backups: [Backup]
        /// The reason why the last attempt failed; nil if it did not.
        var problem: String?
        /// Whether the newest is older than two nights, or there is none where there should be one.
        var isOld: Bool
    }

    /// Creates the routes.
    public init(backups: Backups) { self.backups = backups }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get(
            "/api/backups", .adult, "The hub’s backups: where they are, which are kept, and whether the newest is old."
        ) {
            request in
            let household = try await request.hub.household()
            return try .json(Self.response(backups, household, request.hub, request.localized))
        }
        routes.post("/api/backups", .adult, "Makes a backup now, in the background.") { request in
            backups.ask()
            return .nothing
        }
    }

    private static func response(
        _ backups: Backups, _ household: HouseholdRecord?, _ hub: HubContext, _ localized: Localizer
    ) -> Response {
        let isDemo = household?.isDemo ?? false
        let kept = backups.kept()
        let state = backups.state.value.withLock { $0 }
        let isNightly = hub.settings.backsUpNightly && !isDemo
        // Where there is none, as old as the household: the first night is not over on its first day.
        let since = kept.first?.at ?? (isNightly ? household?.createdAt : nil)
        return Response(
            isNightly: isNightly, folder: backups.folder,
            isRunning: state.isRunning,
            backups: kept.map { one in
                let file = "\(backups.folder)/\(one.name)"
                return .init(
                    name: one.name, at: one.at, bytes: one.bytes,
                    restoreCommand: "tandem restore \(file.quoted) --data \(hub.settings.dataFolder.quoted)")
            },
            problem: state.problem.map { localized.string($0) },
            isOld: since.map { hub.clock.now() - $0 > Backups.oldMilliseconds } ?? false)
    }
}
