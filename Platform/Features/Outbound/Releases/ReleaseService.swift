import HubKit
import ServiceLifecycle

/// A service that asks for new versions when it is time to, until graceful shutdown.
public struct ReleaseService: Service {
    private let releases: Releases

    /// The time between two looks at the clock and at what an adult has decided, in seconds.
    private static let pause = Duration.seconds(600)

    /// Creates the service.
    public init(releases: Releases) { self.releases = releases }

    /// Runs until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            // Not while the hub starts.
            while (try? await Task.sleep(for: Self.pause)) != nil {
                do {
                    try await releases.askIfDue()
                } catch {
                    releases.hub.log.warning(
                        "what is known of new versions could not be stored", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
