import Foundation
import HubKit
import HubServer
import Logging
import NIOCore
import ServiceLifecycle
import Storage
import TLS

/// What `--lan` adds to the hub: its name, its certificate and what keeps it, TLS for both listeners.
struct LANParts {
    let lan: LAN
    let keeper: CertificateKeeper
    let https: TLSAcceptor
    let mqtts: TLSAcceptor
    let settings: LANSettings

    /// Reads or makes the authority and the hub's certificate.
    ///
    /// - Parameter settings: its `origin` is set where nobody has.
    /// - Throws: `AuthorityError`, `OwnCertificateError` or `HubNameError`, in words for whoever started the hub.
    init(_ lanSettings: LANSettings, settings: inout HubSettings, database: HubDatabase, log: Logger) async throws {
        let network = LocalNetwork.current()
        var lanSettings = lanSettings
        // A socket of both families wants a system that has IPv6.
        if !network.addresses.contains(where: { $0.bytes.count == 16 }) { lanSettings.host = "0.0.0.0" }
        self.settings = lanSettings
        let port = lanSettings.httpsPort
        if let files = lanSettings.ownCertificate {
            let own = OwnCertificate(
                certificateFile: files.certificate, keyFile: files.key,
                name: settings.origin.flatMap { URLComponents(string: $0)?.host })
            keeper = try CertificateKeeper(own: own, logger: log)
            let hostName = settings.origin.flatMap { URLComponents(string: $0)?.host } ?? keeper.subjects.names[0]
            settings.origin = settings.origin ?? Self.origin(hostName, port: port)
            lan = LAN(hostName: hostName, keeper: keeper)
        } else {
            var renamedFrom: HubName?
            let name = try HubName.keep(
                lanSettings.name.flatMap { HubName($0) }, hostName: network.hostName, dataFolder: settings.dataFolder,
                renamed: { old in renamedFrom = old })
            let settingsStore = SettingsStore(database: database)
            let folder = AuthorityFolder(dataFolder: settings.dataFolder)
            let authority = try folder.open(
                hubName: name.label, hostNames: [network.hostName],
                remembered: try await settingsStore.get(.authorityFingerprint), now: Date())
            try await settingsStore.set(.authorityFingerprint, "\(authority.fingerprint)")
            keeper = try CertificateKeeper(folder: folder, authority: authority, hubName: name, logger: log)
            // An origin of the owner's stays the address, whatever the hub is called.
            if let renamedFrom, settings.origin == nil {
                log.warning("\(Self.renamed(from: renamedFrom, to: name, port: port))")
            }
            let isOriginChosen = settings.origin != nil
            settings.origin = settings.origin ?? Self.origin(name.local, port: port)
            lan = LAN(
                hostName: name.local, keeper: keeper,
                announcement: Announcement(
                    hostName: name.local, port: port, addresses: { LocalNetwork.current().announced }, log: log),
                originByNumber: {
                    isOriginChosen ? nil : LocalNetwork.current().announced.first.map { Self.origin($0, port: port) }
                })
        }
        let keeper = keeper
        https = TLSAcceptor(logger: log) { try keeper.context(applicationProtocols: ["h2", "http/1.1"]) }
        let limits = settings.messageLimits
        let handshakes = TLSAcceptor.Limits(
            halfOpen: limits.halfOpenConnections, halfOpenPerPeer: limits.halfOpenConnectionsPerAddress)
        mqtts = TLSAcceptor(limits: handshakes, logger: log) { try keeper.context(applicationProtocols: []) }
    }

    /// What runs as long as the hub does.
    var services: [any Service] { [keeper] + (lan.announcement.map { [$0] } ?? []) }

    private static func renamed(from old: HubName, to name: HubName, port: Int) -> String {
        """
        The hub’s address was \(origin(old.local, port: port)) and is now \(origin(name.local, port: port)), because of \
        --name, and stays so. Apps that phones have installed from the old address do not find the hub any more, and \
        what they have not delivered yet waits there. To go back, start it once with --name \(old.label)
        """
    }

    private static func origin(_ host: String, port: Int) -> String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? "https://\(host)" : "https://\(host):\(port)"
    }
}
