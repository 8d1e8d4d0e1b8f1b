import NIOCore
import Storage

/// The rules for which batches go into the journal instead of their rows, and how fast readings are moved from there.
///
/// A batch of one household goes straight into rows. A batch of hundreds of series with one or a few readings each
/// would touch a database page or more for each reading. It is appended to the journal instead, and the same
/// transaction moves a slice of the journal into rows, ordered by series. The slice is half as large again as the
/// batch, so the journal cannot grow.
struct JournalPace {
    /// The work of a transaction besides storing its batch.
    struct Plan: Sendable {
        /// Whether the batch goes into the journal, even if that is empty.
        var isWide: Bool
        /// The number of readings to move, at most.
        var most: Int
        /// Whether to move short runs of readings too.
        var isUrgent: Bool
    }

    /// The number of readings below which a batch goes straight into rows.
    static let leastReadings = 256
    /// The number of readings of one series in a batch from which it is worth touching the series' page.
    static let readingsPerPage = 8
    /// The time without new readings after which the journal is moved.
    static var pause: TimeAmount { .milliseconds(100) }
    /// The time after which a short run is moved too. A load also counts as wide for this long after a wide batch,
    /// since on a busy machine its batches come in pieces.
    static var patience: TimeAmount { .milliseconds(500) }

    /// Whether a task is scheduled that moves the journal.
    var isMoveScheduled = false
    /// Whether the next transaction moves the journal even if it has nothing else to do.
    var isMoveDue = false
    private var lastUrgent = NIODeadline.now()
    private var lastWide: NIODeadline?

    /// The plan for a batch of some number of readings and series.
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
