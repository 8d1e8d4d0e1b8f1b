import Admission
import ArgumentParser
import Configuration
import Foundation
import HubKit
import HubServer
import TLS

/// How the hub is reached from phones and devices of the local network.
struct LANOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Listens on the local network: HTTPS and MQTT with TLS. The plain ports stay on loopback. (default: no)")
    var lan: Bool?

    @Option(help: "The port of HTTPS with --lan. (default: 8443)")
    var httpsPort: Int?

    @Option(help: "The port of MQTT with TLS with --lan. (default: 8883)")
    var mqttsPort: Int?

    @Option(
        help: ArgumentHelp(
            "The hub’s name on the network, linden for linden.local. (default: the machine’s at the first start, kept)",
            valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A certificate of your own with its chain, PEM, in place of the hub’s authority.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The key of --certificate, PEM.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The address of the pages where it is another than https://<name>.local:<port>, such as a proxy’s.",
            valueName: "url"))
    var origin: String?

    @Option(
        help: ArgumentHelp(
            "Reverse proxies whose X-Forwarded- headers are believed: addresses or ranges, 10.0.0.0/8, with commas.",
            valueName: "ranges"))
    var trustedProxy: String?

    /// What was given on the command line, by configuration key.
    var flags: [(String, ConfigContent?)] {
        [
            ("lan", lan.map { .bool($0) }), ("https.port", httpsPort.map { .int($0) }),
            ("mqtts.port", mqttsPort.map { .int($0) }), ("name", name.map { .string($0) }),
            ("certificate", certificate.map { .string($0) }), ("key", key.map { .string($0) }),
            ("origin", origin.map { .string($0) }), ("trusted.proxy", trustedProxy.map { .string($0) }),
        ]
    }

    /// Puts what flags, environment and file say into the settings.
    func read(_ reader: ConfigReader, into settings: inout HubSettings) throws {
        if reader.bool(forKey: "lan", default: false) {
            var lan = LANSettings()
            lan.httpsPort = reader.int(forKey: "https.port", default: lan.httpsPort)
            lan.mqttsPort = reader.int(forKey: "mqtts.port", default: lan.mqttsPort)
            try checkedPort(lan.httpsPort, flag: "--https-port")
            try checkedPort(lan.mqttsPort, flag: "--mqtts-port")
            guard lan.httpsPort != 0 else {
                throw ValidationError("--https-port is a number between 1 and 65535: phones keep the address.")
            }
            lan.name = try reader.string(forKey: "name").map { text in
                guard let name = HubName(text) else {
                    throw ValidationError(
                        "--name is a word of letters, digits and hyphens, such as linden. “\(text)” is not.")
                }
                return name.label
            }
            switch (reader.string(forKey: "certificate"), reader.string(forKey: "key")) {
            case (let certificate?, let key?): lan.ownCertificate = (certificate, key)
            case (nil, nil): break
            default: throw ValidationError("--certificate and --key go together: the certificate’s file and its key’s.")
            }
            settings.lan = lan
        } else if let flag = ["name", "certificate", "key"].first(where: { reader.string(forKey: .init($0)) != nil }) {
            throw ValidationError("--\(flag) goes with --lan, which lets the local network in.")
        }
        settings.origin = try reader.string(forKey: "origin").map(Self.checked(origin:))
        settings.trustedProxies = try reader.string(forKey: "trusted.proxy", default: "").split(separator: ",").map {
            let text = $0.trimmingCharacters(in: .whitespaces)
            guard let range = IPRange(text) else {
                throw ValidationError("--trusted-proxy takes addresses and ranges such as 10.0.0.0/8, not “\(text)”.")
            }
            return range
        }
    }

    /// `https://host` or `https://host:port`, and nothing after it.
    static func checked(origin: String) throws -> String {
        let text = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), ["https", "http"].contains(scheme), !host.isEmpty,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil
        else {
            throw ValidationError("--origin is an address such as https://tandem.example.org. “\(origin)” is not.")
        }
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw ValidationError(
                "--origin is written as browsers send it: “\(host)” begins with xn-- there. `idn2 \(host)` tells how it goes on."
            )
        }
        guard parts.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw ValidationError("--origin has a port from 1 to 65535, or none. That of “\(origin)” is neither.")
        }
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(spelled(host))\(port)"
    }

    /// A host in the one spelling that browsers use: an address of IPv6 as RFC 5952 writes it, a name without the dot at its
    /// end.
    private static func spelled(_ host: String) -> String {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if let address = IPAddress(bare) { return "\(address)".contains(":") ? "[\(address)]" : "\(address)" }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
