import Foundation
import HubKit
import Logging
import MQTTServer
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Puts the house together and keeps it standing until it is told to stop.
struct HubRunner {
    let hub: Hub
    let web: WebFolder?
    let lock: DataFolder.Lock
    let log: Logger

    /// How long a stop may take before what is left is cancelled. Everything stored is stored by then.
    private static let shutdownTime = Duration.milliseconds(1_500)

    /// Opens the data folder for this hub alone.
    ///
    /// - Throws: `DataFolderError`, `HubDatabaseError` or `WebFolderError`, in words.
    init(settings: HubSettings, web: String?, log: Logger) throws {
        let folder = try DataFolder(path: settings.dataFolder)
        lock = try folder.lock()
        hub = try Hub(settings: settings, log: log)
        self.web = try WebFolder.find(named: web).map { try WebFolder(path: $0) }
        self.log = log
        if self.web == nil { log.warning("no screens found: run `make web`, or name them with --web") }
    }

    /// Runs until SIGTERM or SIGINT: finishes what is in flight, commits, and returns.
    ///
    /// - Parameter announce: called once requests are answered.
    func run(prepare: (House) async throws -> Void = { _ in }, announce: @escaping @Sendable () async -> Void)
        async throws
    {
        let house = try await House(hub: hub, companions: companions)
        try await prepare(house)
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let door = try await loop.submit { NIOLoopBound(try HouseDoor(house: house, loop: loop), eventLoop: loop) }
            .get()
        let listener = MQTTListener(
            configuration: .init(host: hub.settings.host, port: hub.settings.mqttPort), loop: loop, host: door,
            logger: log)
        do {
            try await listener.start()
        } catch let error as ListenerError {
            if case .portInUse(_, let port) = error { throw PortInUse(port: port, flag: "--mqtt-port") }
            throw error
        }
        let server = HubServer(house: house, web: web) { _ in await announce() }
        // Stopped in the reverse order: pages first, the database last.
        let services = [DatabaseService(hub: hub), listener] + house.companions.flatMap(\.services) + [server]
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: Log.quiet)
        configuration.maximumGracefulShutdownDuration = Self.shutdownTime
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw PortInUse(port: hub.settings.port, flag: "--port")
        }
        log.info("the hub has stopped")
    }
}

/// Holds the database until everything that writes has stopped.
private struct DatabaseService: Service {
    let hub: Hub

    func run() async throws {
        try? await gracefulShutdown()
        try hub.database.close()
    }
}

/// Another program has the port.
struct PortInUse: Error, CustomStringConvertible {
    var port: Int
    var flag: String
    var description: String {
        "port \(port) is in use by another program. Stop that program, or choose another port with \(flag)."
    }
}
