import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The hub over HTTP: the API, the live socket and the screens, on one port.
public struct HubServer: Service {
    private let house: House
    private let web: WebFolder?
    private let group: any EventLoopGroup
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameter onRunning: called with the port once requests are answered.
    public init(
        house: House, web: WebFolder?, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.house = house
        self.web = web
        self.group = group
        self.onRunning = onRunning
    }

    /// Everything that the hub answers.
    func router() -> Router<HubRequestContext> {
        let router = Router(context: HubRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware())
        let book = RouteBook()
        let routes = Routes(hub: house.hub, router: router, book: book)
        AccountRoutes(hub: house.hub, companions: house.summaries).add(to: routes)
        DeviceRoutes(house: house).add(to: routes)
        HouseRoutes(house: house, book: book).add(to: routes)
        for companion in house.companions { companion.addRoutes(to: routes) }
        let web = web
        // The wildcard wants at least one part: the page itself stands beside it.
        for places: RouterPath in ["/", "/**"] {
            router.get(places) { request, context in
                do {
                    guard let web else {
                        throw Problem(
                            .notFound, "No screens",
                            "This hub was started without its screens. Run `make web`, or name them with --web.")
                    }
                    return try web.reply(request.uri.path, ifNoneMatch: request.headers[.ifNoneMatch]).response
                } catch let problem as Problem {
                    return try problem.response(from: request, context: context)
                }
            }
        }
        return router
    }

    public func run() async throws {
        let settings = house.hub.settings
        let socket = LiveSocket(hub: house.hub)
        let onRunning = onRunning
        var log = house.hub.log
        // Hummingbird greets and says good-bye on its own; the hub has said it already.
        log.logLevel = max(log.logLevel, .warning)
        let application = Application(
            router: router(),
            server: .init { responder in HTTP1WebSocketChannel(responder: responder, socket: socket) },
            configuration: .init(address: .hostname(settings.host, port: settings.port), serverName: "Tandem"),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? settings.port) },
            eventLoopGroupProvider: .shared(group), logger: log)
        try await application.run()
    }
}
