import Accounts
import ArgumentParser
import Foundation
import HubKit
import HubServer
import Localization
import Storage

/// `tandem demo`
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Starts the hub with a sample household and simulated sensors.",
        discussion: """
            The sensors are simulated, but speak to the hub as real ones do. Months of history are played at the first start.
            The sample's password is the same everywhere while only this machine reaches the hub. With --lan, --host,
            --origin or --trusted-proxy it is a new one for each start.

            Examples:
              tandem demo
              tandem demo --lan
              tandem demo --port 8081 --data /tmp/sample
            """)

    @OptionGroup var options: ServeOptions

    @Option(
        help: ArgumentHelp(
            "The language of the sample: \(languages). Without it that of this machine, as LC_ALL, LC_MESSAGES or LANG say.",
            valueName: "tag"))
    var language: String?

    private static let languages = StringCatalog.hub.languages.map(\.tag).sorted().joined(separator: ", ")

    func run() async throws {
        let (settings, web, level) = try await options.settings()
        let log = Log.start(options.logLevel == nil ? .warning : level)
        let runner = try await HubProcess(settings: settings, web: web, log: log)
        let (hub, accounts) = (runner.hub, runner.services.accounts)
        if let household = try await hub.household(), !household.isDemo {
            throw RealHousehold(path: settings.dataFolder)
        }
        let password = SampleAccount.password(settings)
        try await runner.run { app in
            if try await hub.household() == nil {
                let adult = try await accounts.addAdult(
                    name: "Ines", email: SampleAccount.email, password: password,
                    household: SampleAccount.household(in: sampleLanguage), isDemo: true, language: sampleLanguage)
                for (name, face, birthYear) in [("Mila", "fox", 2017), ("Theo", "bear", 2020)] {
                    _ = try await accounts.addChild(
                        household: adult.household, name: name, birthYear: birthYear, face: face)
                }
                let household = try await hub.requiredHousehold()
                for companion in app.companions { try await companion.seedDemo(household: household) }
            } else {
                try await accounts.setPassword(email: SampleAccount.email, password: password)
            }
        } announce: {
            Terminal.say(Terminal.addresses(settings))
            await Terminal.sayLan(runner)
            Terminal.say("Sign in as \(SampleAccount.email) with the password \(password)")
            Terminal.say("Stop with Ctrl-C.")
        }
    }

    /// The language that was asked for, or that of the machine where the sample has it; else English.
    private var sampleLanguage: Language {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        // As POSIX writes it, `de_AT.UTF-8@euro` (8.2, Internationalization Variables).
        let tag = language ?? String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        return Language.preferred(acceptLanguage: tag, among: StringCatalog.hub.languages)
    }
}

/// The sample household does not move in with a real one.
private struct RealHousehold: Error, CustomStringConvertible {
    var path: String
    var description: String {
        "\(path) holds a real household. Start it with `tandem serve`, or give the sample another folder with --data."
    }
}
