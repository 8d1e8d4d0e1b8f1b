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
            let running = RunningSessions(hub: hub)
            // What is wrong is said once, and again when it is another thing or was mended in between.
            var failure: String?
            var isFirst = true
            while !Task.isCancelled {
                do {
                    try await running.closeLeft(withParked: isFirst)
                    failure = nil
                } catch {
                    let reason = StoringFault(error).logged
                    if reason != failure {
                        hub.log.error(
                            "running drum sessions could not be looked at; they are each minute",
                            metadata: ["reason": "\(reason)"])
                    }
                    failure = reason
                }
                isFirst = false
                do { try await pause(Self.interval) } catch { return }
            }
        }
    }
}
