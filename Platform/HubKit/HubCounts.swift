import MQTT
import Synchronization

/// What is counted since the hub started, beside what its MQTT listener counts. How much of what, and nothing of whom.
public final class HubCounts: Sendable {
    /// All of it at one moment.
    package struct Figures: Sendable {
        /// Readings that a commit made durable.
        package var storedReadings = 0
        /// Batches of readings, messages and sessions that were committed, and those that could not be.
        package var commits = 0
        package var failedCommits = 0
        /// Answers over HTTP by the first digit of their status, 1 to 5.
        package var answers = [0, 0, 0, 0, 0]
        /// What did not come through.
        package var losses = Losses()
    }

    /// When the hub started, UTC milliseconds.
    package let startedAt: Int64
    private let state = Mutex(Figures())

    /// - Parameter startedAt: UTC milliseconds.
    package init(startedAt: Int64) { self.startedAt = startedAt }

    package var figures: Figures { state.withLock { $0 } }

    /// Something did not come through.
    package func count(_ loss: Loss) { state.withLock { $0.losses.count(loss) } }

    /// A batch is durable.
    func committed(readings: Int) {
        state.withLock { figures in
            figures.commits += 1
            figures.storedReadings += readings
        }
    }

    func commitFailed() { state.withLock { $0.failedCommits += 1 } }

    /// A request was answered.
    ///
    /// - Parameter status: of HTTP, 100 to 599.
    package func answered(status: Int) {
        guard (100...599).contains(status) else { return }
        state.withLock { $0.answers[status / 100 - 1] += 1 }
    }
}
