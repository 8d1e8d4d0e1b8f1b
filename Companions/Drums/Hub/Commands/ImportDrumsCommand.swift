import ArgumentParser
import Foundation
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

    @Option(help: "The hub’s data folder.")
    var data = "./data"

    /// The most faults that are told one by one.
    private static let mostTold = 20

    func run() async throws {
        // Of an empty file nothing is read, which is no error.
        guard let handle = FileHandle(forReadingAtPath: file),
            let content = try? handle.read(upToCount: SessionDataFile.longest + 1) ?? Data()
        else {
            throw Self.refusal("\(file) cannot be read. Check its name and that it is yours to read.", code: 66)
        }
        let sessions: SessionImport
        do throws(SessionDataFile.Fault) {
            sessions = try SessionImport(Array(content))
        } catch {
            throw Self.refusal("\(file): \(error.words)", code: 65)
        }
        let database = try HubDatabase.ofHub(in: data)
        let name = person
        let (whose, report) = try await database.pool.write { db in
            let person = try PersonRecord.named(name, db)
            guard let household = try HouseholdRecord.fetchOne(db, key: person.household) else { throw NoHousehold() }
            return (person.name, try sessions.store(of: person, household, now: HubClock.system.now(), db))
        }
        try database.close()
        print(Self.words(report, of: whose))
        for refused in report.refused.prefix(Self.mostTold) { Self.say(refused.detail) }
        if report.refused.count > Self.mostTold {
            Self.say("And \(report.refused.count - Self.mostTold) more.")
        }
        if !report.refused.isEmpty, report.stored + report.again == 0 { throw ExitCode(65) }
    }

    static func words(_ report: SessionImport.Report, of name: String) -> String {
        var words = "\(report.stored) of \(report.sessions) sessions stored for \(name)"
        if report.again > 0 { words += ", \(report.again) were here already" }
        if !report.refused.isEmpty { words += ", \(report.refused.count) cannot be taken" }
        return words + "."
    }

    private static func say(_ words: String) { FileHandle.standardError.write(Data("\(words)\n".utf8)) }

    /// Says on standard error why the command ends. The code is one of sysexits.h.
    private static func refusal(_ reason: String, code: Int32) -> ExitCode {
        say("Error: \(reason)")
        return ExitCode(code)
    }
}
