import ArgumentParser
import Foundation
import GRDB
import HubKit
import Storage

/// `tandem export sessions`
struct ExportSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Writes somebody’s brushing sessions, with the events that they were made of.",
        discussion: """
            To standard output. Each session has the hub’s result, its steps, and its events as they were delivered \
            (base64): sent to POST /api/brushing/sessions, they are the same session again. The hub may be running.

            Examples:
              tandem export sessions --person ines@example.org --format json > ines.json
              tandem export sessions --person Mila --data /var/lib/tandem
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case json }

    @Option(help: "Whose: an email, or a name.")
    var person: String

    @Option(help: "json.")
    var format = Format.json

    @OptionGroup var data: DataOption

    func run() async throws {
        let database = try data.database()
        let text = try Self.json(of: person, now: HubClock.system.now(), in: database)
        try database.close()
        FileHandle.standardOutput.write(text)
    }

    /// A person's sessions as JSON, by the person's name.
    ///
    /// - Throws: `UnknownPerson`.
    static func json(of name: String, now: Int64, in database: HubDatabase) throws -> Data {
        let (person, household) = try database.pool.read { db in
            let person = try PersonRecord.named(name, db)
            return (person, try HouseholdRecord.find(db, key: person.household))
        }
        return try SessionExport(BrushingSessionDefinition()).json(of: person, household, now: now, in: database)
    }
}
