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

    @Option(help: "The hub’s data folder.")
    var data = "./data"

    func run() async throws {
        try DataFolder.checkOwner(of: data)
        guard FileManager.default.fileExists(atPath: data + "/tandem.sqlite") else {
            throw ValidationError("There is no hub in \(data). Name its folder with --data.")
        }
        let database = try HubDatabase(
            path: try DataFolder(path: data).databasePath, migrations: Registry.migrations)
        let text = try await database.pool.read { db in try Self.json(of: person, now: HubClock.system.now(), db) }
        FileHandle.standardOutput.write(text)
        try database.close()
    }

    /// - Throws: `UnknownPerson`.
    static func json(of name: String, now: Int64, _ db: Database) throws -> Data {
        let people = try PersonRecord.fetchAll(db, sql: "SELECT * FROM person ORDER BY role, created_at, id")
        let found = people.filter { $0.email?.lowercased() == name.lowercased() || $0.id == name }
        let named = found.isEmpty ? people.filter { $0.name.lowercased() == name.lowercased() } : found
        guard named.count == 1, let person = named.first else {
            throw UnknownPerson(name: name, people: people, isAmbiguous: named.count > 1)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(ExportedSessions(of: person, now: now, db)) + Data("\n".utf8)
    }
}

/// Nobody is called so, or more than one.
struct UnknownPerson: Error, CustomStringConvertible {
    var name: String
    var people: [PersonRecord]
    var isAmbiguous: Bool

    var description: String {
        guard !people.isEmpty else { return "This hub has no people yet. Make the first account in its page." }
        let known = people.map { one in one.email.map { "\(one.name) (\($0))" } ?? "\(one.name) (\(one.id))" }
        let reason =
            isAmbiguous
            ? "More than one here is called “\(name)”: name the email, or the id."
            : "Nobody here is called “\(name)”."
        return "\(reason) There are: \(known.joined(separator: ", "))."
    }
}
