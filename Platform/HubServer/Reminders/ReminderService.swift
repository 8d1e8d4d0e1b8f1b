import HubKit
import Logging
import ServiceLifecycle

/// Reminds people when it is time. It sleeps until then, and looks at the clock at least each half minute, so that a
/// clock that was set and a laptop that slept are noticed.
public struct ReminderService: Service {
    private let notifier: ReminderNotifier
    private let hub: Hub
    private let pause: @Sendable (Duration) async throws -> Void

    /// The longest time between two looks at the clock.
    static let longestPause = Duration.seconds(30)
    /// The shortest, whatever goes wrong.
    static let shortestPause = Duration.seconds(1)

    private enum Signal: Sendable {
        case changed
        /// A pause is over, the one of this number.
        case time(Int)
    }

    /// - Parameter pause: waits; another than the real one in tests only.
    public init(
        app: HubApp, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        notifier = ReminderNotifier(app: app)
        hub = app.hub
        self.pause = pause
    }

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

    /// - Returns: how long to sleep.
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
