import HubKit
import Logging
import ServiceLifecycle

/// A service that sends reminders when they are due. It sleeps until then, and checks the clock at least every half
/// minute, so that a changed clock or a suspended laptop is noticed.
public struct ReminderService: Service {
    private let notifier: ReminderNotifier
    private let hub: HubContext
    private let pause: @Sendable (Duration) async throws -> Void

    /// The longest pause between two checks of the clock.
    static let longestPause = Duration.seconds(30)
    /// The shortest pause, whatever goes wrong.
    static let shortestPause = Duration.seconds(1)

    private enum Signal: Sendable {
        case changed
        /// The pause with this number is over.
        case time(Int)
    }

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - context: the hub with its companions.
    ///   - pause: waits for a time; tests replace it.
    public init(
        context: ReminderContext,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        notifier = ReminderNotifier(context: context)
        hub = context.hub
        self.pause = pause
    }

    /// Sends until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in hub.reminders.changes.stream { continuation.yield(.changed) } }
                continuation.yield(.changed)
                var pauses = 0
                for await signal in signals {
                    // A pause that a change has cut short is not waited for twice.
                    if case .time(let number) = signal, number != pauses { continue }
                    pauses += 1
                    let duration = await look()
                    group.addTask { [pauses] in
                        guard (try? await pause(duration)) != nil else { return }
                        continuation.yield(.time(pauses))
                    }
                }
                group.cancelAll()
            }
        }
    }

    /// Sends due reminders.
    ///
    /// - Returns: the time to sleep.
    private func look() async -> Duration {
        do {
            guard let next = try await notifier.look() else { return Self.longestPause }
            return min(max(.milliseconds(next - hub.clock.now()), Self.shortestPause), Self.longestPause)
        } catch {
            hub.log.error("reminders could not be looked at; they are again soon", metadata: ["reason": "\(error)"])
            return Self.longestPause
        }
    }
}
