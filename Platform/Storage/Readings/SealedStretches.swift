import GRDB

/// The intervals in which there are blocks of any series. They are few: mostly one, and a second if the clock was years
/// ahead for some days, so that readings of the present are not looked for in blocks because of that.
struct SealedStretches: Equatable {
    /// The number of intervals, at most; beyond it those with the shortest time between them are joined.
    static let most = 8

    /// The intervals by time, none touching another, in UTC milliseconds.
    private(set) var ranges: [Range<Int64>] = []

    init() {}

    init(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT start, until FROM reading_sealed ORDER BY start"))
        while let row = try rows.next() { ranges.append((row[0] as Int64)..<row[1]) }
    }

    /// Whether a block may include that time.
    func contains(_ time: Int64) -> Bool {
        // The last first: what comes is newer than all of them, mostly.
        for range in ranges.reversed() where time >= range.lowerBound { return time < range.upperBound }
        return false
    }

    /// Whether a block may overlap an interval, its end included.
    func overlap(_ stretch: ClosedRange<Int64>) -> Bool {
        ranges.contains { $0.lowerBound <= stretch.upperBound && $0.upperBound > stretch.lowerBound }
    }

    /// Adds the interval of a block.
    mutating func add(_ block: Range<Int64>) {
        var added = block
        var place = 0
        while place < ranges.count, ranges[place].lowerBound <= added.upperBound {
            guard ranges[place].upperBound >= added.lowerBound else {
                place += 1
                continue
            }
            let range = ranges.remove(at: place)
            added = min(added.lowerBound, range.lowerBound)..<max(added.upperBound, range.upperBound)
        }
        ranges.insert(added, at: place)
        guard ranges.count > Self.most else { return }
        let pauses = (1..<ranges.count).map { ranges[$0].lowerBound.minusClamped(ranges[$0 - 1].upperBound) }
        let second = pauses.indices.min { pauses[$0] < pauses[$1] }.map { $0 + 1 } ?? 1
        ranges[second - 1] = ranges[second - 1].lowerBound..<ranges[second].upperBound
        ranges.remove(at: second)
    }

    /// Stores the intervals in place of the earlier ones.
    func write(_ db: Database) throws {
        try db.execute(cached: "DELETE FROM reading_sealed")
        for range in ranges {
            try db.execute(
                cached: "INSERT INTO reading_sealed VALUES (?, ?)", arguments: [range.lowerBound, range.upperBound])
        }
    }
}
