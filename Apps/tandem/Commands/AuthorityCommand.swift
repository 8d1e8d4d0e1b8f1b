import ArgumentParser
import Foundation
import HubKit
import HubServer
import TLS

/// `tandem authority`
struct AuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority",
        abstract: "Prints the certificate of the hub’s own authority (PEM) and its fingerprint (SHA-256).",
        discussion: """
            Compare the fingerprint with what a phone shows before it trusts the hub. The hub may be running.

            Examples:
              tandem authority --data /var/lib/tandem
              tandem authority --fingerprint
              tandem authority > tandem.pem && mosquitto_pub --cafile tandem.pem -h linden.local -p 8883 ...
              tandem authority --new
              tandem authority --new --legacy toy
            """)

    @OptionGroup var data: DataOption

    @Flag(help: "Prints the fingerprint alone.") var fingerprint = false

    @Flag(help: "Makes another authority. Every phone and device has to be taught to trust it again.") var new = false

    @Flag(help: "With --new: does not ask.") var yes = false

    @Option(
        help: ArgumentHelp(
            "With --new: the certificate of --lan also has the names of this original system’s server, for apps that ask for them by HTTPS. Phones that trust the hub trust it for these names then.",
            valueName: "name"))
    var legacy: String?

    func run() async throws {
        let hub = try data.services().hub
        let folder = AuthorityFolder(dataFolder: data.folder)
        let authority: Authority
        let servers = try legacy.map { slug in
            guard new else { throw ValidationError("--legacy goes with --new: names are written into the authority.") }
            let hosts = companions.first { $0.slug == slug }?.legacy?.hosts ?? []
            guard !hosts.isEmpty else {
                let known = companions.filter { $0.legacy?.hosts.isEmpty == false }.map { $0.slug }
                throw ValidationError("--legacy knows \(known.joined(separator: ", ")) here, not “\(slug)”.")
            }
            return hosts
        }
        if new {
            try confirm()
            let network = LocalNetwork.current()
            let name = try HubName.keep(nil, hostName: network.hostName, dataFolder: data.folder)
            authority = try folder.replace(hubName: name.label, hostNames: [network.hostName], servers: servers ?? [])
            try await hub.settingsStore.set(.authorityFingerprint, "\(authority.fingerprint)")
        } else {
            let remembered = try await hub.settingsStore.get(.authorityFingerprint)
            try folder.putBack()
            guard let found = try folder.load(now: Date()) else {
                if let remembered { throw AuthorityError.gone(folder: folder.path, remembered: remembered) }
                throw NoAuthority()
            }
            authority = found
        }
        if fingerprint { return print(authority.fingerprint) }
        // Text after the certificate is left aside by whatever reads PEM (RFC 7468, 2).
        print(authority.pem.trimmingCharacters(in: .newlines))
        print("Fingerprint (SHA-256): \(authority.fingerprint)")
    }

    private func confirm() throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("--new asks before it acts; where nobody can answer, add --yes. Nothing was changed.")
        }
        print(
            "Every phone, computer and device that trusts this hub has to be taught again. Type yes to go on: ",
            terminator: "")
        guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes" else {
            throw ValidationError("Nothing was changed.")
        }
    }
}

/// There is nothing to print.
private struct NoAuthority: Error, CustomStringConvertible {
    var description: String {
        "This hub has no certificate authority yet. It makes one at its first start with --lan: tandem serve --lan"
    }
}
