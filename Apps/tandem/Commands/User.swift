import Accounts
import ArgumentParser
import Foundation
import HubKit
import HubServer

/// `tandem user`
struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Accounts of adults.", subcommands: [Add.self, Reset.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds somebody who can sign in. The password is asked for, or read from standard input.",
            discussion: """
                Examples:
                  tandem user add --name Ines --email ines@example.org
                  echo "$PASSWORD" | tandem user add --data /var/lib/tandem --name Ines --email ines@example.org
                """)

        @OptionGroup var data: DataOption
        @Option(help: "The person’s name.") var name: String
        @Option(help: "What they sign in with.") var email: String

        func run() async throws {
            let services = try data.services(orNew: true)
            let password = try Password.read()
            let person = try await services.accounts.addAdult(name: name, email: email, password: password)
            print("\(person.name) can sign in as \(person.email ?? email).")
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Makes a code by which somebody who forgot their password chooses a new one.",
            discussion: """
                The hub may go on running.
                Example:
                  tandem user reset ines@example.org
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "What the person signs in with.") var email: String

        func run() async throws {
            let services = try data.services()
            do {
                let (code, _) = try await services.accounts.offerReset(email: email)
                print(
                    """
                    \(code)

                    With this code \(email) chooses a new password, once, within a day: open the hub’s page, choose “I
                    forgot my password”, and type the code. All devices where they were signed in are signed out by that.
                    """)
            } catch let problem as Problem where problem.status == .notFound {
                throw ValidationError("Nobody signs in with \(email) here.")
            }
        }
    }
}

/// A password from a prompt that does not show it, or from standard input.
private enum Password {
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = readLine(), !line.isEmpty else {
                throw ValidationError("Standard input holds no password: write it there on one line.")
            }
            return line
        }
        guard let typed = getpass("Password: ") else { throw ValidationError("No password was typed.") }
        let password = String(cString: typed)
        guard let again = getpass("Once more: "), String(cString: again) == password else {
            throw ValidationError("The two passwords differ. Nothing was changed.")
        }
        return password
    }
}
