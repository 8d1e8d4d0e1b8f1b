import ArgumentParser
import Foundation
import HubKit
import Storage

/// `tandem export drums`
struct ExportDrumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drums", abstract: "Writes somebody’s drum sessions.",
        discussion: """
            To standard output. plist is the original’s own sessiondata.plist, which its app reads; csv has a row for each \
            beat, with the units in the headers; json has all that the hub knows, with the events (base64) that each \
            session was made of: sent to POST /api/drums/sessions, they are the same session again. The hub may be \
            running.

            Examples:
              tandem export drums --person ines@example.org --format plist > sessiondata.plist
              tandem export drums --person Mila --format csv --data /var/lib/tandem > mila.csv
            """)

    @Option(help: "Whose: an email, or a name.")
    var person: String

    @Option(help: "plist, csv or json.")
    var format = ExportedDrums.Format.json

    @Flag(help: "Writes a plist in its binary form.")
    var binary = false

    @OptionGroup var table: TableOption
    @OptionGroup var data: DataOption

    func validate() throws {
        guard !binary || format == .plist else { throw ValidationError("--binary is a form of --format plist.") }
    }

    func run() async throws {
        let database = try data.database()
        let name = person
        let (person, household) = try await database.pool.read { db in
            let person = try PersonRecord.named(name, db)
            return (person, try HouseholdRecord.find(db, key: person.household))
        }
        let file = try ExportedDrums(person: person, household: household).file(
            format, isBinary: binary, form: table.form, now: HubClock.system.now(), in: database)
        try database.close()
        FileHandle.standardOutput.write(file)
    }
}

extension ExportedDrums.Format: ExpressibleByArgument {}
