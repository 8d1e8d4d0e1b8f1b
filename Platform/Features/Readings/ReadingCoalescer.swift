import HubKit
import NIOCore

/// A filter for readings on their way to open pages: at most one of a series in an interval, and always the newest. The
/// first is sent at once; one that follows too soon waits until the interval is over. It is used on the event loop of
/// the MQTT listener only.
final class ReadingCoalescer {
    private let live: LiveEvents
    private let loop: any EventLoop
    private let interval: TimeAmount
    private var sentAt: [Int64: NIODeadline] = [:]
    private var pending: [Int64: CommittedReading] = [:]
    private var isScheduled = false

    init(live: LiveEvents, loop: any EventLoop, intervalMilliseconds: Int64) {
        self.live = live
        self.loop = loop
        interval = .milliseconds(intervalMilliseconds)
    }

    /// Sends or queues readings.
    ///
    /// - Parameter now: the hub's time, in UTC milliseconds. Intervals are measured by the event loop's clock, which
    ///   nobody sets.
    func take(_ readings: [CommittedReading], now: Int64) {
        guard live.isHeard(now: now) else { return }
        let instant = loop.now
        for reading in readings {
            if instant < dueAt(reading.series) {
                pending[reading.series] = reading
            } else {
                send(reading, at: instant)
            }
        }
        schedule()
    }

    /// The time from which a reading of a series may be sent again.
    private func dueAt(_ series: Int64) -> NIODeadline {
        sentAt[series].map { $0 + interval } ?? .distantPast
    }

    private func schedule() {
        guard !isScheduled, let due = pending.keys.map(dueAt).min() else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(deadline: due) {
            self.isScheduled = false
            let instant = self.loop.now
            let due = self.pending.filter { self.dueAt($0.key) <= instant }.sorted { $0.key < $1.key }
            for (_, reading) in due { self.send(reading, at: instant) }
            self.schedule()
        }
    }

    private func send(_ reading: CommittedReading, at instant: NIODeadline) {
        sentAt[reading.series] = instant
        // An older one that still waits would arrive after this one.
        pending[reading.series] = nil
        live.publish(
            .reading(device: reading.device, quantity: reading.quantity, at: reading.at, value: reading.value),
            household: reading.household)
    }
}
