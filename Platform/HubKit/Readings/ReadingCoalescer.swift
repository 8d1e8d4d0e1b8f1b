import NIOCore

/// Passes readings on to open pages, at most one of a series in an interval and always the newest: the first at once,
/// what follows too soon when the interval is over. Lives on the listener's event loop.
final class ReadingCoalescer {
    private let live: Live
    private let loop: any EventLoop
    private let interval: Int64
    private var sentAt: [Int64: Int64] = [:]
    private var pending: [Int64: CommittedReading] = [:]
    private var isScheduled = false

    init(live: Live, loop: any EventLoop, intervalMilliseconds: Int64) {
        self.live = live
        self.loop = loop
        interval = intervalMilliseconds
    }

    func take(_ readings: [CommittedReading], now: Int64) {
        guard live.isHeard(now: now) else { return }
        for reading in readings {
            if let last = sentAt[reading.series], now >= last, now - last < interval {
                pending[reading.series] = reading
            } else {
                send(reading, now: now)
            }
        }
        guard !pending.isEmpty, !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(in: .milliseconds(interval)) {
            self.isScheduled = false
            let due = self.pending.sorted { $0.key < $1.key }
            self.pending.removeAll(keepingCapacity: true)
            for (_, reading) in due { self.send(reading, now: now + self.interval) }
        }
    }

    private func send(_ reading: CommittedReading, now: Int64) {
        sentAt[reading.series] = now
        live.tell(
            .reading(device: reading.device, quantity: reading.quantity, at: reading.at, value: reading.value),
            household: reading.household)
    }
}
