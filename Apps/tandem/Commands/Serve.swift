import ArgumentParser
import Foundation
import HubKit
import HubServer

/// `tandem serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Starts the hub.",
        discussion: """
            Examples:
              tandem serve
              tandem serve --lan
              tandem serve --lan --name linden --https-port 8443 --data /var/lib/tandem
              tandem serve --lan --certificate fullchain.pem --key privkey.pem
              tandem serve --origin https://tandem.example.org --trusted-proxy 127.0.0.1
              tandem serve --legacy plants --legacy-host 192.168.1.20
              TANDEM_PORT=8081 tandem serve
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let (settings, web, level) = try await options.settings()
        let log = Log.start(level)
        let runner = try await HubProcess(settings: settings, web: web, log: log)
        let accounts = runner.services.accounts
        let isEmpty = try await accounts.isEmpty()
        try await runner.run {
            Terminal.say(Terminal.addresses(settings))
            await Terminal.sayLan(runner)
            for slug in settings.legacy.sorted() {
                if let legacy = companions.first(where: { $0.slug == slug })?.legacy {
                    Terminal.say(Terminal.legacy(slug, legacy, settings))
                }
            }
            if let plainHost = settings.plainMQTTHost {
                Terminal.say(
                    "For devices that speak no TLS, such as toys: plain MQTT on \(plainHost) port \(settings.plainMQTTPort). Whoever reads along in your network can pass for one of them, hear what it is sent and report as it. Nothing else is answered there."
                )
            }
            if settings.isMQTTOpen { Terminal.say("MQTT IS OPEN: anybody on this machine may publish and subscribe.") }
            if isEmpty {
                Terminal.say("First account: open the page and type this code: \(accounts.foundingCode())")
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
        let isEverywhere = ["0.0.0.0", "::"].contains(settings.host)
        let host =
            settings.isPlainLoopback
            ? "localhost"
            : isEverywhere
                ? ProcessInfo.processInfo.hostName : settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let address = settings.origin ?? "http://\(host):\(settings.port)"
        return "Tandem is at \(address), MQTT on port \(settings.mqttPort), data in \(settings.dataFolder)."
    }

    /// Where an original system's clients come to, what for, and why it is off unless asked for.
    static func legacy(_ slug: String, _ legacy: LegacyProtocol, _ settings: HubSettings) -> String {
        guard !legacy.topics.isEmpty else {
            let address = settings.legacyHost.flatMap { host in
                settings.legacyHTTPPort.map { " plain HTTP on \(host) port \($0), for its own routes alone." }
            }
            return "Legacy \(slug):\(address ?? "") \(legacy.risk)"
        }
        let topics = legacy.topics.map(\.name).joined(separator: " and ")
        let port = settings.legacyHost == nil ? settings.mqttPort : settings.legacyPort
        let reach = settings.isLegacyLoopback ? " Only this machine reaches it: phones want --legacy-host." : ""
        return
            "Legacy \(slug): plain MQTT on \(settings.legacyHost ?? settings.host) port \(port), for \(topics) alone.\(reach) \(legacy.risk)"
    }

    /// The one address for phones, as text and as a QR code, and how to trust it.
    static func sayLan(_ runner: HubProcess) async {
        guard let lan = runner.lan?.lan, let named = runner.hub.settings.origin else { return }
        // A code with a name that nothing announces would lead nowhere.
        await lan.announcement?.waitForFirstAttempt()
        let origin = lan.reachable(named)
        say("")
        for line in QRCode(origin)?.terminalLines ?? [] { say(line) }
        say("On phones: \(origin)")
        if origin != named, let announcement = lan.announcement {
            say(announcement.state.words)
            say("So the address has this machine’s number, which may change when your router starts anew.")
        } else if let numbered = lan.numbered {
            say("Where a phone does not find that name, as older ones with Android: \(numbered)")
        }
        if let authority = lan.authority {
            say("A phone that does not know this hub yet warns once; the page shows how to trust it. Fingerprint:")
            let pairs = "\(authority.fingerprint)".split(separator: ":")
            say("  " + pairs.prefix(16).joined(separator: " "))
            say("  " + pairs.dropFirst(16).joined(separator: " "))
        }
        say("MQTT with TLS: \(lan.hostName) port \(runner.lan?.settings.mqttsPort ?? 0).")
        say("")
    }
}
