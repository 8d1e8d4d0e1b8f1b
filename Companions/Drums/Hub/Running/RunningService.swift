import HubKit
import ServiceLifecycle

/// Looks each minute for sessions that nobody goes on with, and at once when the hub starts.
struct RunningService: Service {
    /// Between two looks.
    static let interval = Duration.seconds(60)

    let hub: Hub
    /// Waits; another than the real one in tests only.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await RunningSessions(hub: hub).closeLeft()
                } catch {
                    hub.log.error(
                        "running drum sessions could not be looked at; they are again soon",
                        metadata: ["reason": "\(error)"])
                }
                do { try await pause(Self.interval) } catch { return }
            }
        }
    }
}
