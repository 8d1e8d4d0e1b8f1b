import ArgumentParser
import Foundation
import Logging
import Storage
import Synchronization

/// The companions that this executable was built with, set once before anything else runs.
///
/// A companion's own subcommands open the database without knowing their siblings; the migrations of all must be known
/// to do so.
public enum Registry {
    private static let types = Mutex<[any Companion.Type]>([])

    /// Called once, by the executable.
    public static func install(_ companions: [any Companion.Type]) { types.withLock { $0 = companions } }

    /// Those installed, in the order of the registry.
    public static var companions: [any Companion.Type] { types.withLock { $0 } }

    /// Of all companions, for whoever opens the database.
    public static var migrations: [Migration] { companions.flatMap { $0.migrations } }
}

extension Hub {
    /// Opens a data folder for the hub, or for a command that runs beside it.
    ///
    /// - Throws: `DataFolderError` or `HubDatabaseError`, in words for whoever typed the command.
    public convenience init(settings: HubSettings, log: Logger) throws {
        let folder = try DataFolder(path: settings.dataFolder)
        let database = try HubDatabase(path: folder.databasePath, migrations: Registry.migrations)
        self.init(database: database, settings: settings, log: log)
    }

    /// The household, which a command such as `tandem device add` needs.
    ///
    /// - Throws: `NoHousehold` while there is none.
    public func requiredHousehold() async throws -> HouseholdRecord {
        guard let household = try await household() else { throw NoHousehold() }
        return household
    }
}

extension HubDatabase {
    /// Opens the database of a hub that there is, which may be running, for a companion's command.
    ///
    /// - Parameter folder: the hub's data folder; a misspelt one is not made.
    /// - Throws: a `ValidationError` where there is no hub, `DataFolderError` or `HubDatabaseError`, in words for whoever
    ///   typed the command.
    public static func ofHub(in folder: String) throws -> HubDatabase {
        try DataFolder.checkOwner(of: folder)
        guard FileManager.default.fileExists(atPath: folder + "/tandem.sqlite") else {
            throw ValidationError("There is no hub in \(folder). Name its folder with --data.")
        }
        return try HubDatabase(path: try DataFolder(path: folder).databasePath, migrations: Registry.migrations)
    }
}

/// A command that needs a household found an empty hub.
public struct NoHousehold: Error, CustomStringConvertible {
    /// There is none.
    public init() {}

    public var description: String {
        "This hub has no household yet. Start it and open its page, or run `tandem user add` first."
    }
}
