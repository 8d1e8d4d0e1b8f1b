import GRDB

/// The readings that wait in the journal, for a reader of a snapshot that moves nothing.
extension Database {
    /// The waiting readings by series, each with the time that it will have in its row, by time. Those that had expired
    /// when they arrived, or have the time of another, are left out, since they get no row.
    public func waitingReadings() throws -> [Int64: [Reading]] {
        let readings = try ReadingJournal().waiting(self)
        guard !readings.isEmpty else { return [:] }
        var found: [Int64: [Int64: Reading]] = [:]
        var expiries: [Int64: Int64] = [:]
        var sealed = try SealedTimes(self)
        let stored = try cachedStatement(sql: "SELECT EXISTS(SELECT 1 FROM reading WHERE series = ? AND at = ?)")
        for reading in readings {
            let series = reading.series
            let expiry = try expiries[series] ?? self.expiry(ofSeries: series)
            expiries[series] = expiry
            guard expiry == 0 || reading.at >= expiry else { continue }
            // As the writer moves it on.
            var placed = reading
            var step: Int64 = 1
            while true {
                let isSealed = try sealed.contains(placed.at, of: series)
                let isStored = try Bool.fetchOne(stored, arguments: [series, placed.at]) ?? false
                if !isSealed, !isStored, found[series]?[placed.at] == nil {
                    found[series, default: [:]][placed.at] = placed
                    break
                }
                guard placed.isTimeAssigned else { break }
                placed.at += step
                step *= 2
            }
        }
        return found.mapValues { $0.values.sorted { $0.at < $1.at } }
    }

    /// Calls `body` with each reading of a whole series by time, including those that wait.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - waiting: the series' part of ``waitingReadings()``.
    ///   - body: receives a reading.
    ///   - damaged: receives sealed readings that cannot be read, with the end of their time in UTC milliseconds.
    public func forEachReading(
        series: Int64, andWaiting waiting: [Reading], _ body: (Reading) throws -> Void,
        damaged: (SealedReadingsDamage, Int64) throws -> Void
    ) throws {
        var rest = waiting[...]
        try forEachReading(series: series) { reading in
            while let next = rest.first, next.at < reading.at {
                try body(next)
                rest.removeFirst()
            }
            try body(reading)
        } damaged: {
            try damaged($0, $1)
        }
        for reading in rest { try body(reading) }
    }
}
