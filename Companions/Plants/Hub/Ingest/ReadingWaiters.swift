import Synchronization

/// Tells who asked sensors for a reading when one has come.
final class ReadingWaiters: Sendable {
    private struct Waiter: Sendable {
        var missing: Set<String>
        /// The time before which readings are no answer.
        var since: Int64
        var done: AsyncStream<Void>.Continuation
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// A reading of this device is stored.
    /// Notes that a reading of a device is stored.
    func note(_ device: String, at time: Int64) {
        state.withLock { state in
            guard !state.waiters.isEmpty else { return }
            for (id, waiter) in state.waiters where time >= waiter.since {
                state.waiters[id]?.missing.remove(device)
                if state.waiters[id]?.missing.isEmpty == true { state.waiters[id]?.done.finish() }
            }
        }
    }

    /// Asks, and waits until each device has sent something or the time is over.
    /// - Parameter since: how new that has to be, UTC milliseconds.
    /// - Returns: how many have.
    func ask(_ devices: Set<String>, since: Int64, within limit: Duration, _ question: () -> Void) async -> Int {
        guard !devices.isEmpty else { return 0 }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = state.withLock { state in
            state.next += 1
            state.waiters[state.next] = Waiter(missing: devices, since: since, done: continuation)
            return state.next
        }
        question()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stream {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        let missing = state.withLock { $0.waiters.removeValue(forKey: id)?.missing.count ?? 0 }
        return devices.count - missing
    }
}
