import MQTT
import Synchronization

/// The counters of the hub since its start, for the metrics; the MQTT listener has its own. They contain no names of
/// people or devices.
public final class HubCounts: Sendable {
    /// The values of all counters at one moment.
    package struct Figures: Sendable {
        /// The number of readings that were committed.
        package var storedReadings = 0
        /// The number of batches (of readings, messages and sessions) that were committed.
        package var commits = 0
        /// The number of batches that could not be committed.
        package var failedCommits = 0
        /// The number of HTTP responses, by the first digit of their status: 1xx to 5xx.
        package var answers = [0, 0, 0, 0, 0]
        /// The number of messages that were lost, by reason.
        package var losses = Losses()
    }

    /// The time at which the hub started, in UTC milliseconds.
    package let startedAt: Int64
    private let state = Mutex(Figures())

    /// Creates counters that are all zero.
    ///
    /// - Parameter startedAt: the time at which the hub started, in UTC milliseconds.
    package init(startedAt: Int64) { self.startedAt = startedAt }

    /// The current values of the counters.
    package var figures: Figures { state.withLock { $0 } }

    /// Counts a message that was lost.
    package func count(_ loss: Loss) { state.withLock { $0.losses.count(loss) } }

    /// Counts a batch that was committed, with its readings.
    package func committed(readings: Int) {
        state.withLock { figures in
            figures.commits += 1
            figures.storedReadings += readings
        }
    }

    /// Counts a commit that failed.
    package func commitFailed() { state.withLock { $0.failedCommits += 1 } }

    /// Counts an HTTP response.
    ///
    /// - Parameter status: the HTTP status, 100 to 599; others are ignored.
    package func answered(status: Int) {
        guard (100...599).contains(status) else { return }
        state.withLock { $0.answers[status / 100 - 1] += 1 }
    }
}
