import ServiceLifecycle

/// A service that closes abandoned sessions, when the hub starts and then every minute.
public struct ActiveSessionService<Definition: SessionDefinition>: Service {
    /// The pause between two checks.
    static var interval: Duration { .seconds(60) }

    private let sessions: ActiveSessions<Definition>
    private let pause: @Sendable (Duration) async throws -> Void

    /// Creates the service.
    ///
    /// - Parameter pause: waits for a time; tests replace it.
    public init(
        _ sessions: ActiveSessions<Definition>,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.sessions = sessions
        self.pause = pause
    }

    /// Checks until the hub stops.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            // What is wrong is said once, and again when it is another thing or was mended in between.
            var failure: String?
            var isFirst = true
            while !Task.isCancelled {
                do {
                    try await sessions.closeLeft(withFailed: isFirst)
                    failure = nil
                } catch {
                    let reason = StorageFailure(error).logged
                    if reason != failure {
                        sessions.hub.log.error(
                            "active \(Definition.noun)s could not be looked at; they are each minute",
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
