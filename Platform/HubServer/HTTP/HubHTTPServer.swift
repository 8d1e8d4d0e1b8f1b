import Accounts
import Archive
import Backups
import Foundation
import HTTPTypes
import HubKit
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Outbound
import Passkeys
import Push
import ServiceLifecycle
import Synchronization
import TLS

/// The hub's HTTP server: the API, the live socket and the screens, on a plain port and, with `--lan`, on one with TLS.
public struct HubHTTPServer: Service {
    private let app: HubApplication
    private let web: WebFolder?
    private let lan: LAN?
    private let acceptor: TLSAcceptor?
    private let mqtt: MQTTSocket?
    private let group: any EventLoopGroup
    private let onRunning: @Sendable () async -> Void

    /// Creates the server.
    ///
    /// - Parameters:
    ///   - app: the hub with its companions.
    ///   - web: the screens; nil without them.
    ///   - lan: the hub on the local network; nil without it.
    ///   - acceptor: adds TLS to the connections of the network's port; nil opens no such port.
    ///   - mqtt: the MQTT endpoint over WebSocket; nil without one.
    ///   - group: the event loops.
    ///   - onRunning: called once requests are answered on all ports.
    public init(
        app: HubApplication, web: WebFolder?, lan: LAN? = nil, acceptor: TLSAcceptor? = nil, mqtt: MQTTSocket? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        onRunning: @escaping @Sendable () async -> Void = {}
    ) {
        self.app = app
        self.web = web
        self.lan = lan
        self.acceptor = acceptor
        self.mqtt = mqtt
        self.group = group
        self.onRunning = onRunning
    }

    /// The router with all routes.
    package func router() -> Router<HubRequestContext> { router(RouteCatalog()) }

    /// The OpenAPI document, as `/openapi.json` returns it.
    ///
    /// - Throws: `SchemaError` for a type without a schema.
    public func openAPI() throws -> Data {
        let catalog = RouteCatalog()
        _ = router(catalog)
        return try catalog.openAPI(version: HubVersion.current, companions: app.summaries.map(\.slug))
    }

    private func router(_ catalog: RouteCatalog) -> Router<HubRequestContext> {
        let legacy = LegacyPaths(app.deviceContext.legacy.map(\.protocol))
        let router = Router(context: HubRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AnswerCounts(counts: app.hub.counts))
        router.add(middleware: ProblemMiddleware(catalog: app.sentences, legacy: legacy))
        let services = app.services
        let mount = RouteMount(
            services: services, router: router, catalog: catalog, sentences: app.sentences)
        let routes = Routes { mount.mount($0) }
        let lan = lan
        let accounts = AccountContext(accounts: services.accounts, companions: app.summaries) { origin, source in
            lan?.reachable(origin, from: source) ?? origin
        }
        accounts.addRoutes(to: routes)
        PasskeyContext(passkeys: services.passkeys, accounts: accounts).addRoutes(to: routes)
        app.deviceContext.addRoutes(to: routes)
        app.homeAssistant.addRoutes(to: routes)
        app.bluetooth.addRoutes(to: routes)
        app.firmware.addRoutes(to: routes)
        HubApplicationRoutes(app: app, catalog: catalog, lan: lan).add(to: routes)
        WelcomeRoutes(services: services, lan: lan).add(to: routes)
        WaitingRoutes().add(to: routes)
        app.reminderContext.addRoutes(to: routes)
        MetricsRoutes(hub: app.hub).add(to: routes)
        BackupRoutes(backups: app.services.backups).add(to: routes)
        ArchiveRoutes(archives: app.services.archives).add(to: routes)
        PushRoutes(push: services.push).add(to: routes)
        ChannelRoutes(push: services.push).add(to: routes)
        MailAccountRoutes(push: services.push).add(to: routes)
        app.webhooks.addRoutes(to: routes)
        OutboundRoutes(outbound: services.outbound).add(to: routes)
        ReleaseRoutes(releases: Releases(hub: app.hub, outbound: services.outbound)).add(to: routes)
        app.addCompanionRoutes(to: routes)
        for (companion, legacy) in app.deviceContext.legacy {
            for route in legacy.routes {
                routes.on(route.method, route.path, .anyone, route.summary) { request in
                    try await companion.answer(route, request)
                }
            }
        }
        let web = web
        // The wildcard wants at least one part: the page itself stands beside it.
        for places: RouterPath in ["/", "/**"] {
            router.get(places) { request, context in
                guard let web else {
                    throw Problem(
                        .notFound, "No screens",
                        "This hub was started without its screens. Run `make web`, or name them with --web.")
                }
                let source = RequestSource(request, context, hub: app.hub)
                return try web.response(
                    request.uri.path, to: request.headers, isIsolated: source.isTrustworthy
                ).httpResponse
            }
        }
        return router
    }

    /// Serves until graceful shutdown.
    public func run() async throws {
        let settings = app.hub.settings
        let socket = LiveSocket(services: app.services)
        let responder = router().buildResponder()
        let limits = settings.connectionLimits
        let connections = OpenConnections(maximum: limits.total, maximumPerPeer: limits.perPeer)
        let streams = OpenConnections(maximum: limits.streams, maximumPerPeer: limits.streamsPerPeer)
        let lan = lan
        let mqtt = mqtt
        let legacy = LegacyPaths(app.deviceContext.legacy.map(\.protocol))
        let hosts = OwnHosts(
            settings: settings, legacy: legacy, hints: app.services.proxyHints, certificateNames: { lan?.names ?? [] })
        var ports = [
            Port(
                number: settings.port, flag: "--port", host: settings.host,
                server: .init { responder in
                    CountedChannel(
                        HTTP1WebSocketChannel(
                            responder: responder, socket: socket, mqtt: mqtt, hosts: hosts, limits: limits),
                        connections: connections, limits: limits, isShared: settings.isShared)
                })
        ]
        if let acceptor, let lan, let network = settings.lan {
            let plain = PlainHTTPResponder(origin: settings.origin ?? "", lan: lan)
            ports.append(
                Port(
                    number: network.httpsPort, flag: "--https-port", host: network.host,
                    server: .init { responder in
                        CountedChannel(
                            HTTPSChannel(
                                acceptor: acceptor, responder: responder, socket: socket, mqtt: mqtt, plain: plain,
                                hosts: hosts,
                                limits: limits, streams: streams),
                            connections: connections, limits: limits, isShared: settings.isShared)
                    }))
        }
        if let legacyHost = settings.legacyHost, let number = settings.legacyHTTPPort {
            let hosts = OwnHosts(settings: settings, legacy: legacy, isForLegacyAlone: true)
            ports.append(
                Port(
                    number: number, flag: "--legacy-http-port", host: legacyHost,
                    server: .init { responder in
                        CountedChannel(
                            HTTP1WebSocketChannel(responder: responder, socket: socket, hosts: hosts, limits: limits),
                            connections: connections, limits: limits, isShared: settings.isShared)
                    }))
        }
        let waiting = Countdown(from: ports.count)
        let onRunning = onRunning
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for port in ports {
                tasks.addTask {
                    try await serve(responder, on: port) { if waiting.isLast() { await onRunning() } }
                }
            }
            let memory = Task { await MemoryTrimmer.run() }
            defer { memory.cancel() }
            // A port that fails ends the others; a graceful shutdown reaches each.
            for try await _ in tasks {}
        }
    }

    /// A countdown that tells the last of several listeners.
    private final class Countdown: Sendable {
        private let left: Atomic<Int>

        init(from count: Int) { left = Atomic(count) }

        func isLast() -> Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }
    }

    private struct Port {
        var number: Int
        var flag: String
        var host: String
        var server: HTTPServerBuilder
    }

    private func serve(
        _ responder: some HTTPResponder<HubRequestContext>, on port: Port,
        onRunning: @escaping @Sendable () async -> Void
    ) async throws {
        var log = app.hub.log
        // Hummingbird greets and says good-bye on its own; the hub has said it already.
        log.logLevel = max(log.logLevel, .warning)
        let application = Application(
            responder: responder, server: port.server,
            configuration: .init(address: .hostname(port.host, port: port.number), serverName: "Tandem"),
            onServerRunning: { _ in await onRunning() }, eventLoopGroupProvider: .shared(group), logger: log)
        do {
            try await application.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw PortInUse(port: port.number, flag: port.flag)
        } catch let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM {
            throw PortNotPermitted(port: port.number, flag: port.flag)
        }
    }
}

/// An error for a port that another program uses.
public struct PortInUse: Error, CustomStringConvertible {
    /// The port.
    public var port: Int
    /// The command-line flag that chooses another port.
    public var flag: String

    /// Creates the error.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - flag: the flag with its dashes, such as `--port`.
    public init(port: Int, flag: String) {
        self.port = port
        self.flag = flag
    }

    public var description: String {
        "port \(port) is in use by another program. Stop that program, or choose another port with \(flag)."
    }
}

/// An error for a port that wants more rights than the hub has.
public struct PortNotPermitted: Error, CustomStringConvertible {
    /// The port.
    public var port: Int
    /// The command-line flag that chooses another port.
    public var flag: String

    public var description: String {
        """
        port \(port) (\(flag)) wants more rights than the hub has. Let it listen there, as root by \
        sysctl net.ipv4.ip_unprivileged_port_start=\(port), or choose a port above 1023.
        """
    }
}
