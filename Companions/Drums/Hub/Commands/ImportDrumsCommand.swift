import ArgumentParser
import ClientKit
import GRDB
import HubKit
import Storage

/// `tandem import drums`
struct ImportDrumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drums", abstract: "Takes over drum sessions from the original’s sessiondata.plist.",
        discussion: """
            The file may be XML or binary. Each session is stored once: the same file can come again. Sessions that \
            cannot be are told with their number and the key that is wrong, and the others are taken. The hub may be \
            running.

            Example:
              tandem import drums sessiondata.plist --person Mila --data ./data
            """)

    @Argument(help: "The original’s file.")
    var file: String

    @Option(help: "Whose sessions they are: an email, or a name.")
    var person: String

    @OptionGroup var data: DataOption

    /// The most failures that are listed one by one.
    private static let mostReported = 20

    func run() async throws {
        let sessions: SessionImport
        do {
            sessions = try SessionImport(try CommandFile.read(file, upTo: SessionDataFile.longest))
        } catch let failure as CommandFile.Failure {
            throw ExitCode.saying("\(file) \(failure.message) Nothing was stored.", code: failure.code)
        } catch let failure as SessionDataFile.Failure {
            throw ExitCode.saying("\(file): \(failure.message.english)", code: 65)
        }
        let database = try data.database()
        let name = person
        let owner = { @Sendable (db: Database) throws -> (person: PersonRecord, household: HouseholdRecord) in
            let person = try PersonRecord.named(name, db)
            return (person, try HouseholdRecord.find(db, key: person.household))
        }
        let (person, household) = try await database.pool.read(owner)
        let now = HubClock.system.now()
        let prepared = try await sessions.prepared(for: person, household, now: now, database)
        let report = try await prepared.stored(in: database, now: now, of: owner)
        try database.close()
        print(Self.words(report, of: person.name))
        for refused in report.refused.prefix(Self.mostReported) { CommandOutput.say(refused.detail.english) }
        if report.refused.count > Self.mostReported {
            CommandOutput.say("And \(report.refused.count - Self.mostReported) more.")
        }
        if !report.refused.isEmpty, report.stored + report.again == 0 { throw ExitCode(65) }
    }

    static func words(_ report: SessionImport.Report, of name: String) -> String {
        var words = "\(report.stored) of \(report.sessions) sessions stored for \(name)"
        if report.again > 0 { words += ", \(report.again) were here already" }
        if !report.refused.isEmpty { words += ", \(report.refused.count) cannot be taken" }
        return words + "."
    }
}
