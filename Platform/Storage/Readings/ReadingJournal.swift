import Foundation
import GRDB
import Synchronization

/// The journal in which readings of many series wait for their rows. A commit with a thousand series touches a database
/// page of each; one of the journal touches a few pages in all. Readings are moved to their rows in runs, ordered by
/// series, so that each touched page takes many.
///
/// All of its state is in the database; its memory is a cache. So it does no harm if another process moves readings
/// too, or a transaction is rolled back. It is used inside the writer's transactions.
public final class ReadingJournal: Sendable {
    /// The number of readings in a run, if there is no hurry: so many that a thousand series have more than thirty
    /// each.
    public static let runLength = 32_768

    /// The state of the tables when they were last read. The same mark means the same contents, although the journal's
    /// ids begin anew once it is empty: only the hub's one batch writer appends, and reads the mark before, so it sees that
    /// another process has emptied the journal before an id is used again. Others only move, and make the same run from
    /// the same rows.
    private struct Mark: Equatable {
        /// The newest row of the journal; nil if it is empty.
        var newest: Int64?
        /// The newest row of the run that is being moved, and the number of readings moved.
        var last: Int64?
        var moved = 0
    }

    private struct State {
        var mark = Mark()
        /// The readings of the run, in its order.
        var run: [Reading] = []
        /// The readings after the run, in the order in which they arrived.
        var waiting: [Reading] = []
        var count: Int { run.count - mark.moved + waiting.count }
    }

    private let state = Mutex(State())
    private let runLength: Int

    /// Creates a journal. Readings from an earlier run of the hub are found in the first transaction.
    ///
    /// - Parameter runLength: the number of readings in a run.
    public init(runLength: Int = ReadingJournal.runLength) { self.runLength = runLength }

    /// The number of waiting readings as of the last transaction.
    public var count: Int { state.withLock { $0.count } }

    /// The number of waiting readings.
    public func count(_ db: Database) throws -> Int {
        try state.withLock { state in
            try Self.refresh(&state, db)
            return state.count
        }
    }

    /// The waiting readings, in the order in which they are moved.
    func waiting(_ db: Database) throws -> [Reading] {
        try state.withLock { state in
            try Self.refresh(&state, db)
            return Array(state.run.dropFirst(state.mark.moved)) + state.waiting
        }
    }

    /// Appends readings to the journal.
    public func append(_ readings: [Reading], _ db: Database) throws {
        guard !readings.isEmpty else { return }
        try state.withLock { state in
            try Self.refresh(&state, db)
            try db.execute(
                cached: "INSERT INTO reading_journal(readings) VALUES (?)",
                arguments: [JournaledReadings.data(of: readings)])
            state.mark.newest = db.lastInsertedRowID
            state.waiting += readings
        }
    }

    /// Moves readings into their rows with the caller's writer, whose `finish()` has to be called afterwards.
    ///
    /// - Parameters:
    ///   - most: the number of readings to move, at least one.
    ///   - isUrgent: whether a short run is moved too; otherwise a run begins when ``runLength`` readings wait.
    ///   - writer: the writer.
    ///   - db: the database.
    public func move(atMost most: Int, isUrgent: Bool, into writer: inout ReadingWriter, _ db: Database) throws {
        try state.withLock { state in
            try Self.refresh(&state, db)
            if state.run.isEmpty {
                guard let newest = state.mark.newest, isUrgent || state.waiting.count >= runLength else { return }
                state.run = JournaledReadings.ordered(state.waiting)
                state.waiting = []
                state.mark.last = newest
                state.mark.moved = 0
                try db.execute(cached: "INSERT INTO reading_journal_run VALUES (?, 0)", arguments: [newest])
            }
            let end = min(state.run.count, state.mark.moved + most)
            try writer.insert(Array(state.run[state.mark.moved..<end]))
            state.mark.moved = end
            guard end == state.run.count else {
                return try db.execute(cached: "UPDATE reading_journal_run SET moved = ?", arguments: [end])
            }
            try db.execute(cached: "DELETE FROM reading_journal WHERE id <= ?", arguments: [state.mark.last])
            try db.execute(cached: "DELETE FROM reading_journal_run")
            if state.mark.newest == state.mark.last { state.mark.newest = nil }
            state.mark.last = nil
            state.mark.moved = 0
            state.run = []
        }
    }

    /// Reads the tables if they have changed.
    private static func refresh(_ state: inout State, _ db: Database) throws {
        let mark = try Self.mark(db)
        guard state.mark != mark else { return }
        state = State(mark: mark)
        let rows = try Row.fetchCursor(db, sql: "SELECT id, readings FROM reading_journal ORDER BY id")
        var run: [Reading] = []
        while let row = try rows.next() {
            let readings = try JournaledReadings.readings(of: row["readings"])
            if let last = mark.last, row["id"] <= last { run += readings } else { state.waiting += readings }
        }
        state.run = JournaledReadings.ordered(run)
    }

    private static func mark(_ db: Database) throws -> Mark {
        var mark = Mark()
        let newest = try db.cachedStatement(sql: "SELECT max(id) FROM reading_journal")
        mark.newest = try Int64.fetchOne(newest)
        let run = try db.cachedStatement(sql: "SELECT last, moved FROM reading_journal_run")
        if let row = try Row.fetchOne(run) {
            mark.last = row[0]
            mark.moved = row[1]
        }
        return mark
    }
}

extension HubDatabase {
    /// The number of readings that are moved in one transaction when nobody waits for them.
    public static let journalSlice = 4_096

    /// Moves all waiting readings into their rows, in transactions of some milliseconds. Readings that arrive meanwhile
    /// may still wait.
    public func emptyReadingJournal() throws {
        guard try pool.read({ db in try Self.hasJournaledReadings(db) }) else { return }
        let journal = ReadingJournal()
        var left = 1
        repeat {
            let count = try pool.write { db in try Self.moveSlice(of: journal, db) }
            // A run's end makes a slice shorter: one more.
            left = left == 1 ? count / Self.journalSlice + 2 : left - 1
        } while left > 1 && journal.count > 0
    }

    /// Moves all waiting readings into their rows, in a copy of the database that nobody else uses.
    public static func emptyReadingJournal(_ db: Database) throws {
        let journal = ReadingJournal()
        repeat { try moveSlice(of: journal, db) } while journal.count > 0
    }

    private static func hasJournaledReadings(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, cached: "SELECT EXISTS(SELECT 1 FROM reading_journal)") ?? false
    }

    /// Moves some readings.
    ///
    /// - Returns: the number of readings that waited before.
    @discardableResult
    private static func moveSlice(of journal: ReadingJournal, _ db: Database) throws -> Int {
        let count = try journal.count(db)
        var writer = ReadingWriter(db)
        try journal.move(atMost: journalSlice, isUrgent: true, into: &writer, db)
        try writer.finish()
        return count
    }
}
