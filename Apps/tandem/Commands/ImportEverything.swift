import Archive
import ArgumentParser
import Diagnosis
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem import everything`
struct ImportEverything: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "everything",
        abstract: "Makes an empty hub of an archive that `tandem export everything` or the page has made.",
        discussion: """
            The archive is checked first; one that is refused changes nothing. No hub may be running in the folder. Passwords and \
            tokens were not in the archive: `tandem user reset` and `tandem device token` make new ones.

            Example:
              tandem import everything linden.zip --data /var/lib/tandem
            """)

    @Argument(help: ArgumentHelp("The archive.", valueName: "file"))
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        try DataFolder.checkOwner(of: data.folder)
        guard FileManager.default.fileExists(atPath: file) else { throw ArchiveError.missing(file) }
        umask(0o077)
        let folder = try DataFolder(path: data.folder)
        let lock = try folder.lock(isWatched: !DiskKindCheck(folder: data.folder).isOwn())
        var report = ProgressLine()
        let read = try withExtendedLifetime(lock) {
            try ArchiveImport.read(file, into: folder, companions: companions, now: HubClock.system.now()) {
                report.show($0)
            }
        }
        report.clear()
        let made = Date(milliseconds: read.madeAt).formatted(.iso8601)
        print("\(data.folder) is the household of \(made): \(read.readings) readings and \(read.rows) rows.")
        if read.damagedStretches > 0 {
            print(
                "Some readings were damaged before (\(read.damagedStretches) times), and are missing: the archive’s README says which."
            )
        }
        print("Nobody has a password yet: `tandem user reset EMAIL` makes a code by which somebody chooses one.")
        print("Devices want new tokens: `tandem device token ID` makes one, `tandem device list` shows them.")
    }
}
