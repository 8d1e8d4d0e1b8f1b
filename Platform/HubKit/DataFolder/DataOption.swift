import ArgumentParser
import Foundation
import Storage

/// The `--data` option of a command that works on the data of a hub, running or not.
public struct DataOption: ParsableArguments {
    /// The path of the hub's data folder, as it was typed, else as `TANDEM_DATA` says it to `tandem serve` too: in the image a
    /// command beside the hub finds the hub's own.
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The hub’s data folder; the hub may be running.", valueName: "folder"))
    public var folder = ProcessInfo.processInfo.environment["TANDEM_DATA"] ?? "./data"

    /// Creates the option with the default folder of `tandem serve`.
    public init() {}

    /// Checks that the command may work in the folder.
    ///
    /// - Parameter isNew: whether the folder may be missing; otherwise a misspelt path is an error.
    /// - Throws: `DataFolderError.ofAnother` for root in another user's folder, or a `ValidationError` if there is no
    ///   hub in the folder, or nothing in its database: of an empty file SQLite makes a new database.
    public func check(orNew isNew: Bool = false) throws {
        try DataFolder.checkOwner(of: folder)
        guard !isNew else { return }
        let path = folder + "/tandem.sqlite"
        guard FileManager.default.fileExists(atPath: path) else {
            throw ValidationError("There is no hub in \(folder). Name its folder with --data.")
        }
        guard try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int != 0 else {
            throw ValidationError(
                "\(path) is empty. `tandem doctor --data \(folder)` says what that means and what to do.")
        }
    }

    /// Opens the database of an existing hub, for a companion's command.
    ///
    /// - Throws: the errors of ``check(orNew:)``, `DataFolderError` or `HubDatabaseError`, in words for the person who
    ///   typed the command.
    public func database() throws -> HubDatabase {
        try check()
        return try HubDatabase(path: try DataFolder(path: folder).databasePath, migrations: Registry.migrations)
    }
}
