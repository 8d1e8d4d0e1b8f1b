import HubKit
import Storage

/// The sealing of readings: it moves readings that are some days old from rows into blocks, in small transactions, and
/// returns the freed space to the disk. If it is interrupted, it continues the next time.
public struct Sealing: Sendable {
    /// The progress of sealing.
    public struct Progress: Sendable, Equatable {
        /// The number of series that are done, and of all that have something to seal.
        public var series = 0, allSeries = 0
        /// The number of readings that were moved into blocks.
        public var readings = 0
    }

    private let database: HubDatabase
    private let before: Int64
    private let isPatient: Bool

    /// Prepares sealing.
    ///
    /// - Parameters:
    ///   - database: the hub's database.
    ///   - days: the age at which readings are sealed, limited to `HubSettings.sealAfterDaysBounds`.
    ///   - now: the current time, in UTC milliseconds.
    ///   - isPatient: whether it leaves the database to others for as long as it has used it.
    public init(_ database: HubDatabase, olderThanDays days: Int, now: Int64, isPatient: Bool) {
        let day = RollupSpan.day.rawValue
        self.database = database
        let bounds = HubSettings.sealAfterDaysBounds
        let days = min(max(days, bounds.lowerBound), bounds.upperBound)
        before = (now - Int64(days) * day).floored(to: day)
        self.isPatient = isPatient
    }

    /// Seals everything that may be sealed.
    ///
    /// - Parameter progress: receives the progress after each transaction.
    /// - Throws: `CancellationError`, or the reason why something cannot be stored; everything sealed before stays so.
    ///   `SealedReadingsDamage` once all other series are done.
    @discardableResult
    public func seal(progress: (Progress) -> Void = { _ in }) async throws -> Progress {
        let all = try await database.pool.read { db in try db.seriesToSeal(before: before) }
        var done = Progress(allSeries: all.count)
        var damage: SealedReadingsDamage?
        for series in all {
            do {
                try await seal(series) { readings in
                    done.readings += readings
                    progress(done)
                }
            } catch let error as SealedReadingsDamage {
                damage = error
            }
            done.series += 1
            progress(done)
        }
        if let damage { throw damage }
        return done
    }

    private func seal(_ series: Int64, sealed: (Int) -> Void) async throws {
        var from = Int64.min
        while let piece = try await inTurn({
            let start = from
            return try await database.pool.write { db in try db.sealNext(series: series, from: start, before: before) }
        }) {
            from = piece.end
            sealed(piece.readings)
        }
    }

    /// Returns free space to the disk, if it is worth it and the file can do it page by page.
    public func giveBack() async throws {
        guard try await database.space().isRoomy else { return }
        while try await inTurn({ try await database.giveBack() }) {}
    }

    private func inTurn<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let started = ContinuousClock.now
        let value = try await work()
        if isPatient { try await Task.sleep(for: ContinuousClock.now - started) }
        return value
    }
}
