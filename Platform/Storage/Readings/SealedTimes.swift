import GRDB

/// The times of readings in sealed blocks, for storing readings that arrive so late. Blocks are read once.
struct SealedTimes {
    private let db: Database
    /// The interval of each series that was looked up last, with its block if there is one.
    private var known: [Int64: (stretch: Range<Int64>, block: ReadingBlock?)] = [:]
    /// The intervals in which there are blocks.
    private let stretches: SealedStretches

    init(_ db: Database) throws {
        self.db = db
        stretches = try SealedStretches(db)
    }

    /// Whether a block of any series may have a reading of that time.
    func mayContain(_ time: Int64) -> Bool { stretches.contains(time) }

    /// Whether a series has a reading at exactly that time.
    mutating func contains(_ time: Int64, of series: Int64) throws -> Bool {
        try block(at: time, of: series)?.contains(time) ?? false
    }

    /// The block of the interval that a reading would be in; nil if there is none that can be read.
    mutating func block(at time: Int64, of series: Int64) throws -> ReadingBlock? {
        guard stretches.contains(time) else { return nil }
        if let known = known[series], known.stretch.contains(time) { return known.block }
        let found = try look(at: time, series)
        known[series] = found
        return found.block
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
