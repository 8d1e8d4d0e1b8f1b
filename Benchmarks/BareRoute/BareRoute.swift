import Hummingbird

/// A web server with two routes that do nothing: what `Benchmarks/toy_legacy.py` and `json_route.py` measure the hub's own routes
/// beside. One answers "ok", the other so many bytes of JSON, which are made once.
///
///     bare-route 8090 10240
@main
struct BareRoute {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let port = numbers.first ?? 8_090
        let count = numbers.dropFirst().first ?? 10_240
        let json = ByteBuffer(string: "\"" + String(repeating: "a", count: max(count - 2, 0)) + "\"")
        let router = Router()
        router.get("/") { _, _ in "ok" }
        router.get("/json") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: json))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }
}
