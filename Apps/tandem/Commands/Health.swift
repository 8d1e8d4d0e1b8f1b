import ArgumentParser
import ClientKit
import HubServer

/// `tandem health`
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks the hub on this machine whether it answers and its database does.",
        discussion: """
            For whatever watches over the hub, such as a container’s health check. It finds the hub by the same settings as \
            `serve`: flags, environment, file. Exits with 1 when the hub is not well.

            Example:
              tandem health
              tandem health --port 8081
            """)

    @OptionGroup var options: ServeOptions

    private struct Answer: Decodable {
        var status: String
    }

    func run() async throws {
        let (settings, _, _) = try await options.settings()
        let host = settings.loopbackHost
        let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(settings.port)"
        let answer = try await HubClient.stranger(url: url).get("/healthz", as: Answer.self)
        print("The hub at \(url) says: \(answer.status)")
    }
}
