import Archive
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

    @OptionGroup var table: TableOption
    @OptionGroup var data: DataOption

    func run() throws {
        let database = try data.database()
        var report = ProgressLine()
        let made = try ArchiveExport.write(
            database, in: DataFolder(path: data.folder), companions: companions, to: file,
            form: table.form, now: HubClock.system.now()
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
