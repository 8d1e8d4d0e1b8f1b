import Admission
import GRDB
import HubKit
import Localization
import Storage

/// Calls to hosts that an adult has chosen. Companions have no way here: what they may call they declare.
extension Outbound {
    /// Checks a host that an adult is choosing; nothing is sent. A name that cannot be looked up at the moment passes: it is
    /// looked up again for each call.
    ///
    /// - Throws: `ChosenHost.Fault`.
    package func check(_ host: ChosenHost) async throws(ChosenHost.Fault) {
        guard host.houseAddress == nil else { return }
        guard let all = try? await policy.resolve(host.host) else { return }
        guard let wrong = all.first(where: { !policy.isAllowed($0) }) else { return }
        if wrong.isInHouse { throw .isInHouse(name: host.host, address: wrong.description) }
        throw .refused(LocalizedText("\(host.host) leads to \(wrong.description), which is not on the internet"))
    }

    /// Sends a request to a host that an adult has chosen for its purpose; otherwise like ``send(_:)``.
    ///
    /// The host is looked for among those that are stored at this moment, with scheme and port. A connection to a name in the
    /// house is made to the address that the adult named.
    ///
    /// - Throws: `OutboundError`, or `CancellationError`.
    package func sendToChosen(_ call: OutboundCall) async throws -> OutboundAnswer {
        guard let use = OutboundUse.chosen.first(where: { $0.purpose == call.purpose }) else {
            throw OutboundError.refused(LocalizedText("nobody has chosen a host for this"))
        }
        let chosen = try await chosenHosts(call.purpose, household: call.household)
        let target = try Self.target(of: call.url, among: chosen)
        return try await send(call, to: target, for: use)
    }

    /// The hosts that a household has chosen for a purpose.
    func chosenHosts(_ purpose: String, household: String) async throws -> [ChosenHost] {
        try await database.pool.read { db in try ChosenHosts.all(purpose, household: household, db) }
    }

    private static func target(of url: String, among chosen: [ChosenHost]) throws(OutboundError) -> OutboundTarget {
        for host in chosen {
            guard let (own, path) = try? ChosenHost.parse(url, houseAddress: host.houseAddress?.description),
                own == host
            else { continue }
            return host.target(path: path)
        }
        throw .refused(LocalizedText("nobody has chosen this host"))
    }
}
