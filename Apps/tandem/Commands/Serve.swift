import ArgumentParser
import Foundation
import HubKit

/// `tandem serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts the hub.",
        discussion: """
            Examples:
              tandem serve
              tandem serve --host 0.0.0.0 --port 8080 --mqtt-port 1883 --data /var/lib/tandem
              tandem serve --legacy plants
              TANDEM_PORT=8081 tandem serve
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let (settings, web, level) = try await options.settings()
        let log = Log.start(level)
        let runner = try HubRunner(settings: settings, web: web, log: log)
        let hub = runner.hub
        let isEmpty = try await hub.accounts.isEmpty()
        try await runner.run {
            Terminal.say(Terminal.addresses(settings))
            for slug in settings.legacy.sorted() {
                if let legacy = companions.first(where: { $0.slug == slug })?.legacy {
                    Terminal.say("Legacy \(slug): \(legacy.risk)")
                }
            }
            if settings.isMQTTOpen { Terminal.say("MQTT IS OPEN: anybody on this machine may publish and subscribe.") }
            if isEmpty {
                Terminal.say("First account: open the page and type this code: \(hub.accounts.foundingCode())")
            }
            Terminal.say("Stop with Ctrl-C.")
        }
    }
}

/// What the hub says to whoever started it.
enum Terminal {
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    static func addresses(_ settings: HubSettings) -> String {
        let host =
            settings.isLoopback
            ? "localhost" : settings.host == "0.0.0.0" ? ProcessInfo.processInfo.hostName : settings.host
        return
            "Tandem is at http://\(host):\(settings.port), MQTT on port \(settings.mqttPort), data in \(settings.dataFolder)."
    }
}
