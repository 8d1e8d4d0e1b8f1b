import HubKit
import Logging
import ServiceLifecycle
import Synchronization

/// Sends what waits in the queue: at once when something comes, later when a try is due, until graceful shutdown.
public struct PushService: Service {
    private let push: Push
    private let sleep: @Sendable (Duration) async throws -> Void

    /// How long the queue is left alone where the database could not be read.
    private static let trouble: Int64 = 60_000

    /// - Parameter sleep: waits; a test may make it short.
    public init(
        services: HubServices,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        push = services.push
        self.sleep = sleep
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    private func work() async {
        await withDiscardingTaskGroup { group in
            let alarm = Alarm()
            // What is left of the last run.
            push.wake()
            for await _ in push.wakes {
                let now = push.clock.now()
                var next: Int64?
                do {
                    next = try await push.deliverDue()
                } catch {
                    if Task.isCancelled { break }
                    push.log.error("notifications could not be sent", metadata: ["reason": "\(error)"])
                    next = now + Self.trouble
                }
                guard let next, let number = alarm.set(next) else { continue }
                let wait = Duration.milliseconds(max(next - push.clock.now(), 0))
                group.addTask {
                    // Looked at again after an hour at the latest: the wall clock may be set while this sleeps.
                    try? await sleep(min(wait, .seconds(3_600)))
                    if Task.isCancelled { return }
                    alarm.rang(number)
                    push.wake()
                }
            }
            group.cancelAll()
        }
    }

    /// The next time to look, so that there is one sleeper for it and not one for each pass.
    private final class Alarm: Sendable {
        private let state = Mutex<(at: Int64?, number: Int)>((nil, 0))

        /// - Returns: the alarm's number; nil where one stands that is no later.
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
