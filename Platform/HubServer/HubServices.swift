import HubKit
import Logging
import Storage

/// What the server has beside the ``Hub`` that companions see: accounts, devices, and what leaves the house.
public final class HubServices: Sendable {
    /// What companions have.
    public let hub: Hub
    /// People and their sign-ins.
    public let accounts: Accounts
    /// Devices and programs.
    public let devices: Devices
    /// Hosts beyond the house, and who may be called for what.
    public let outbound: Outbound
    /// Messages to phones whose page is closed.
    public let push: Push
    /// The hub's backups.
    public let backups: Backups
    /// The archive of all that the household has.
    public let archives: Archives
    /// Which page plays with which device.
    let channels: DeviceChannels
    /// How much children's profiles changed lately.
    let childChanges = ChildChanges()

    /// - Parameters:
    ///   - hub: its way out of the house is open from now on.
    ///   - policy: how the hub speaks to whom it may; another than this in tests only.
    public init(hub: Hub, outbound policy: OutboundPolicy = .internet) {
        let (database, settings, clock, log) = (hub.database, hub.settings, hub.clock, hub.log)
        let outbound = Outbound(policy: policy, database: database, clock: clock, log: log)
        self.hub = hub
        channels = DeviceChannels(counts: hub.counts)
        self.outbound = outbound
        accounts = Accounts(
            database: database, clock: clock, cost: settings.passwordCost, limits: settings.accountLimits,
            hasher: hub.passwords, log: log)
        devices = Devices(database: database, clock: clock)
        push = Push(
            database: database, clock: clock, outbound: outbound, live: hub.live,
            subject: VAPID.subject(origin: settings.origin), log: log)
        backups = Backups(hub: hub)
        archives = Archives(hub: hub)
        devices.install(Registry.companions)
        hub.outbound.open { call in try await outbound.send(call) }
    }

    /// Opens a data folder for a command that runs beside the hub.
    ///
    /// - Throws: `DataFolderError` or `HubDatabaseError`, in words for whoever typed the command.
    public convenience init(settings: HubSettings, log: Logger) throws {
        self.init(hub: try Hub(settings: settings, log: log))
    }
}
