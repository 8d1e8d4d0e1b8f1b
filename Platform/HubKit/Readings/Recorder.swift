import GRDB
import Logging
import MQTT
import NIOCore
import Storage
import Synchronization

/// Gathers what the listener's connections bring, and commits it with one batch on its way at a time: while SQLite
/// writes a batch the next one fills, so that a batch is as large as the load makes it. No timer, no lock.
///
/// Acknowledgements wait in their connection until the commit that holds their readings is durable. Readings of many series
/// at once wait in the journal for their rows, see `JournalPace`; pages and companions hear of them once they are there.
/// Lives on the listener's event loop.
public final class Recorder {
    private let hub: Hub
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
    /// Whether readings waited in the journal when a transaction failed. What the journal counts then is not to be trusted.
    private var isMoveOwed = false
    /// Whether it is scheduled for the end of the interval only.
    private var isLingering = false
    private var lastCommit = NIODeadline.distantPast
    private let interval: TimeAmount
    private let journal = ReadingJournal()
    private var pace = JournalPace()
    /// Of the batch that fills.
    private var batchNumber: UInt64 = 1

    /// From a commit that failed to the next try.
    private static let retryPause = TimeAmount.seconds(1)
    /// Readings, and what weighs as much, that are committed without waiting for more.
    private static let heavyBatch = 64

    /// What one transaction writes.
    private struct Batch: Sendable {
        var newSeries: [SeriesRecord] = []
        var readings: [Reading] = []
        /// Of how many series the readings are.
        var seriesCount = 0
        var changes: [StoredChange] = []
        var work: [@Sendable (Database) throws -> Void] = []
        /// What it holds in memory, counted in readings.
        var weight = 0
        var isEmpty: Bool { newSeries.isEmpty && readings.isEmpty && changes.isEmpty && work.isEmpty }
    }

    /// - Parameter committed: called with the newest reading of each series after each commit.
    package init(hub: Hub, loop: any EventLoop, committed: @escaping ([CommittedReading]) -> Void) throws {
        self.hub = hub
        self.loop = loop
        self.committed = committed
        table = try SeriesTable(database: hub.database)
        interval = .milliseconds(hub.settings.commitIntervalMilliseconds)
        coalescer = ReadingCoalescer(
            live: hub.live, loop: loop, intervalMilliseconds: hub.settings.liveIntervalMilliseconds)
    }

    // MARK: Taking

    /// The series of a device's quantity, made at its first reading; nil where the device has as many as it may.
    package func series(device: DeviceRecord, quantity: ByteBuffer, unit: StaticString?) -> Series? {
        if let series = table.series(device: device.id, quantity: quantity) { return series }
        guard table.count(ofDevice: device.id) < hub.settings.seriesPerDevice else { return nil }
        let (series, record) = table.add(
            device: device, quantity: String(buffer: quantity), unit: unit.map(String.init(describing:)))
        batch.newSeries.append(record)
        return series
    }

    /// A change of retained messages or sessions. One that could not be stored is tried again with the next batch: the
    /// listener holds it for done.
    package func record(_ change: StoredChange) {
        batch.changes.append(change)
        batch.weight += Self.weight(change)
        schedule()
    }

    private static func weight(_ change: StoredChange) -> Int {
        switch change {
        case .retained(let message), .queued(_, _, let message, _): 8 + message.payload.count / 32
        default: 8
        }
    }

    /// - Parameter at: the sensor's own time, or nil for the time of receipt.
    package func add(_ value: Double, at: Int64?, to series: Series, now: Int64) {
        if series.batch != batchNumber {
            series.batch = batchNumber
            batch.seriesCount += 1
        }
        batch.readings.append(
            Reading(series: series.id, at: at ?? series.assignTime(now: now), value: value, isTimeAssigned: at == nil))
    }

    /// Runs `work` inside the next batch's transaction, undone on its own if it throws; where the disk is why, the whole batch
    /// fails. The future is fulfilled once the batch is durable.
    @discardableResult
    public func perform<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) -> EventLoopFuture<
        Value
    > {
        let promise = loop.makePromise(of: Value.self)
        let slot = Slot<Value>()
        batch.weight += 8
        batch.work.append { db in
            let result = Result {
                var value: Value?
                try db.inSavepoint {
                    value = try work(db)
                    return .commit
                }
                // Set by the closure that has just returned without an error.
                return value!
            }
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

    /// Commits all that was taken so far, at the end of the loop's tick or after the commit under way.
    package func commit(for waiter: any Acknowledger) {
        waiting.append(waiter)
        schedule()
    }

    /// Whether a connection may read on; if not, `resume` is called when there is room again.
    package func hasRoom(resume: @escaping () -> Void) -> Bool {
        if batch.readings.count + batch.weight < hub.settings.recorderCapacity { return true }
        stalled.append(resume)
        return false
    }

    private func schedule() {
        guard !isCommitting, !isScheduled || isLingering else { return }
        // What is heavy need not gather: a commit costs the disk most where it holds little.
        let due = lastCommit + interval
        let isLight = batch.readings.count + batch.weight < Self.heavyBatch
        if isLight, interval > .zero, due > .now() {
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
                self.batch.changes.insert(contentsOf: batch.changes, at: 0)
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

    /// Stores what could not be stored, and moves what could not be moved, even if nobody brings more: where it fills the
    /// recorder, nobody may.
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

    /// A batch is durable: what comes next.
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

    /// Nothing else is to be stored: what waits in the journal is moved, if it stays so.
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

    /// - Returns: the readings that went into their rows, of this batch or of those before.
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

    /// Tells pages and companions, one reading a series: the newest that is of the present. One that lies ahead, by a clock that
    /// is or was wrong, would hide all others until its time has come.
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
