import NIOCore
import Storage

/// Which batches go into the journal rather than into their rows, and how fast they are moved from there.
///
/// A batch of a household goes straight. One of hundreds of series, one or a few readings each, would touch a page or more
/// a reading: it is appended to the journal, and the same transaction moves a slice of what waits there, ordered by series,
/// half as much again as has come: so it cannot grow.
struct JournalPace {
    /// What a transaction does beside storing its batch.
    struct Plan: Sendable {
        /// Whether the batch goes into the journal, also where nothing waits there.
        var isWide: Bool
        /// The most readings to move.
        var most: Int
        /// Whether few are moved too.
        var isUrgent: Bool
    }

    /// Batches of fewer readings go straight.
    static let leastReadings = 256
    /// Readings of a series in one batch from which on its page is worth touching.
    static let readingsPerPage = 8
    /// How long nothing may come until what waits is moved all the same.
    static var pause: TimeAmount { .milliseconds(100) }
    /// How long a run is waited for that never becomes a long one. As long after a wide batch a load counts as wide, since
    /// where the machine is busy its batches come in pieces.
    static var patience: TimeAmount { .milliseconds(500) }

    /// A task stands that moves what waits.
    var isMoveScheduled = false
    /// The next transaction moves what waits, if it has nothing else to do.
    var isMoveDue = false
    private var lastUrgent = NIODeadline.now()
    private var lastWide: NIODeadline?

    /// For a batch of so many readings of so many series.
    mutating func plan(readings: Int, series: Int, now: NIODeadline) -> Plan {
        let isWide = readings >= Self.leastReadings && readings < Self.readingsPerPage * series
        if isWide { lastWide = now }
        guard readings > 0, let lastWide, now - lastWide < Self.patience else {
            return Plan(isWide: false, most: HubDatabase.journalSlice, isUrgent: true)
        }
        let isUrgent = now - lastUrgent > Self.patience
        if isUrgent { lastUrgent = now }
        return Plan(isWide: isWide, most: max(readings + readings / 2, Self.leastReadings), isUrgent: isUrgent)
    }
}
