import Archive
import ArgumentParser
import Foundation
import GRDB
import HubKit
import HubServer
import Storage

/// `tandem export person`
struct ExportPerson: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Writes what is kept of one person into one archive of open formats. The hub may be running.",
        discussion: """
            A ZIP file: each row that names the person, tables for people, and fhir.json for programs that keep health records. \
            Nothing else of the household is in it, no password and no token.

            Example:
              tandem export person Mila mila.zip --data /var/lib/tandem
            """)

    @Argument(help: "The person’s name, as in Settings.")
    var name: String

    @Argument(help: ArgumentHelp("Where to write it.", valueName: "file"))
    var file: String

    @OptionGroup var table: TableOption
    @OptionGroup var data: DataOption

    func run() throws {
        let database = try data.database()
        let found = try database.pool.read { db in
            try PersonRecord.fetchAll(db, sql: "SELECT * FROM person WHERE name = ?", arguments: [name])
        }
        guard let person = found.first else { throw ArchiveError.nobody(name) }
        guard found.count == 1 else {
            throw ValidationError(
                "\(found.count) people here are called \(name). Download it in Settings, People, where each has a face."
            )
        }
        var report = ProgressLine()
        let made = try ArchiveExport.write(
            database, in: DataFolder(path: data.folder), companions: companions, to: file, of: person.id,
            form: table.form, now: HubClock.system.now()
        ) { report.show($0) }
        try database.close()
        report.clear()
        print(
            "\(file) is whole: \(made.rows) rows of \(person.name), \(made.bytes) bytes. Its README says what is where."
        )
    }
}
