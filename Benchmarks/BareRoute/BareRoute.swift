import Hummingbird

/// A web server with one route that does nothing: what `Benchmarks/toy_legacy.py` measures the hub's own routes beside.
///
///     bare-route 8090
@main
struct BareRoute {
    static func main() async throws {
        let router = Router()
        router.get("/") { _, _ in "ok" }
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8_090
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }
}
