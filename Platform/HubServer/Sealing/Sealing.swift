import HubKit
import Storage

/// Moves readings that are some days old from rows into blocks, a small transaction after the other, and gives the disk back
/// what that leaves free. Cut off anywhere it goes on there the next time.
public struct Sealing: Sendable {
    /// How far it is.
    public struct Progress: Sendable, Equatable {
        /// Series that are done, and all that have something to seal.
        public var series = 0, allSeries = 0
        /// Readings that were rows and are in blocks now.
        public var readings = 0
    }

    private let database: HubDatabase
    private let before: Int64
    private let isPatient: Bool

    /// - Parameters:
    ///   - days: how old readings stay rows; the next of `HubSettings.sealAfterDaysBounds` is taken.
    ///   - now: UTC milliseconds.
    ///   - isPatient: whether it leaves the database to others for as long as it has used it itself.
    public init(_ database: HubDatabase, olderThanDays days: Int, now: Int64, isPatient: Bool) {
        let day = RollupSpan.day.rawValue
        self.database = database
        let bounds = HubSettings.sealAfterDaysBounds
        let days = min(max(days, bounds.lowerBound), bounds.upperBound)
        before = (now - Int64(days) * day).floored(to: day)
        self.isPatient = isPatient
    }

    /// Seals all that may be sealed.
    ///
    /// - Parameter progress: called after each transaction.
    /// - Throws: `CancellationError`, or why something cannot be stored; what is sealed by then stays so. `SealedReadingsDamage`
    ///   once all other series are done.
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

    /// Gives back what is free, where it is worth it and the file can do it page by page.
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
