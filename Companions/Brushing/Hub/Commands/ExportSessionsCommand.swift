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
        let name = person
        let text = try await database.pool.read { db in try Self.json(of: name, now: HubClock.system.now(), db) }
        FileHandle.standardOutput.write(text)
        try database.close()
    }

    /// - Throws: `UnknownPerson`.
    static func json(of name: String, now: Int64, _ db: Database) throws -> Data {
        let person = try PersonRecord.named(name, db)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(ExportedSessions(of: person, now: now, db)) + Data("\n".utf8)
    }
}
