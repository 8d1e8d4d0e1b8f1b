import ArgumentParser
import BuildCommit
import Foundation
import GRDB
import HubKit
import HubServer
import Storage

/// The one executable: the hub, and everything that is done to it from a terminal.
@main
struct Tandem: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tandem",
            abstract: "A hub for what a household does together with its devices.",
            discussion: """
                Start with a sample household:   tandem demo
                Start your own:                  tandem serve --data ./data
                Start it for phones too:         tandem serve --lan

                Every option of `serve` can also be set in the environment (TANDEM_PORT=8081) or in a JSON file named by
                --config. A flag wins over the environment, the environment over the file.

                Exit codes: 0 all is well, 1 something failed (a line says what), 64 the command line was not understood;
                import, export and sensor tell a bad file (65), a missing one (66) and others apart, as in sysexits.h.
                """,
            version: "\(HubVersion.current) (\(String(cString: tandem_build_commit())))",
            subcommands: [
                Serve.self, Demo.self, AuthorityCommand.self, User.self, Device.self, Integration.self, Import.self,
                Export.self,
                Simulate.self, Backup.self, Restore.self, SealReadings.self,
                Doctor.self, Health.self, Flash.self, FirmwareCommand.self, OpenAPI.self,
            ] + companions.flatMap { $0.commands(.top) })
    }

    static func main() async {
        Registry.install(companions)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error where Self.isExpected(error) {
            // One line for a person, without the parser's usage.
            FileHandle.standardError.write(Data("tandem: \(Self.words(error))\n".utf8))
            Foundation.exit(1)
        } catch {
            exit(withError: error)
        }
    }

    private static func isExpected(_ error: any Error) -> Bool {
        !(error is ExitCode || error is CleanExit || error is ValidationError) && exitCode(for: error) == .failure
    }

    private static func words(_ error: any Error) -> String {
        if let error = error as? DatabaseError {
            // SQLite’s own words, such as “error 11”, do not say what to do.
            return HubDatabaseError(error, path: "The hub’s database").description
        }
        return (error as? Problem).map(\.detail.english) ?? "\(error)"
    }
}

/// A number of a port.
func checkedPort(_ port: Int, flag: String) throws {
    guard (0...65_535).contains(port) else { throw ValidationError("\(flag) is a number between 1 and 65535.") }
}
