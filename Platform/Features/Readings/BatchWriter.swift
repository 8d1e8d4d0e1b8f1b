import GRDB
import HubKit
import Logging
import MQTT
import NIOCore
import Storage
import Synchronization

/// The writer of everything that arrives by MQTT. It collects readings in a batch and commits one batch at a time:
/// while SQLite writes a batch, the next one fills. So batches are as large as the load makes them, without timer or
/// lock.
///
/// A message is acknowledged once the commit with its readings is durable. Readings of many series at once wait in the
/// journal for their rows, see `JournalPace`; pages and companions receive them when they have been moved. It is used
/// on the event loop of the MQTT listener only.
public final class BatchWriter: MessageTransactions {
    private let hub: HubContext
    let loop: any EventLoop
    private let table: SeriesTable
    private let coalescer: ReadingCoalescer
    private let committed: ([CommittedReading]) -> Void

    private var batch = Batch()
    private var completions: [(Result<Void, any Error>) -> Void] = []
    private var waiting: [any Acknowledger] = []
    private var stalled: [() -> Void] = []
    private var isCommitting = false
    private var isScheduled = false
    private var isRetryScheduled = false
    /// Whether the journal had readings when a transaction failed; its count is not reliable then.
    private var isMoveOwed = false
    /// Whether the commit is scheduled for the end of the interval only.
    private var isLingering = false
    /// The time of the last commit; nil before the first, which does not wait, however short the machine has been up.
    private var lastCommit: NIODeadline?
    private let interval: TimeAmount
    private let journal = ReadingJournal()
    private var pace = JournalPace()
    /// The number of the batch that is filling.
    private var batchNumber: UInt64 = 1

    /// The pause after a failed commit.
    private static let retryPause = TimeAmount.seconds(1)
    /// The weight of a batch, counted in readings, from which it is committed without waiting for more.
    private static let heavyBatch = 64

    /// The data that one transaction writes.
    private struct Batch: Sendable {
        var newSeries: [SeriesRecord] = []
        var readings: [Reading] = []
        /// The number of series that the readings belong to.
        var seriesCount = 0
        var changes: [StoredChange] = []
        var work: [@Sendable (Database) throws -> Void] = []
        /// The memory that it uses, counted in readings.
        var weight = 0
        var isEmpty: Bool { newSeries.isEmpty && readings.isEmpty && changes.isEmpty && work.isEmpty }
    }

    /// Creates the batch writer.
    ///
    /// - Parameters:
    ///   - hub: the hub.
    ///   - loop: the event loop of the MQTT listener.
    ///   - committed: a function that receives the newest reading of each series after each commit.
    public init(hub: HubContext, loop: any EventLoop, committed: @escaping ([CommittedReading]) -> Void) throws {
        self.hub = hub
        self.loop = loop
        self.committed = committed
        table = try SeriesTable(database: hub.database)
        interval = .milliseconds(hub.settings.commitIntervalMilliseconds)
        coalescer = ReadingCoalescer(
            live: hub.live, loop: loop, intervalMilliseconds: hub.settings.liveIntervalMilliseconds)
    }

    // MARK: Taking

    /// The series of a device's quantity, created at its first reading; nil if the device has as many series as it may.
    public func series(device: DeviceRecord, quantity: ByteBuffer, unit: StaticString?) -> Series? {
        if let series = table.series(device: device.id, quantity: quantity) { return series }
        guard table.count(ofDevice: device.id) < hub.settings.seriesPerDevice else { return nil }
        let (series, record) = table.add(
            device: device, quantity: String(buffer: quantity), unit: unit.map(String.init(describing:)))
        batch.newSeries.append(record)
        return series
    }

    /// Adds a change of retained messages or MQTT sessions to the batch. If the commit fails, it is tried again with
    /// the next batch, since the listener has already acted on it.
    public func record(_ change: StoredChange) {
        batch.changes.append(change)
        batch.weight += Self.weight(change)
        schedule()
    }

    private static func weight(_ change: StoredChange) -> Int {
        switch change {
        case .retained(let message, _), .queued(_, _, let message, _): 8 + message.payload.count / 32
        default: 8
        }
    }

    /// Adds a reading to the batch.
    ///
    /// - Parameters:
    ///   - value: the measured value.
    ///   - at: the time of the measurement, in UTC milliseconds; nil for the time of receipt.
    ///   - series: the series.
    ///   - now: the current time, in UTC milliseconds.
    public func add(_ value: Double, at: Int64?, to series: Series, now: Int64) {
        if series.batch != batchNumber {
            series.batch = batchNumber
            batch.seriesCount += 1
        }
        batch.readings.append(
            Reading(series: series.id, at: at ?? series.assignTime(now: now), value: value, isTimeAssigned: at == nil))
    }

    /// Runs `work` in the transaction of the next batch. If it throws, only its own changes are undone, unless the disk
    /// is the reason: then the whole batch fails.
    ///
    /// - Returns: a future that is fulfilled once the batch is durable.
    @discardableResult
    public func perform<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) -> EventLoopFuture<
        Value
    > {
        let promise = loop.makePromise(of: Value.self)
        let slot = Slot<Value>()
        batch.weight += 8
        batch.work.append { db in
            let result = Result { try db.undoable { try work(db) } }
            slot.result.withLock { $0 = result }
            // What the disk does not take is no failure of this work alone: nothing of the batch is acknowledged.
            if case .failure(let error as DatabaseError) = result, error.isOfDisk { throw error }
        }
        completions.append { outcome in
            switch outcome {
            case .success: if let result = slot.result.withLock({ $0 }) { promise.completeWith(result) }
            case .failure(let error): promise.fail(error)
            }
        }
        schedule()
        return promise.futureResult
    }

    private final class Slot<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    // MARK: Committing

    /// Commits everything collected so far, at the end of the event loop's tick or after the current commit, and
    /// notifies `waiter` when it is durable.
    public func commit(for waiter: any Acknowledger) {
        waiting.append(waiter)
        schedule()
    }

    /// Whether a connection may read on. If not, `resume` is called when there is room again.
    public func hasRoom(resume: @escaping () -> Void) -> Bool {
        if batch.readings.count + batch.weight < hub.settings.batchWriterCapacity { return true }
        stalled.append(resume)
        return false
    }

    private func schedule() {
        guard !isCommitting, !isScheduled || isLingering else { return }
        // What is heavy need not gather: a commit costs the disk most where it holds little.
        let isLight = batch.readings.count + batch.weight < Self.heavyBatch
        if isLight, interval > .zero, let due = lastCommit.map({ $0 + interval }), due > .now() {
            guard !isLingering else { return }
            isLingering = true
            isScheduled = true
            loop.assumeIsolated().scheduleTask(deadline: due) {
                guard self.isLingering else { return }
                self.runScheduled()
            }
        } else {
            isLingering = false
            isScheduled = true
            loop.assumeIsolated().execute { if self.isScheduled, !self.isLingering { self.runScheduled() } }
        }
    }

    private func runScheduled() {
        isLingering = false
        isScheduled = false
        commitNext()
    }

    private func commitNext() {
        guard !isCommitting, !(waiting.isEmpty && batch.isEmpty) || pace.isMoveDue else { return }
        let batch = self.batch
        self.batch = Batch()
        batchNumber += 1
        let completions = self.completions
        self.completions = []
        let sealed = waiting
        waiting = []
        waiting.reserveCapacity(sealed.count)
        let acknowledged = sealed.map { ($0, $0.sealed()) }
        guard !batch.isEmpty || pace.isMoveDue else {
            // Nothing to store, as for a message between programs: nothing to wait for.
            for (waiter, acknowledgements) in acknowledged { waiter.committed(acknowledgements) }
            return
        }
        isCommitting = true
        let waited = isMoveOwed || journal.count > 0
        if interval > .zero { lastCommit = .now() }
        self.batch.readings.reserveCapacity(batch.readings.count)
        write(batch).assumeIsolated().whenComplete { result in
            self.isCommitting = false
            switch result {
            case .success(let inserted):
                self.isMoveOwed = false
                self.hub.counts.committed(readings: inserted.count)
                self.hub.storage.worked()
            case .failure(let error):
                self.isMoveOwed = waited
                self.hub.counts.commitFailed()
                self.hub.storage.failed(error)
            }
            if case .failure(let error) = result {
                // Series and sessions stay known here, so that the next batch has to bring them.
                self.batch.newSeries.insert(contentsOf: batch.newSeries, at: 0)
                self.batch.changes.insert(contentsOf: batch.changes.map(\.withoutReading), at: 0)
                self.batch.weight += batch.changes.reduce(0) { $0 + Self.weight($1) }
                self.hub.log.error(
                    "a batch could not be stored; its senders are disconnected unacknowledged",
                    metadata: [
                        "readings": "\(batch.readings.count)", "reason": "\(error)",
                    ])
            }
            // Before the acknowledgements: the writer need not wait for them. A batch that has nothing to write would
            // overtake them [MQTT-4.6.0-2].
            self.pace.isMoveDue = false
            if case .success = result { self.goOn(afterMoveAlone: batch.isEmpty) }
            switch result {
            case .success: for (waiter, acknowledgements) in acknowledged { waiter.committed(acknowledgements) }
            case .failure: for (waiter, _) in acknowledged { waiter.failed() }
            }
            for completion in completions { completion(result.map { _ in }) }
            if case .success(let inserted) = result { self.announce(inserted) }
            // After a failure at once only when somebody asks: it would spin on a full disk otherwise.
            if case .failure = result { self.retryLater() }
            if !self.waiting.isEmpty { self.schedule() }
            let resumed = self.stalled
            self.stalled = []
            for resume in resumed { resume() }
        }
    }

    /// Schedules another attempt to store and move what could not be. Without it a full batch writer, which stops all
    /// connections, would wait for ever.
    private func retryLater() {
        guard !isRetryScheduled else { return }
        isRetryScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.retryPause) {
            self.isRetryScheduled = false
            if !self.batch.isEmpty || !self.waiting.isEmpty {
                self.schedule()
            } else if self.isMoveOwed, !self.isCommitting {
                self.pace.isMoveDue = true
                self.commitNext()
            }
        }
    }

    /// Continues after a commit: with the journal, with the next batch, or by waiting.
    private func goOn(afterMoveAlone isMoveAlone: Bool) {
        if isMoveAlone, journal.count > 0 {
            pace.isMoveDue = true
            commitNext()
        } else if batch.isEmpty {
            moveSoon()
        } else if interval > .zero {
            schedule()
        } else {
            commitNext()
        }
    }

    /// Schedules moving the journal, in case nothing else has to be stored until then.
    private func moveSoon() {
        guard journal.count > 0, !pace.isMoveScheduled else { return }
        pace.isMoveScheduled = true
        loop.assumeIsolated().scheduleTask(in: JournalPace.pause) {
            self.pace.isMoveScheduled = false
            guard !self.isCommitting else { return }
            self.pace.isMoveDue = true
            self.commitNext()
        }
    }

    /// Writes a batch.
    ///
    /// - Returns: the readings that went into their rows, of this batch or of earlier ones.
    private func write(_ batch: Batch) -> EventLoopFuture<[Reading]> {
        let done = loop.makePromise(of: [Reading].self)
        let journal = journal
        let plan = pace.plan(readings: batch.readings.count, series: batch.seriesCount, now: .now())
        hub.database.pool.asyncWrite(
            { db in
                var writer = ReadingWriter(db)
                for series in batch.newSeries { try writer.add(series) }
                // Behind what waits, or the first of two readings of one time would no longer be the one that stands.
                if try plan.isWide || journal.count(db) > 0 {
                    try journal.append(batch.readings, db)
                    try journal.move(atMost: plan.most, isUrgent: plan.isUrgent, into: &writer, db)
                } else {
                    try writer.insert(batch.readings)
                }
                try writer.finish()
                for change in batch.changes { try MQTTSessionTables.apply(change, db) }
                for work in batch.work { try work(db) }
                return writer.inserted
            }, completion: { _, result in done.completeWith(result) })
        return done.futureResult
    }

    /// Sends readings to pages and companions, one of each series: the newest that is not in the future. A reading in
    /// the future, from a wrong clock, would hide all others until its time has come.
    private func announce(_ readings: [Reading]) {
        let now = hub.clock.now()
        let latest = Database.latestPresent(at: now)
        var newest: [Int64: Int] = [:]
        var last: Int64 = -1
        var lastIndex = 0
        for (index, reading) in readings.enumerated() where reading.at <= latest {
            // Most batches hold long runs of one series.
            if reading.series == last {
                if reading.at >= readings[lastIndex].at { lastIndex = index }
                continue
            }
            if last >= 0 { newest[last] = lastIndex }
            last = reading.series
            lastIndex = newest[last].flatMap { readings[$0].at > reading.at ? $0 : nil } ?? index
        }
        guard last >= 0 else { return }
        newest[last] = lastIndex
        let announced = newest.values.sorted().compactMap { index -> CommittedReading? in
            let reading = readings[index]
            return table[reading.series].map {
                CommittedReading(
                    household: $0.household, device: $0.device, quantity: $0.quantity, series: reading.series,
                    at: reading.at, value: reading.value)
            }
        }
        coalescer.take(announced, now: now)
        committed(announced)
    }
}
