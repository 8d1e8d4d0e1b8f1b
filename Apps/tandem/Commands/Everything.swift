import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem export everything`
struct ExportEverything: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "everything",
        abstract: "Writes all that the household has into one archive of open formats. The hub may be running.",
        discussion: """
            A ZIP file: readings, sessions and tables as CSV and JSON, recordings and photos as they are, and a README that says \
            where things are and in which units. `tandem import everything` makes an empty hub of it. Passwords, tokens and keys \
            are not in it: for those make a backup.

            Example:
              tandem export everything linden.zip --data /var/lib/tandem
            """)

    @Argument(help: ArgumentHelp("Where to write it.", valueName: "file"))
    var file: String

    @OptionGroup var data: DataOption

    func run() throws {
        let database = try data.database()
        var report = ProgressLine()
        let made = try ArchiveExport.write(
            database, in: DataFolder(path: data.folder), companions: companions, to: file, now: HubClock.system.now()
        ) { report.show($0) }
        try database.close()
        report.clear()
        print(
            "\(file) is whole: \(made.readings) readings, \(made.rows) rows, \(made.bytes) bytes. Its README says what is where."
        )
        if made.damagedStretches > 0 {
            print(
                "Not in it are readings that are damaged on the disk (\(made.damagedStretches) times): its README says which. Restore a backup from before, and export once more."
            )
        }
    }
}

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
        let lock = try folder.lock()
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

/// How far it is, on one line of a terminal.
private struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    mutating func show(_ progress: ArchiveProgress) {
        let percent = progress.total > 0 ? progress.done * 100 / progress.total : 0
        guard isTerminal, percent != shown else { return }
        shown = percent
        FileHandle.standardError.write(Data("\r\(percent) %".utf8))
    }

    func clear() {
        if isTerminal, shown >= 0 { FileHandle.standardError.write(Data("\r     \r".utf8)) }
    }
}
