import Accounts
import Archive
import Backups
import Devices
import HubKit
import Logging
import Outbound
import Passkeys
import Push
import Storage

/// The services of the server that companions do not see, besides their ``HubContext``: accounts, devices, requests to other
/// hosts.
public final class ServerContext: Sendable {
    /// The services that companions use.
    public let hub: HubContext
    /// The accounts and sign-ins.
    public let accounts: Accounts
    /// The adults' passkeys.
    public let passkeys: Passkeys
    /// The devices and integrations.
    public let devices: Devices
    /// The client for other hosts.
    public let outbound: Outbound
    /// The push messages to phones without an open page.
    public let push: Push
    /// The backups of the hub.
    public let backups: Backups
    /// The archives of the household's data.
    public let archives: Archives
    /// The channels between pages and devices.
    let channels: DeviceChannels
    /// The recent changes by children's profiles.
    let childChanges = ChildChanges()
    let proxyHints: ProxyHints

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - hub: the services for companions, whose client for other hosts is opened.
    ///   - policy: the rules for calls to other hosts; tests replace them.
    public init(hub: HubContext, outbound policy: OutboundPolicy = .internet) {
        let (database, settings, clock, log) = (hub.database, hub.settings, hub.clock, hub.log)
        proxyHints = ProxyHints(settings: settings, log: log)
        let outbound = Outbound(policy: policy, database: database, clock: clock, log: log)
        self.hub = hub
        channels = DeviceChannels(counts: hub.counts)
        self.outbound = outbound
        accounts = Accounts(
            database: database, clock: clock, cost: settings.passwordCost, limits: settings.accountLimits,
            hasher: hub.passwords, log: log)
        passkeys = Passkeys(database: database, clock: clock, accounts: accounts, log: log)
        devices = Devices(database: database, clock: clock, live: hub.live)
        push = Push(
            database: database, clock: clock, outbound: outbound, live: hub.live,
            origin: settings.origin, log: log)
        backups = Backups(hub: hub)
        archives = Archives(hub: hub)
        devices.install(Registry.companions)
        hub.outbound.open { call in try await outbound.send(call) }
    }

    /// Opens a data folder for a command that runs beside the hub.
    ///
    /// - Throws: `DataFolderError` or `HubDatabaseError`, in words for the person who typed the command.
    public convenience init(settings: HubSettings, log: Logger) throws {
        self.init(hub: try HubContext(settings: settings, log: log))
    }
}
