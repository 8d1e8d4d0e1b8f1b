import HubKit
import Logging
import ServiceLifecycle
import Synchronization

/// A service that sends a queue: new messages at once, others when an attempt is due, until graceful shutdown.
public struct PushService: Service {
    private let queue: any MessageQueue
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The pause if the database cannot be read, in milliseconds.
    private static let trouble: Int64 = 60_000

    /// Creates the service of the messages to phones.
    ///
    /// - Parameter sleep: waits for a time; tests replace it.
    public init(
        push: Push,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        queue = push
        self.sleep = sleep
    }

    /// Creates the service of the messages by channels.
    ///
    /// - Parameter sleep: waits for a time; tests replace it.
    public init(
        channels: Channels,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        queue = channels
        self.sleep = sleep
    }

    /// Sends until graceful shutdown.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    private func work() async {
        await withDiscardingTaskGroup { group in
            let alarm = Alarm()
            // What is left of the last run.
            queue.wake()
            for await _ in queue.wakes {
                let now = queue.clock.now()
                var next: Int64?
                do {
                    next = try await queue.deliverDue()
                } catch {
                    if Task.isCancelled { break }
                    queue.log.error("notifications could not be sent", metadata: ["reason": "\(error)"])
                    next = now + Self.trouble
                }
                guard let next, let number = alarm.set(next) else { continue }
                let wait = Duration.milliseconds(max(next - queue.clock.now(), 0))
                group.addTask {
                    // Looked at again after an hour at the latest: the wall clock may be set while this sleeps.
                    try? await sleep(min(wait, .seconds(3_600)))
                    if Task.isCancelled { return }
                    alarm.rang(number)
                    queue.wake()
                }
            }
            group.cancelAll()
        }
    }

    /// The next time to check the queue, so that only one task sleeps for it.
    private final class Alarm: Sendable {
        private let state = Mutex<(at: Int64?, number: Int)>((nil, 0))

        /// Sets the alarm.
        ///
        /// - Returns: its number; nil if there is an alarm that is no later.
        func set(_ at: Int64) -> Int? {
            state.withLock { state in
                if let set = state.at, set <= at { return nil }
                state = (at, state.number + 1)
                return state.number
            }
        }

        func rang(_ number: Int) {
            state.withLock { state in if state.number == number { state.at = nil } }
        }
    }
}
