import Accounts
import Admission
import Backups
import Bluetooth
import Devices
import Diagnosis
import Foundation
import HomeAssistant
import HubKit
import HubServer
import Localization
import Logging
import MQTTServer
import NIOCore
import NIOPosix
import Outbound
import Push
import Readings
import Reminders
import ServiceLifecycle
import Storage
import TLS

/// Assembles the app, and runs it until it is stopped.
struct HubProcess {
    var hub: HubContext { services.hub }
    /// What the server has beside it.
    let services: ServerContext
    let lan: LANParts?
    let web: WebFolder?
    /// What all companions say.
    private let sentences: StringCatalog
    let lock: DataFolder.Lock
    let log: Logger

    /// How long a stop may take before what is left is cancelled. Everything stored is stored by then.
    private static let shutdownTime = Duration.milliseconds(1_500)

    /// Opens the data folder for this hub alone.
    ///
    /// - Throws: `TooFewFiles`, `DataFolderError`, `StartFault`, `HubDatabaseError`, `WebFolderError` or what `LANParts` throws, in words.
    init(settings: HubSettings, web: String?, log: Logger) async throws {
        var settings = settings
        let budget = try FileBudget(
            files: OpenFileLimit.raise(), processors: ProcessInfo.processInfo.activeProcessorCount,
            pages: settings.connectionLimits, messages: settings.messageLimits)
        settings.connectionLimits = budget.limited(settings.connectionLimits)
        settings.messageLimits = budget.limited(settings.messageLimits)
        let folder = try DataFolder(path: settings.dataFolder)
        // Whatever this process makes is for its user alone.
        umask(0o077)
        lock = try folder.lock(isWatched: !DiskKindCheck(folder: folder.path).isOwn())
        for path in folder.tighten() {
            log.notice(
                "other users of this machine could read this; now only this one can", metadata: ["path": "\(path)"])
        }
        folder.sweepParts()
        do throws(BackupError) {
            if let aside = try Restoration.takeOver(in: folder, now: HubClock.system.now()) {
                log.notice("a backup was taken over; what was here before is kept", metadata: ["folder": "\(aside)"])
            }
        } catch {
            // Half of one hub and half of another is none.
            if case .halfDone = error { throw error }
            log.error("\(error) The hub goes on with what it has.")
        }
        try StartChecks(folder: folder).run(log)
        // These three wait for nothing of each other, and take most of the time of a start.
        let packing = settings.dataFolder
        async let screens = WebFolder.find(named: web).map { try WebFolder(path: $0, packing: packing) }
        async let sentences = HubApplication.readSentences(of: companions)
        let database = try HubDatabase(path: folder.databasePath, migrations: Registry.migrations)
        database.mend(Registry.migrations, log)
        if let lanSettings = settings.lan {
            lan = try await LANParts(lanSettings, settings: &settings, database: database, log: log)
        } else {
            lan = nil
        }
        services = ServerContext(hub: HubContext(database: database, settings: settings, log: log))
        self.web = try await screens
        self.sentences = await sentences
        self.log = log
        if self.web == nil { log.warning("no screens found: run `make web`, or name them with --web") }
    }

    /// Runs until SIGTERM or SIGINT: finishes what is in flight, commits, and returns.
    ///
    /// - Parameter announce: called once requests are answered.
    func run(prepare: (HubApplication) async throws -> Void = { _ in }, announce: @escaping @Sendable () async -> Void)
        async throws
    {
        let app = try await HubApplication(services: services, companions: companions, sentences: sentences)
        try await prepare(app)
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let delegate = try await loop.submit {
            NIOLoopBound(
                try HubBrokerDelegate(
                    context: app.deviceContext, loop: loop, foreign: app.homeAssistant, boards: app.firmware),
                eventLoop: loop)
        }
        .get()
        // Before the first message can come.
        try await app.homeAssistant.prepare()
        try await app.firmware.prepare()
        app.homeAssistant.broker.attach(loop: loop, delegate: delegate)
        let listener = MQTTListener(configuration: listenerConfiguration, loop: loop, delegate: delegate, logger: log)
        do {
            try await listener.start()
        } catch let error as ListenerError {
            if case .portInUse(let host, let port) = error {
                throw PortInUse(port: port, flag: flag(ofHost: host, port: port))
            }
            throw error
        }
        let server = HubHTTPServer(
            app: app, web: web, lan: lan?.lan, acceptor: lan?.https,
            mqtt: MQTTSocket(settings: hub.settings) { channel, address, isShared, onAdmitted in
                try listener.serve(channel, address: address, isShared: isShared, onAdmitted: onAdmitted)
            }, onRunning: announce)
        // Stopped in the reverse order: pages first, the database last.
        var running: [any Service] = [DatabaseService(hub: hub), listener]
        running += lan?.services ?? []
        running.append(AccountHousekeeping(hub: services.hub, accounts: services.accounts))
        running.append(RetentionService(app: app))
        running.append(StorageWatch(hub: hub))
        running.append(IntegrityWatch(hub: hub))
        running.append(FolderOwner(lock: lock, folder: hub.settings.dataFolder))
        running.append(SealingService(hub: hub))
        running.append(services.backups)
        running.append(services.archives)
        running.append(PushService(push: services.push))
        running.append(PushService(channels: services.push.channels))
        running += app.companionServices
        running.append(HomeAssistantService(home: app.homeAssistant))
        running.append(ReleaseService(releases: Releases(hub: hub, outbound: services.outbound)))
        running.append(WebhookService(webhooks: app.webhooks))
        running.append(BluetoothService(bluetooth: app.bluetooth))
        running.append(ReminderService(context: app.reminderContext))
        running.append(server)
        running.append(StopDeadline(log: log))
        // Named by their types: the name they get by themselves is a description of all that they hold.
        var configuration = ServiceGroupConfiguration(
            services: running.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: Log.quiet)
        configuration.maximumGracefulShutdownDuration = Self.shutdownTime
        try await ServiceGroup(configuration: configuration).run()
        log.info("the hub has stopped")
    }

    /// The flag that moves an MQTT listener elsewhere.
    private func flag(ofHost host: String, port: Int) -> String {
        let settings = hub.settings
        if port == settings.legacyPort, host == settings.legacyHost { return "--legacy-port" }
        if port == settings.plainMQTTPort, host == settings.plainMQTTHost { return "--plain-mqtt-port" }
        return port == settings.mqttPort ? "--mqtt-port" : "--mqtts-port"
    }

    private var listenerConfiguration: ListenerConfiguration {
        let settings = hub.settings
        var endpoints = [
            ListenerConfiguration.Endpoint(host: settings.host, port: settings.mqttPort, allowsAnonymous: true)
        ]
        if let legacyHost = settings.legacyHost {
            endpoints.append(
                .init(host: legacyHost, port: settings.legacyPort, allowsAnonymous: true, allowsNamed: false))
        }
        if let plainHost = settings.plainMQTTHost {
            endpoints.append(.init(host: plainHost, port: settings.plainMQTTPort, isForPlainDevices: true))
        }
        if let lan {
            let acceptor = lan.mqtts
            endpoints.append(
                .init(host: lan.settings.host, port: lan.settings.mqttsPort) { channel in
                    let address = channel.remoteAddress.flatMap { IPAddress($0) }
                    return acceptor.secure(channel, isShared: settings.isShared(address))
                })
        }
        var configuration = ListenerConfiguration(endpoints: endpoints, limits: settings.messageLimits)
        configuration.isShared = { settings.isShared(IPAddress($0)) }
        return configuration
    }
}

/// Holds the database until everything that writes has stopped.
private struct DatabaseService: Service {
    let hub: HubContext

    func run() async throws {
        try? await gracefulShutdown()
        try hub.database.close()
    }
}
