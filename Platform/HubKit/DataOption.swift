import ArgumentParser
import Foundation
import Storage

/// Where a command that runs beside the hub finds its data.
public struct DataOption: ParsableArguments {
    /// The hub's data folder, as it was typed.
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The hub’s data folder; the hub may be running.", valueName: "folder"))
    public var folder = "./data"

    /// The folder that `tandem serve` takes without another.
    public init() {}

    /// Makes sure that a command may work here.
    ///
    /// - Parameter isNew: whether the folder may be made; a misspelt one is not.
    /// - Throws: `DataFolderError.ofAnother` to root in the folder of another user; a `ValidationError` where there is no
    ///   hub.
    public func check(orNew isNew: Bool = false) throws {
        try DataFolder.checkOwner(of: folder)
        guard isNew || FileManager.default.fileExists(atPath: folder + "/tandem.sqlite") else {
            throw ValidationError("There is no hub in \(folder). Name its folder with --data.")
        }
    }

    /// Opens the database of a hub that there is, for a companion's command.
    ///
    /// - Throws: what ``check(orNew:)`` throws, `DataFolderError` or `HubDatabaseError`, in words for whoever typed the
    ///   command.
    public func database() throws -> HubDatabase {
        try check()
        return try HubDatabase(path: try DataFolder(path: folder).databasePath, migrations: Registry.migrations)
    }
}
