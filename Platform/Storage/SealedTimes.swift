import GRDB

/// At which times sealed blocks have readings, for whoever stores readings so late that there are some. Blocks are read once.
struct SealedTimes {
    private let db: Database
    /// Of each series the stretch that was looked at last, and its block where it has one.
    private var known: [Int64: (stretch: Range<Int64>, block: ReadingBlock?)] = [:]
    /// From when on there is no block.
    let end: Int64

    init(_ db: Database) throws {
        self.db = db
        end = try db.sealedUntil()
    }

    /// Whether there is a reading at exactly that time.
    mutating func contains(_ time: Int64, of series: Int64) throws -> Bool {
        guard time < end else { return false }
        if let known = known[series], known.stretch.contains(time) { return known.block?.contains(time) ?? false }
        let found = try look(at: time, series)
        known[series] = found
        return found.block?.contains(time) ?? false
    }

    private func look(at time: Int64, _ series: Int64) throws -> (stretch: Range<Int64>, block: ReadingBlock?) {
        let before = try db.blockPlace(series: series, startingAtOrBefore: time)
        if let before, before.end > time {
            do {
                return (before.start..<before.end, try db.readings(in: before))
            } catch is SealedReadingsDamage {
                // What comes now is stored, rather than refused for what is lost.
                return (before.start..<before.end, nil)
            }
        }
        let after = try db.blockPlace(series: series, startingAfter: time)
        return ((before?.end ?? .min)..<(after?.start ?? .max), nil)
    }
}
