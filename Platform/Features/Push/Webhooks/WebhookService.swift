import HubKit
import Logging
import ServiceLifecycle

/// A service that queues the companions' events for webhooks, until graceful shutdown.
public struct WebhookService: Service {
    private let webhooks: Webhooks

    /// Creates the service.
    public init(webhooks: Webhooks) { self.webhooks = webhooks }

    /// Runs until graceful shutdown.
    public func run() async throws {
        let hub = webhooks.hub
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in hub.live.changes() { webhooks.forget() } }
                do {
                    try await webhooks.listen()
                } catch {
                    hub.log.error("webhooks could not be read", metadata: ["reason": "\(error)"])
                }
                for await message in webhooks.messages {
                    do {
                        try await webhooks.take(message)
                    } catch {
                        if Task.isCancelled { break }
                        hub.log.error("an event for webhooks could not be kept", metadata: ["reason": "\(error)"])
                    }
                }
                group.cancelAll()
            }
        }
    }
}
